/** All mutants of the suite: what unit tests notice, and what recorded runs notice of the rest of the expectations. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mutant, Mutants } from './instrument.ts';
import { noticedBy } from './judge-units.ts';
import { GROUPS } from './suite-copy.ts';
import type { FatedMutant } from './suite-survivors.ts';

/**
 * What is noticed of a mutant, the least first: nothing passes it, nothing is different, only words are, an opinion is, or
 * what a proof demands is.
 */
const FATES = ['not reached', 'same', 'says', 'decides', 'caught'] as const;
export type Fate = (typeof FATES)[number];

/** The tests of the guards, the slowest last; others of that folder open sockets, which no guard knows. */
const OF_GUARDS: readonly string[] = [
  ...[
    'admission',
    'call-slot',
    'guards',
    'json-scan',
    'name-fold',
    'request-path',
    'learned',
    'write-guard',
    'dials-nothing',
  ],
  ...['dial-guard-fields', 'dial-guard', 'write-guard-ids', 'dial-guard.property'],
].map((name) => `test/unit/client/${name}.test.ts`);
/** The tests of expectations on exchanges that are made for them. */
const OF_EXPECTATIONS: readonly string[] = [
  ...['create-call-bodies', 'credential-opinions', 'effect-opinions', 'error-in-success', 'path-served'],
  ...['should-access', 'should-bodies', 'should-ids', 'should-records'],
].map((name) => `test/unit/verdict/${name}.test.ts`);

/** The first runs of a mixed list. More of them notice a few more mutants, and take as much longer. */
const MOST_RUNS = 250;

/** What is noticed of each mutant, by unit tests and by records. */
export async function judgeSuite(copy: Mutants): Promise<readonly FatedMutant[]> {
  const isGuard = ({ place }: Mutant): boolean => GROUPS.guards.some((name) => place.startsWith(`${name} `));
  const guards = copy.mutants.filter(isGuard);
  const expectations = await called(
    copy,
    copy.mutants.filter((one) => !isGuard(one)),
  );
  const noticed = new Map([
    ...(await noticedBy(copy, expectations, OF_EXPECTATIONS)),
    ...(await noticedBy(copy, guards, OF_GUARDS)),
  ]);
  const left = expectations.filter(({ id }) => typeof noticed.get(id)?.by !== 'string');
  const fates = await fatesOf(copy, left, MOST_RUNS);
  return [...guards, ...expectations].map((mutant) => {
    const { by = null, covering = 0 } = noticed.get(mutant.id) ?? {};
    if (by !== null) return { ...mutant, fate: 'caught' };
    const fate = fates.get(mutant.id) ?? 'not reached';
    return { ...mutant, fate: fate === 'not reached' && covering > 0 ? 'same' : fate };
  });
}

/** The mutants that are evaluated when something is judged, and not when a module is loaded. */
export async function called({ folder }: Mutants, mutants: readonly Mutant[]): Promise<readonly Mutant[]> {
  const judge = new Judge(folder);
  try {
    const { loaded } = await judge.start();
    return mutants.filter(({ id }) => !loaded.includes(id));
  } finally {
    judge.end();
  }
}

/** What so many runs notice of each mutant, by its id. */
export async function fatesOf(
  { folder }: Mutants,
  mutants: readonly Mutant[],
  most: number,
): Promise<ReadonlyMap<string, Fate>> {
  const judge = new Judge(folder);
  const fates = new Map<string, Fate>(mutants.map(({ id }) => [id, 'not reached']));
  const note = (outcomes: Outcomes): void => {
    for (const [id, fate] of Object.entries(outcomes)) {
      if (FATES.indexOf(fate) > FATES.indexOf(fates.get(id) ?? 'caught')) fates.set(id, fate);
    }
  };
  try {
    for (let at = 0; at < most; at += 1) {
      for (let isDone = false; !isDone; ) {
        const open = [...fates].flatMap(([id, fate]) => (fate === 'caught' ? [] : [id]));
        isDone = await judge.obey({ at, mutants: open }, note);
      }
    }
  } finally {
    judge.end();
  }
  return fates;
}

type Outcomes = Readonly<Record<string, Fate>>;
type Message = { readonly trying: string } | { readonly done: unknown } | { readonly failed: string };

const WORKER = fileURLToPath(new URL('./suite-worker.mjs', import.meta.url));
const PATIENCE_MS = 60_000;

/** A process that obeys one order at a time. */
class Judge {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  /** The mutant that it was judging last. */
  #trying = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The mutants that were evaluated on loading. */
  async start(): Promise<{ readonly loaded: readonly string[] }> {
    this.#child = fork(WORKER, [this.#folder], { execArgv: [] });
    return (await this.#answer()) as { loaded: readonly string[] };
  }

  /** Whether it answered in time. What it was judging otherwise never returns, and is noted as caught. */
  async obey(order: object, note: (outcomes: Outcomes) => void): Promise<boolean> {
    if (this.#child === undefined) await this.start();
    this.#child?.send(order);
    const outcomes = (await this.#answer()) as Outcomes | null;
    note(outcomes ?? { [this.#trying]: 'caught' });
    return outcomes !== null;
  }

  #answer(): Promise<unknown> {
    const child = this.#child as ChildProcess;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.end();
        resolve(null);
      };
      let timer = setTimeout(giveUp, PATIENCE_MS);
      const listen = (message: Message): void => {
        clearTimeout(timer);
        if ('trying' in message) {
          this.#trying = message.trying;
          timer = setTimeout(giveUp, PATIENCE_MS);
          return;
        }
        child.off('message', listen);
        if ('done' in message) resolve(message.done);
        else reject(new Error(message.failed));
      };
      child.on('message', listen);
    });
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
