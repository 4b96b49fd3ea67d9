import { describe, expect, test, vi } from 'vitest';
import { runTarget } from '../../../src/cli/commands/run.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { type Watch, watched } from '../../../src/cli/watch.ts';
import { type Stage, stage } from './stage.ts';

const WINDING_DOWN = 'Interrupted: winding down and hanging up open calls. Interrupt again to stop at once.';

/** What a stage looks like after work under its signals, with the exit code. */
async function under(work: (watch: Watch, stage: Stage) => void) {
  const set = stage();
  const code = await watched(set.terminal, true, async (watch) => {
    work(watch, set);
    return 1;
  });
  return { ...set, code };
}

const SEQUENCES = Array.from({ length: 649 }, (_, at) => `call/valid ${at}`);

describe('signals', () => {
  test('abort the run the first time, with the name as the reason', async () => {
    let reason: unknown;
    const { code, err, exits } = await under(({ signal }, { send }) => {
      send('SIGTERM', 1);
      reason = signal.reason;
    });
    expect([reason, code, err, exits]).toEqual(['SIGTERM', 143, [WINDING_DOWN], []]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stop at once the second time, %s with %i, and name the open call', async (signal, code) => {
    const { err, exits } = await under(({ show }, { send }) => {
      show({ kind: 'calls', open: ['call 7'] });
      send('SIGINT', 0);
      send(signal, 300);
    });
    expect([err, exits]).toEqual([[WINDING_DOWN, 'Possibly still open: call 7.'], [code]]);
  });

  test('draw the live line as wide as standard error, not as standard output', async () => {
    const set = stage();
    const drawn: string[] = [];
    const terminal = { ...set.terminal, width: 200, liveWidth: 20, redraw: (line: string) => drawn.push(line) };
    await watched(terminal, false, async ({ show }) => {
      show({ kind: 'plan', cases: 354, sequences: SEQUENCES, longest: 30_000 });
      return 0;
    });
    expect(drawn).toEqual(['0/649 sequences']);
  });

  test.each([
    ['a terminal', true],
    ['a pipe', false],
  ])('%s is told that an answer is awaited, and of nothing once the run has ended', async (_, isTerminal) => {
    vi.useFakeTimers({ now: 0, toFake: ['setInterval', 'clearInterval', 'Date'] });
    const { terminal, err } = stage();
    const drawn: string[] = [];
    const own = isTerminal ? { redraw: (line: string) => drawn.push(line), liveWidth: 200 } : {};
    await watched({ ...terminal, now: Date.now, ...own }, false, async ({ show, end }) => {
      show({ kind: 'plan', cases: 354, sequences: SEQUENCES, longest: 30_000 });
      vi.advanceTimersByTime(25_000);
      end();
      vi.advanceTimersByTime(25_000);
      return 0;
    });
    vi.useRealTimers();
    const told = (isTerminal ? drawn : err).filter((line) => line.includes('no response for'));
    const line = (seconds: number) =>
      `0/649 sequences · 0 requests · no response for ${seconds} s (a request takes 30 s at most)`;
    expect(told).toEqual(isTerminal ? Array.from({ length: 24 }, (_, at) => line(at + 2)) : [line(10), line(20)]);
  });

  test('count as one when npm passes on what the terminal has sent already', async () => {
    const { exits } = await under((_, { send }) => {
      send('SIGINT', 1000);
      send('SIGINT', 1299);
    });
    expect(exits).toEqual([]);
  });

  test('an error that nothing catches winds the run down once, and the run is void', async () => {
    let reason: unknown;
    const { code, err, exits } = await under(({ signal }, { send }) => {
      send('uncaughtException', 1, new Error('odd'));
      send('unhandledRejection', 2, 'again');
      send('SIGINT', 500);
      reason = signal.reason;
    });
    expect([code, exits, String(reason)]).toEqual([4, [], 'RunEnd: the suite itself broke']);
    expect(err).toEqual(['The suite itself broke: odd: winding down and hanging up open calls.', WINDING_DOWN]);
  });

  test('are left alone afterwards, also after an error', async () => {
    const { terminal, err, listeners, send } = stage();
    const broken = watched(terminal, true, () => Promise.reject(new Error('broken')));
    expect(listeners()).toBe(5);
    await expect(broken).rejects.toThrow('broken');
    send('SIGINT', 0);
    expect([listeners(), err]).toEqual([0, []]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('end a run that %s wound down with %i, whatever its verdict', async (signal, code) => {
    const { terminal, send, listeners } = stage({ PCS_BASE_URL: 'http://localhost:1', PCS_ACCESS_TOKEN: 'a' });
    const judgeTarget = async () => {
      send(signal, 0);
      return 1 as const;
    };
    const stub = async () => (flags: Parameters<typeof runTarget>[0]) => runTarget(flags, terminal, judgeTarget);
    expect(await runCommandLine(['run'], terminal, { run: stub })).toBe(code);
    // A second press at the very end is heard, too: by the signal itself the process would end without an exit code.
    expect(listeners()).toBe(3);
  });
});
