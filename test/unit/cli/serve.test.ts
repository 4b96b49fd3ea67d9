import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { Client } from 'undici';
import { describe, expect, test } from 'vitest';
import { startServed } from '../../../src/cli/commands/serve.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { UNKNOWN_ROUTE } from '../../../src/run/builder.ts';
import { emptyFolder } from '../../e2e/command.ts';
import { serveWith, stage, stubReference } from './stage.ts';

/** Serves until it prints that it listens or ends, and stops it. */
async function serving(words: readonly string[], start: typeof startServed = stubReference) {
  const { terminal, out, err, send } = stage();
  const ended = runCommandLine(['serve', ...words], terminal, { serve: serveWith(start) });
  for (let wait = 0; wait < 20 && err.length === 0; wait += 1) await new Promise((resolve) => setImmediate(resolve));
  const files = existsSync(words[1] ?? '') ? readFileSync(words[1] ?? '', 'utf8') : null;
  send('SIGINT', 0);
  return { code: await ended, out, err, files };
}

describe('serve', () => {
  test.each([
    [
      ['--fault', 'hang-up-error-without-mesage'],
      /^--fault "\S+" is unknown: did you mean hang-up-error-without-message\?$/,
    ],
    // A local address of IPv6 needs the name of its interface.
    [['--host', 'fe80::1'], /^Cannot listen on fe80::1 port \d+ \(E\w+\): give another --host or --port\.$/],
    [['--fault', 'nothing-at-all'], /^--fault "nothing-at-all" is unknown: serve --list shows the names\.$/],
  ])('rejects %j', async (words, says) => {
    const { code, err } = await serving(words, startServed);
    expect([code, err]).toEqual([2, [expect.stringMatching(says)]]);
  });

  test('writes the settings to a file once the port is open, and again the next time', async () => {
    const file = join(emptyFolder(), '.env');
    const taken = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
    expect(await serving(['--out', file], () => Promise.reject(taken))).toMatchObject({ code: 2, files: null });
    for (const _ of [1, 2]) {
      const { code, out, files } = await serving(['--out', file]);
      expect([code, out]).toEqual([0, []]);
      expect(parse(files ?? '')).toMatchObject({ PCS_ACCESS_TOKEN: 'ref_org_1', PCS_INBOUND_SECRET: 'two words #1' });
    }
  });

  test('plants several faults at once', async () => {
    const fault = ['numbers-answer-206', 'trunks-answer-202'];
    const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 }, fault);
    try {
      const headers = { Authorization: `Bearer ${settings['PCS_ACCESS_TOKEN']}` };
      const statuses = ['/v1/numbers/', '/v1/trunks/'].map(
        async (path) => (await fetch(url + path, { headers })).status,
      );
      expect(await Promise.all(statuses)).toEqual([206, 202]);
    } finally {
      await close();
    }
    const { err } = await serving(['--fault', fault[0] ?? '', '--fault', fault[1] ?? '']);
    expect(err[0]).toContain('with the fault numbers-answer-206, the fault trunks-answer-202 listens');
  });

  test('overwrites no settings of a target', async () => {
    const file = join(emptyFolder(), '.env');
    writeFileSync(file, 'PCS_BASE_URL=https://staging.example.com\n');
    const { code, err, files } = await serving(['--out', file]);
    expect([code, err.join()]).toEqual([2, expect.stringContaining('holds settings that serve did not write')]);
    expect(files).toBe('PCS_BASE_URL=https://staging.example.com\n');
  });
});

test('the inbound call rings again when another run begins, also over a connection that a gateway keeps', async () => {
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 });
  const client = new Client(url);
  const authorization = `Bearer ${settings['PCS_ACCESS_TOKEN']}`;
  const call = `/v1/calls/${settings['PCS_RINGING_CALL_ID']}`;
  // The unknown route is what the preflight of a run sends.
  const paths = [`${call}/answer`, `${call}/hangup`, `${call}/answer`, UNKNOWN_ROUTE, `${call}/answer`];
  const statuses: number[] = [];
  try {
    for (const path of paths) {
      const method = path === UNKNOWN_ROUTE ? 'GET' : 'POST';
      const { statusCode, body } = await client.request({ method, path, headers: { authorization } });
      await body.dump();
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([200, 200, 409, 404, 200]);
  } finally {
    await client.close();
    await close();
  }
});
