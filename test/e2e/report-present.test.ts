/** What a build server and a script find of a run: the job summary, annotations, --json, --quiet, NO_COLOR. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { inLongAlone } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';

let listening: Listening;
let env: Record<string, string | undefined> = {};

beforeAll(async () => {
  const { service, settings } = createReference();
  listening = await listen(async (request) => {
    const reply = await service(request);
    return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
  });
  env = { ...settings, PCS_BASE_URL: listening.url };
});

afterAll(() => listening.close());

const WORDS = ['run', '--only', 'LIST-STATUS'];
const ran = (words: readonly string[], more: Readonly<Record<string, string>> = {}, folder = emptyFolder()) =>
  command([...WORDS, ...words], { ...env, ...more }, folder);

/** Makes the process believe that its standard output is a terminal. */
const ON_A_TERMINAL = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };

describe('a build server', () => {
  test('gets the summary appended to GITHUB_STEP_SUMMARY, behind what stands there', async () => {
    const folder = emptyFolder();
    const file = join(folder, 'step.md');
    writeFileSync(file, 'before\n');
    await ran([], { GITHUB_STEP_SUMMARY: file }, folder);
    const summary = readFileSync(join(folder, 'conformance-report', 'summary.md'), 'utf8');
    expect(summary).toContain('LIST-STATUS/listTrunks');
    expect(readFileSync(file, 'utf8')).toBe(`before\n${summary}`);
  });

  test('gets annotations only under GITHUB_ACTIONS', async () => {
    const { err } = await ran([], { GITHUB_ACTIONS: 'true' });
    expect(err).toMatch(/^::error title=LIST-STATUS\/listTrunks \(must%2C section 4\)::/m);
    expect((await ran([])).err).not.toContain('::error');
  });
});

describe('a script', () => {
  test('gets the results and nothing else by --json', async () => {
    const folder = emptyFolder();
    const { code, out, err } = await ran(['--json'], {}, folder);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toBe(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));
    expect((await ran([])).out).not.toMatch(/^\{/);
  });

  test('gets the failing cases and the verdict alone by --quiet', async () => {
    const quiet = await ran(['--quiet']);
    const whole = await ran([]);
    expect(quiet.err).toBe('');
    expect(whole.err).not.toBe('');
    for (const { out } of [quiet, whole]) expect(out).toContain('NON-CONFORMANT');
    expect([quiet, whole].map(({ out }) => out.includes('report.html'))).toEqual([false, true]);
    expect([quiet, whole].map(({ out }) => /^must$/m.test(out))).toEqual([false, true]);
  });
});

describe('NO_COLOR', () => {
  inLongAlone('takes the colours from a terminal, and changes nothing else', async () => {
    const coloured = await ran(['--quiet'], ON_A_TERMINAL);
    const plain = await ran(['--quiet'], { ...ON_A_TERMINAL, NO_COLOR: '1' });
    expect(coloured.out).toContain('\u001b[');
    expect(plain.out).not.toContain('\u001b');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(coloured.out.replaceAll(/\u001b\[\d*m/g, '')).toBe(plain.out);
  });

  test('is not needed if the output is not a terminal', async () => {
    expect((await ran(['--quiet'])).out).not.toContain('\u001b');
  });

  test('is not outdone by FORCE_COLOR, which stands for a terminal', async () => {
    expect((await ran(['--quiet'], { FORCE_COLOR: '1' })).out).toContain('\u001b[');
    for (const more of [{ FORCE_COLOR: '0' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
      expect((await ran(['--quiet'], more as Readonly<Record<string, string>>)).out).not.toContain('\u001b');
    }
  });
});

test('the folders of five earlier runs stay, and older ones go', async () => {
  const folder = emptyFolder();
  for (let count = 0; count < 7; count += 1) await ran(['--quiet', '--explore', '0'], {}, folder);
  const names = readdirSync(join(folder, 'conformance-report')).filter((name) => name.startsWith('previous-'));
  expect(names.toSorted()).toEqual(['previous-2', 'previous-3', 'previous-4', 'previous-5', 'previous-6']);
});
