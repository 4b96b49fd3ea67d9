/** Ctrl-C, SIGTERM and kill -9 in the middle of a run: what is open is hung up, or named and then cleaned. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, command, emptyFolder } from './command.ts';
import { type Live, live, until } from './live.ts';

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly journal: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
}

function start({ env }: Live, flags: readonly string[] = []): Running {
  const folder = emptyFolder();
  const path = join(folder, 'conformance-report', 'journal.ndjson');
  const child = spawn(process.execPath, [BIN, 'run', '--profile', 'full', ...flags], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdout.resume();
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, err }));
  return { child, folder, ended, journal: () => (existsSync(path) ? readFileSync(path, 'utf8') : '') };
}

const resultsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));

const isOpen = ({ reference }: Live): boolean => reference.inspect().callsOpen > 0;

/** Slow enough for a signal to come while a call is open. */
const SLOW = ['--rate', '20'];

describe('an interruption', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('%s with a call open hangs up, restores, writes what is known and exits %i', async (signal, code) => {
    await live({}, async (target) => {
      const before = target.reference.inspect();
      const run = start(target, SLOW);
      await until(() => isOpen(target));
      run.child.kill(signal);
      expect(await run.ended).toMatchObject({ code, err: expect.stringContaining('winding down') });
      const after = target.reference.inspect();
      expect(after.callsAccepted).toBeGreaterThan(0);
      expect(after.callsOpen).toBe(0);
      expect(after.trunkNames).toEqual(before.trunkNames);
      expect(after.inboundSecret).toBe(before.inboundSecret);
      const results = resultsIn(run.folder);
      expect(results).toMatchObject({ verdict: 'incomplete', endedEarly: 'the run was interrupted', possiblyOpen: [] });
      expect(results.counts.requests).toBeGreaterThan(0);
      // What was withheld was not announced either: nothing is left to clean.
      const { PCS_ACCESS_TOKEN = '' } = target.env;
      const words = ['clean', '--report-dir', join(run.folder, 'conformance-report')];
      const cleaned = await command(words, { PCS_ACCESS_TOKEN });
      expect([cleaned.code, cleaned.out]).toEqual([0, expect.not.stringContaining('Possibly open')]);
    });
  });

  test('SIGINT with a create call pending waits for it and then hangs up', async () => {
    let answer: (() => void) | undefined;
    const wait = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    await live({ reference: { policy: { dialSeconds: 30 }, wait } }, async (target) => {
      const run = start(target);
      await until(() => answer !== undefined);
      run.child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 300));
      answer?.();
      expect((await run.ended).code).toBe(130);
      expect(target.reference.inspect()).toMatchObject({ callsAccepted: 1, callsOpen: 0 });
    });
  });

  test('a second SIGINT ends at once and names the call that may be open', async () => {
    await live(
      { reference: { policy: { dialSeconds: 30 }, wait: () => new Promise(() => undefined) } },
      async (target) => {
        const run = start(target);
        await until(() => run.journal().includes('"kind":"create"'));
        run.child.kill('SIGINT');
        await new Promise((resolve) => setTimeout(resolve, 500));
        run.child.kill('SIGINT');
        const { code, err } = await run.ended;
        expect([code, err]).toEqual([130, expect.stringMatching(/Possibly still open: request \d+ \(create call\)/)]);
        expect(err).toMatch(/ (node \S+|pcs-conformance) clean --report-dir \S+\n/);
      },
    );
  });
});

describe('kill -9', () => {
  test('with a call open leaves a journal by which clean hangs it up, once', async () => {
    await live({}, async (target) => {
      const before = target.reference.inspect();
      const run = start(target, SLOW);
      await until(() => isOpen(target) && /"kind":"call","ids":\["[^"]+"\],"open":true/.test(run.journal()));
      run.child.kill('SIGKILL');
      await run.ended;
      expect(target.reference.inspect().callsOpen).toBe(1);
      // Nothing seen is lost: the results are made of the journal.
      expect((await command(['report', 'conformance-report'], {}, run.folder)).code).toBe(0);
      const results = resultsIn(run.folder);
      expect(results).toMatchObject({
        verdict: 'incomplete',
        endedEarly: expect.stringContaining('the run was killed'),
      });
      expect(results.possiblyOpen).toEqual([expect.stringContaining('the journal ends before it was hung up')]);
      expect(results.counts.requests).toBe(run.journal().match(/"kind":"exchange"/g)?.length);
      const words = ['clean', '--report-dir', join(run.folder, 'conformance-report')];
      // A run over this journal would lose track of the call.
      const next = await command(['run', '--report-dir', words[2] ?? ''], target.env);
      expect([next.code, next.err]).toEqual([
        2,
        expect.stringMatching(/run (node \S+|pcs-conformance) clean --report-dir/),
      ]);
      const cleaned = await command(words, target.env);
      expect(cleaned).toMatchObject({
        err: expect.stringMatching(/^This hangs up 2 calls.*\n$/),
        out: expect.stringMatching(/Hung up: call \S+ \(request \d+\)/),
      });
      // An update that was under way when the process was killed may be impossible to undo.
      expect(cleaned.code).toBe(cleaned.out.includes('Changed and not restored') ? 3 : 0);
      const after = target.reference.inspect();
      expect([after.callsOpen, after.trunkNames, after.inboundSecret]).toEqual([
        0,
        before.trunkNames,
        before.inboundSecret,
      ]);
      const again = await command(words, target.env);
      expect(again).toMatchObject({ code: cleaned.code, out: expect.not.stringContaining('Hung up') });
      expect(again.out).not.toContain('Restored');
      expect(target.reference.inspect().requests).toHaveLength(after.requests.length);
    });
  });

  test('with a create call pending leaves a journal that names it', async () => {
    await live(
      { reference: { policy: { dialSeconds: 30 }, wait: () => new Promise(() => undefined) } },
      async (target) => {
        const run = start(target);
        await until(() => run.journal().includes('"kind":"create"'));
        run.child.kill('SIGKILL');
        await run.ended;
        const { PCS_ACCESS_TOKEN = '' } = target.env;
        const words = ['clean', '--report-dir', join(run.folder, 'conformance-report')];
        const { code, out } = await command(words, { PCS_ACCESS_TOKEN });
        expect([code, out]).toEqual([
          3,
          expect.stringMatching(/Possibly open: request \d+ \(create call\) has no recorded answer/),
        ]);
      },
    );
  });
});
