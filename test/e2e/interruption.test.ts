/** A signal and kill -9 in the middle of a run, as a process: what is open is hung up, or named and then cleaned. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { foundOperation } from '../../src/client/request.ts';
import { sampled } from '../sampled.ts';
import { BIN, command, emptyFolder } from './command.ts';
import { enveloped, type Live, live, until } from './live.ts';

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly journal: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly err: string; readonly out: string }>;
}

/** Slow enough for a signal to come while a call is open; what is written is written before the first call. */
const SLOW = ['--rate', '40', '--only', 'SUCCESS-STATUS'];

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
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, err, out }));
  return { child, folder, ended, journal: () => (existsSync(path) ? readFileSync(path, 'utf8') : '') };
}

/** Presses Ctrl-C again and again: two presses within 300 ms count as one, and a busy machine may hear two at once. */
async function pressedUntilEnded({ child, ended }: Running) {
  const pressing = setInterval(() => child.kill('SIGINT'), 500);
  return ended.finally(() => clearInterval(pressing));
}

const resultsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));

const isOpen = ({ reference }: Live): boolean => reference.inspect().callsOpen > 0;

/** What a run has to leave as it was. */
function stateOf({ reference }: Live) {
  const { trunkNames, inboundSecret } = reference.inspect();
  return { trunkNames, inboundSecret };
}

const LIST = { format: 'pcs-conformance/expectations@2', expectations: [] };

const SIGNALS = sampled(
  [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const,
  3,
);

test.each(SIGNALS.items)(
  `%s with a call open hangs up, restores, writes what is known, and exits %i as it says (${SIGNALS.words})`,
  async (signal, exit) => {
    await live({}, async (target) => {
      const before = stateOf(target);
      const known = join(emptyFolder(), 'known.json');
      writeFileSync(known, JSON.stringify(LIST));
      const run = start(target, [...SLOW, '--expect', known]);
      await until(() => isOpen(target));
      run.child.kill(signal);
      const { code, err, out } = await run.ended;
      expect([code, err]).toEqual([exit, expect.stringContaining('winding down')]);
      expect(out).toContain(`The gate fails (exit ${exit}).`);
      const { callsAccepted, callsOpen } = target.reference.inspect();
      expect([callsAccepted > 0, callsOpen, stateOf(target)]).toEqual([true, 0, before]);
      const results = resultsIn(run.folder);
      expect(results).toMatchObject({ verdict: 'incomplete', endedEarly: 'the run was interrupted', possiblyOpen: [] });
      expect(results.counts.requests).toBeGreaterThan(0);
      const cleaned = await command(['clean'], target.env, run.folder);
      expect([cleaned.code, cleaned.out]).toEqual([0, expect.not.stringContaining('Possibly open')]);
    });
  },
);

test('a second SIGINT ends at once and names the call that may be open', async () => {
  const forever = { policy: { dialSeconds: 30 }, wait: () => new Promise<void>(() => undefined) };
  await live({ reference: forever }, async (target) => {
    const run = start(target, ['--only', 'CALL-CREATE-STATUS']);
    await until(() => run.journal().includes('"kind":"create"'));
    const { code, err } = await pressedUntilEnded(run);
    expect([code, err]).toEqual([130, expect.stringMatching(/Possibly still open: request \d+ \(create call\)/)]);
    expect(err).toMatch(/ (node \S+|npx pcs-conformance) clean --report-dir \S+ --base-url http:\S+\n/);
  });
});

test('kill -9 with a call open leaves a journal by which clean hangs it up, once', async () => {
  let kill: (() => Promise<unknown>) | undefined;
  let hangUps = 0;
  // The second hang-up kills the run, and is lost: that of the first call which the run placed.
  const losing = (service: Service): Service => {
    return async (request) => {
      if (foundOperation(request.method, request.target)?.operation === 'hangUpCall') hangUps += 1;
      if (kill === undefined || hangUps < 2) return service(request);
      await kill();
      return enveloped(503);
    };
  };
  await live({ wrap: losing }, async (target) => {
    const before = stateOf(target);
    const run = start(target, ['--only', 'SUCCESS-STATUS']);
    kill = () => {
      kill = undefined;
      run.child.kill('SIGKILL');
      return run.ended;
    };
    await run.ended;
    expect(run.journal()).toMatch(/"kind":"call","ids":\["[^"]+"\],"open":true/);
    expect(target.reference.inspect().callsOpen).toBe(1);
    // Nothing seen is lost: the results are made of the journal.
    const killed = await command(['report', 'conformance-report'], {}, run.folder);
    expect([killed.code, killed.err]).toEqual([
      0,
      expect.stringMatching(/run .* clean --report-dir \S+ --base-url \S+ first/),
    ]);
    const results = resultsIn(run.folder);
    expect([results.verdict, results.endedEarly]).toEqual(['incomplete', expect.stringContaining('was killed')]);
    // The ringing call that it answered was hung up.
    expect(results.possiblyOpen).toEqual([expect.stringContaining('the journal ends before it was hung up')]);
    expect(results.counts.requests).toBe(run.journal().match(/"kind":"exchange"/g)?.length);
    // A run over this journal would lose track of the call.
    const next = await command(['run'], target.env, run.folder);
    expect([next.code, next.err]).toEqual([2, expect.stringMatching(/run (node \S+|npx pcs-conformance) clean/)]);
    const cleaned = await command(['clean'], target.env, run.folder);
    expect([cleaned.err, cleaned.out]).toEqual([
      expect.stringMatching(/^This hangs up \d calls?.*\n$/),
      expect.stringMatching(/Hung up: call \S+ \(request \d+\)/),
    ]);
    const isMuted = expect.stringContaining('was muted');
    // A report of before still said that the call is open.
    const over = await command(['report', 'conformance-report'], {}, run.folder);
    expect([over.code, over.err]).toEqual([0, '']);
    expect(resultsIn(run.folder)).toMatchObject({ verdict: 'incomplete', possiblyOpen: [], changed: [isMuted] });
    const { callsOpen, requests } = target.reference.inspect();
    expect([callsOpen, stateOf(target)]).toEqual([0, before]);
    const again = await command(['clean'], target.env, run.folder);
    expect([again.code, again.out]).toEqual([cleaned.code, expect.not.stringMatching(/Hung up|Restored/)]);
    expect(target.reference.inspect().requests).toHaveLength(requests.length);
  });
});
