/** Runs the suites in vitest, silently and without any trace of vitest's own in the process, the folder or the verdict. */

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type {} from 'vitest';
import type { TestRunResult, Vitest } from 'vitest/node';
import { type InterruptSignal, openCommandEnd, type ProvidedRun } from '../run/run-channel.ts';
import { borrowProcess } from './borrowed-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The input of the run and the name of its channel; the suites read it with `inject('conformanceRun')`. */
    readonly conformanceRun: ProvidedRun;
  }
}

/** Anything that the structured clone can carry into the worker; the suites know its shape. */
export type SerializableInput = Readonly<Record<string, unknown>>;

/** What the command wants of a run: its events, and a way to end it early (the reason is the signal's name). */
export interface RunHooks<Event> {
  readonly onEvent: (event: Event) => void;
  readonly signal: AbortSignal;
}

/** Where the suites lie: an absolute folder and, below it, the one file that registers the cases. */
export interface SuitePlace {
  readonly root: string;
  readonly file: string;
}

/** The runner broke, not the target: the suites could not be loaded, or ended without handing over everything. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
}

/** The suites of this package: TypeScript when run from source, JavaScript in the published package. */
export function ownSuites(moduleUrl: string = import.meta.url): SuitePlace {
  const extension = moduleUrl.endsWith('.ts') ? 'ts' : 'js';
  return { root: fileURLToPath(new URL('../..', moduleUrl)), file: `suites/conformance.test.${extension}` };
}

/**
 * Runs the suites to their end and hands every event to `hooks.onEvent` before it resolves. A failing case is no error
 * here: the verdict is the caller's, from the events. Throws `RunnerError` where the suites themselves broke.
 */
export async function runWithVitest<Event>(
  input: SerializableInput,
  hooks: RunHooks<Event>,
  place: SuitePlace = ownSuites(),
): Promise<void> {
  const name = `pcs-conformance-${randomUUID()}`;
  const channel = openCommandEnd(name, hooks.onEvent);
  const onAbort = (): void => channel.interrupt(hooks.signal.reason as InterruptSignal);
  hooks.signal.addEventListener('abort', onAbort);
  if (hooks.signal.aborted) onAbort();
  let result: TestRunResult | undefined;
  let finished = false;
  try {
    result = await vitestRun(place, { channel: name, input });
  } catch (error) {
    throw new RunnerError(messageOf(error), { cause: error });
  } finally {
    hooks.signal.removeEventListener('abort', onAbort);
    finished = channel.close().finished;
  }
  const broken = complaint(result);
  if (broken !== undefined) throw new RunnerError(broken);
  if (!finished) throw new RunnerError('the suites ended without handing over their results');
}

async function vitestRun(place: SuitePlace, provided: ProvidedRun): Promise<TestRunResult> {
  const own = borrowProcess();
  let vitest: Vitest | undefined;
  try {
    // Loaded here only: `list`, `explain` and `--help` need not wait for vite.
    const { createVitest } = await import('vitest/node');
    const created = createVitest('test', options(place), viteOptions(place), { stdout: sink(), stderr: sink() });
    // Twice: vitest's handlers are there from the first moment, vite's later, and a signal can come in between.
    own.dropListeners();
    vitest = await created;
    own.dropListeners();
    own.restore();
    vitest.provide('conformanceRun', provided);
    return await vitest.start();
  } finally {
    await vitest?.close();
    own.restore();
  }
}

type VitestOptions = NonNullable<Parameters<typeof import('vitest/node').createVitest>[1]>;
type ViteOptions = NonNullable<Parameters<typeof import('vitest/node').createVitest>[2]>;

function options(place: SuitePlace): VitestOptions {
  return {
    config: false,
    root: place.root,
    include: [place.file],
    exclude: [],
    watch: false,
    pool: 'threads',
    isolate: false,
    fileParallelism: false,
    // An object without hooks: with an empty list vitest would choose its default reporter.
    reporters: [{}],
    cache: false,
    coverage: { enabled: false },
    // The engine has its own deadlines and pacing; a run that dials may take many minutes.
    testTimeout: 0,
    hookTimeout: 0,
    retry: 0,
    bail: 0,
    allowOnly: false,
    globals: false,
    // Compiled suites are plain JavaScript wherever they lie: Node loads them, vite transforms nothing.
    server: { deps: { external: [/\.js$/] } },
  };
}

function viteOptions(place: SuitePlace): ViteOptions {
  return {
    root: place.root,
    envDir: false,
    publicDir: false,
    logLevel: 'silent',
    clearScreen: false,
    // Nothing is to be written there; should vite ever want to, not into somebody's node_modules.
    cacheDir: join(tmpdir(), 'pcs-conformance-vite'),
  };
}

function sink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function complaint(result: TestRunResult): string | undefined {
  const errors = [...result.testModules.flatMap((module) => module.errors()), ...result.unhandledErrors];
  const [first] = errors;
  if (first === undefined) return result.testModules.length === 0 ? 'no suite was found' : undefined;
  return messageOf(first);
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message).split('\n', 1)[0] ?? '';
}
