/** A real disk, real descriptors: what becomes of a run when the machine under it fails. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inLongAlone } from '../sampled.ts';
import { BIN, command, emptyFolder } from './command.ts';
import { type Live, live, until } from './live.ts';

/** Runs the command under limits of the shell; `meanwhile` is called once a call is open. */
async function limited(
  target: Live,
  limits: string,
  folder: string,
  meanwhile: () => void = () => undefined,
  more: readonly string[] = [],
) {
  const words = [
    process.execPath,
    BIN,
    'run',
    '--profile',
    'full',
    '--rate',
    '60',
    '--only',
    'SUCCESS-STATUS,AUTH-SECRET',
    '--report-dir',
    folder,
    ...more,
  ];
  const line = `${limits} exec ${words.map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('/bin/sh', ['-c', line], { env: { PATH: process.env['PATH'], ...target.env } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close');
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || target.reference.inspect().callsOpen > 0);
  meanwhile();
  const [code] = await ended;
  return { code: code as number | null, out, err };
}

/** A file system of one megabyte, where this process may mount one. */
function smallDisk(): string | null {
  const at = mkdtempSync(join(tmpdir(), 'pcs-conformance-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' });
    return at;
  } catch {
    return null;
  }
}

const JOURNAL_LOST = /INCOMPLETE .*the journal cannot be written: /;

describe('a run', () => {
  inLongAlone('whose files may not grow ends without open calls, with its verdict on the screen', async () => {
    await live({}, async (target) => {
      const before = target.reference.inspect();
      const folder = join(emptyFolder(), 'report');
      // In blocks of 512 bytes, or of 1,024: the journal of a run takes more.
      const { code, out, err } = await limited(target, 'ulimit -f 200;', folder);
      expect([code, out]).toEqual([3, expect.stringMatching(JOURNAL_LOST)]);
      expect(out).toContain('larger than the limit for this process');
      const { callsOpen, trunkNames, inboundSecret } = target.reference.inspect();
      expect([callsOpen, trunkNames, inboundSecret]).toEqual([0, before.trunkNames, before.inboundSecret]);
      expect(err).not.toMatch(/^\s+at /m);
      expect(existsSync(join(folder, 'run.lock'))).toBe(false);
    });
  });

  test('on a full disk hangs up, and report makes of the journal what it holds', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === null) return skip('this process may not mount a file system');
    try {
      await live({}, async (target) => {
        const folder = join(disk, 'report');
        const filler = join(disk, 'filler');
        const fill = (): void => {
          try {
            writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024));
          } catch {
            // Full.
          }
        };
        const { code, out, err } = await limited(target, '', folder, fill);
        expect([code, out]).toEqual([3, expect.stringMatching(/the journal cannot be written: the disk is full/)]);
        expect(err).toMatch(
          /Not all reports could be written to .*: the disk is full; (node \S+|npx pcs-conformance) report/,
        );
        expect(target.reference.inspect().callsOpen).toBe(0);
        rmSync(filler);
        expect((await command(['report', folder], {}, disk)).code).toBe(0);
      });
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  inLongAlone('over another one leaves its folder alone, and a later one keeps its reports', async () => {
    await live({}, async (target) => {
      const cwd = emptyFolder();
      const folder = join(cwd, 'conformance-report');
      let second: ReturnType<typeof command> | undefined;
      const words = ['run', '--report-dir', folder];
      // Few requests, and slow enough for the second run to begin while the first works.
      const few = ['--only', 'SUCCESS-STATUS,CALL-CREATE-STATUS', '--rate', '20'];
      const begin = (): void => {
        second = command(words, target.env, cwd);
      };
      const first = await limited(target, '', folder, begin, few);
      expect(first.code).toBe(0);
      expect(await second).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^Another run \(process \d+ on .*\) works in/),
      });
      const results = readFileSync(join(folder, 'results.json'), 'utf8');
      expect((await command(words, target.env, cwd)).code).toBe(0);
      expect(readFileSync(join(folder, 'previous-1', 'results.json'), 'utf8')).toBe(results);
      expect(readFileSync(join(folder, 'results.json'), 'utf8')).not.toBe(results);
    });
  });
});
