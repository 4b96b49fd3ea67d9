import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ownSuites, RunnerError, runWithVitest } from '../../../src/cli/vitest-runner.ts';
import type { StubEvent, StubInput } from './stub-input.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

async function start(
  input: StubInput,
  onStarted: (abort: AbortController) => void = () => undefined,
  file = 'stub-suites.ts',
) {
  const seen: StubEvent[] = [];
  const abort = new AbortController();
  const onEvent = (event: StubEvent): void => {
    seen.push(event);
    if (event.is === 'started') onStarted(abort);
  };
  await runWithVitest<StubEvent>(input, { onEvent, signal: abort.signal }, { root: ROOT, file });
  return seen.map(({ is }) => is);
}

describe('vitest as the runner', () => {
  test('hands over every event, in order, before it resolves', async () => {
    const seen: StubEvent[] = [];
    const hooks = { onEvent: (event: StubEvent) => seen.push(event), signal: new AbortController().signal };
    await runWithVitest<StubEvent>({ does: 'pass', events: 500 }, hooks, { root: ROOT, file: 'stub-suites.ts' });
    expect(seen.map(({ at }) => at)).toEqual(Array.from({ length: 501 }, (_, at) => at));
  });

  test('leaves the process as it was, while the suites run and after a failing case', async () => {
    // The vitest that runs this test has set them already, and the one under it would not again.
    for (const name of ['PROD', 'DEV', 'MODE', 'BASE_URL']) delete process.env[name];
    const state = () => ({
      env: { ...process.env },
      exitCode: process.exitCode,
      listeners: ['SIGINT', 'SIGTERM', 'exit', 'unhandledRejection'].map((event) => process.listenerCount(event)),
    });
    const before = state();
    const during: unknown[] = [];
    expect(await start({ does: 'fail', events: 1 }, () => during.push(state()))).toEqual(['started', 'verdict']);
    expect([...during, state()]).toEqual([before, before]);
  });

  test('carries an interruption into the suites, which end in their own time', async () => {
    expect(await start({ does: 'wait', events: 1 }, (abort) => abort.abort('SIGINT'))).toEqual([
      'started',
      'verdict',
      'SIGINT',
    ]);
  });

  test('keeps an interruption that comes before the suites are there', async () => {
    const seen: string[] = [];
    const hooks = { onEvent: ({ is }: StubEvent) => seen.push(is), signal: AbortSignal.abort('SIGTERM') };
    await runWithVitest<StubEvent>({ does: 'wait', events: 0 }, hooks, { root: ROOT, file: 'stub-suites.ts' });
    expect(seen).toEqual(['started', 'SIGTERM']);
  });

  test.each([
    ['break', 'a declaration is wrong'],
    ['leave', 'the suites ended without handing over their results'],
    ['reject', 'nobody awaits this'],
  ] as const)('rejects where the suites %s', async (does, message) => {
    await expect(start({ does, events: 0 })).rejects.toThrow(new RunnerError(message));
  });

  test('rejects where there is no suite', async () => {
    await expect(start({ does: 'pass', events: 0 }, undefined, 'nothing.ts')).rejects.toThrow(RunnerError);
  });
});

describe('the suites of this package', () => {
  test('are TypeScript beside the source and JavaScript beside the compiled runner', () => {
    expect(ownSuites('file:///p/src/cli/vitest-runner.ts')).toEqual({
      root: '/p/',
      file: 'suites/conformance.test.ts',
    });
    expect(ownSuites('file:///p/dist/src/cli/vitest-runner.js')).toEqual({
      root: '/p/dist/',
      file: 'suites/conformance.test.js',
    });
  });
});
