/** Judges mutants with the whole suite, in two processes, and ends a process whose mutant never returns. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mutant, Mutants } from './instrument.ts';

/** What the run says of a mutant. */
export interface Outcome {
  /**
   * The verdict of the run, or why there is none: no request reaches the mutant, the service does not start with it, or
   * it never returns.
   */
  readonly verdict: string;
  /** Requirements that fail or warn. */
  readonly broken: readonly string[];
  /** Requirements that are inconclusive. */
  readonly open: readonly string[];
  /** Digest of all responses and of the state in the end. */
  readonly responses: string;
}

/** A mutant and its outcome. */
export interface JudgedMutant extends Mutant {
  readonly outcome: Outcome;
}

type Hits = Readonly<Record<string, number>>;

interface Report extends Outcome {
  readonly coverage?: { readonly static: Hits; readonly perTest: { readonly run?: Hits } };
}

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));
const PROCESSES = 2;
const FEW = 5;
/** A run takes less than a second, and a loop that passes the mutant itself ends much earlier. */
const PATIENCE_MS = 60_000;
/** So many times as often as in the run without a mutant, a mutant may be passed before it counts as a loop. */
const MOST_ROUNDS = 200;

/** Judges the service without a mutant, and then, at most so many milliseconds each, the mutants that the run reached. */
export async function judgeMutants(
  { folder }: Mutants,
  mutants: readonly Mutant[],
  patience = PATIENCE_MS,
): Promise<{ readonly reference: Outcome; readonly judged: readonly JudgedMutant[] }> {
  const first = new Crewman(folder);
  const { coverage, ...reference } = await first.judge({});
  if (coverage === undefined) throw new Error(`no run without a mutant: ${JSON.stringify(reference)}`);
  const { static: loaded, perTest } = coverage;
  // Another process takes longer to start than a few mutants take.
  const others = mutants.length > FEW ? PROCESSES - 1 : 0;
  const crew = [first, ...Array.from({ length: others }, () => new Crewman(folder))];
  const queue = mutants.entries();
  const outcomes: Outcome[] = [];
  const work = async (crewman: Crewman): Promise<void> => {
    for (const [at, { id }] of queue) {
      const hits = (loaded[id] ?? 0) + (perTest.run?.[id] ?? 0);
      const order = { mutant: id, isStatic: id in loaded, hitLimit: 10_000 + MOST_ROUNDS * hits };
      outcomes[at] = hits === 0 ? UNREACHED : await crewman.judge(order, patience);
    }
    crewman.end();
  };
  await Promise.all(crew.map(work));
  const judged = mutants.map((mutant, at) => ({ ...mutant, outcome: outcomes[at] ?? UNREACHED }));
  return { reference, judged };
}

const UNREACHED: Outcome = { verdict: 'not reached', broken: [], open: [], responses: '' };
const HANGS: Outcome = { verdict: 'never returns', broken: [], open: [], responses: '' };

interface Order {
  readonly mutant?: string;
  readonly isStatic?: boolean;
  readonly hitLimit?: number;
}

/** A process that judges, from the first mutant on; a new one takes its place if a mutant never returns. */
class Crewman {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Waits without end, or so many milliseconds. */
  async judge(order: Order, patience?: number): Promise<Report> {
    this.#child ??= await started(this.#folder);
    this.#child.send(order);
    try {
      const options = patience === undefined ? {} : { signal: AbortSignal.timeout(patience) };
      const [report] = (await once(this.#child, 'message', options)) as [Report];
      return report;
    } catch {
      this.#child.kill('SIGKILL');
      this.#child = undefined;
      return HANGS;
    }
  }

  end(): void {
    this.#child?.kill();
  }
}

async function started(folder: string): Promise<ChildProcess> {
  const child = fork(WORKER, [folder], { execArgv: [] });
  await once(child, 'message');
  return child;
}
