/** Sends the sequences of a run, and notes what was skipped. */

import { hash } from 'node:crypto';
import { lowerTo } from '../client/rate.ts';
import { type Answer, type Place, Skipped, type SuiteRequest } from '../client/request.ts';
import { TRIALS } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import type { Skip } from '../contract/skipped.ts';
import type { Ask, ExchangeTag } from '../exchange/exchange.ts';
import type { Independent, Sequence } from './sequence.ts';
import { type Course, MOST_TOGETHER, Session } from './session.ts';

const REJECTIONS: ReadonlySet<number | null> = new Set([401, 403, 429]);

function lockedOut(status: number | null, rate: number | null): string {
  if (status === 429) {
    return `the target is still rate-limiting this caller (status 429): try later, ${lowerTo(rate)}, set --credential-pause, or raise --max-wait`;
  }
  return `the target rejects the credential that it accepted before (status ${status}): it expired or was locked out; check PCS_ACCESS_TOKEN, set --credential-pause or raise --max-wait`;
}

/** A sequence whose first request is sent together with others: `value` is its answer, `reason` why there is none. */
interface Begun {
  readonly session: Session;
  request?: SuiteRequest;
  value?: Answer;
  reason?: unknown;
}

/** Sends the sequences of a run. */
export class Sender {
  readonly #run: Course;
  /** How often each sequence was sent, by its name. */
  readonly #attempts = new Map<string, number>();
  /** Rejections in a row of operations that accepted the credential before, and those of health checks among them. */
  #rejected = 0;
  #rejectedChecks = 0;

  constructor(run: Course) {
    this.#run = run;
  }

  /** Sends the requests of independent sequences together, then what their answers require, one at a time. */
  async sendTogether(sequences: readonly Sequence[]): Promise<void> {
    const all: Begun[] = [];
    for (const sequence of sequences) {
      const begun: Begun = { session: new Session(this.#run, this.#placeOf(sequence, 0)) };
      all.push(begun);
      try {
        this.#demandHarmless(sequence);
        begun.request = await (sequence.independent as Independent).request(begun.session);
      } catch (reason) {
        begun.reason = reason;
      }
    }
    const due = all.filter((begun): begun is Required<Begun> => begun.request !== undefined);
    const batch = due.map(({ session, request }) => [session, request] as const);
    for (const [at, answer] of (await Session.sendTogether(batch, false)).entries())
      Object.assign(due[at] ?? {}, answer);
    for (const [at, sequence] of sequences.entries()) await this.send(sequence, all[at]);
  }

  /** Sends a sequence once; `begun` if its first request was sent already. */
  async send(sequence: Sequence, begun?: Begun): Promise<void> {
    const { name, operation, asks, otherwise, calls = 0 } = sequence;
    const attempt = this.#attempts.get(name) ?? 0;
    this.#attempts.set(name, attempt + 1);
    if (attempt === 0) this.#run.state.callsAhead -= calls;
    const session = begun?.session ?? new Session(this.#run, this.#placeOf(sequence, attempt));
    try {
      if (begun === undefined) {
        this.#demandHarmless(sequence);
        await sequence.run(session);
      } else if (begun.request === undefined || begun.value === undefined) throw begun.reason;
      else await sequence.independent?.note?.(session, begun.value, begun.request);
      if (session.unsent !== null) this.#skip(sequence, asks, session.unsent.skip, attempt);
      const { asks: settled = asks, ...why } = otherwise ?? { asks: [] };
      const left = session.unasked(settled);
      if (left.length > 0) this.#skip(sequence, left, { reason: '', why: 'answered', ...why }, attempt);
    } catch (error) {
      if (!(error instanceof Skipped)) this.#run.broke({ sequence: name, operation, asks }, error);
      else this.#skip(sequence, asks, error.skip, attempt);
    } finally {
      this.#learnFatal(sequence, session);
      await this.#watch(name, session.answers);
    }
  }

  /** Sends a sequence once more, right after a read that shows that the sender is not locked out. */
  async sendAfterLockOut(sequence: Sequence): Promise<void> {
    const attempt = this.#attempts.get(sequence.name) ?? 0;
    await this.#healthCheck(this.#placeOf(sequence, attempt), 'a health check after a lock-out');
    await this.send(sequence);
  }

  /** Whether nothing was sent after that attempt at its sequence. */
  isLast({ sequence, attempt }: Pick<ExchangeTag, 'sequence' | 'attempt'>): boolean {
    return this.#attempts.get(sequence) === attempt + 1;
  }

  #placeOf({ name, operation, phase, form, calls = 0 }: Sequence, attempt: number): Place {
    return {
      sequence: name,
      operation,
      attempt,
      cleanUp: phase === 'restore',
      calls: { planned: calls, ahead: this.#run.state.callsAhead },
      ...(form === undefined ? {} : { form }),
    };
  }

  /** Notes a stimulus that took the target down twice, if other operations may read it with the same code. */
  #learnFatal({ phase, stimulus, operation }: Sequence, { answers }: Session): void {
    const isShared = phase === 'credentials' || phase === 'hazards';
    if (!isShared || stimulus === undefined || this.#run.state.fatal.has(stimulus)) return;
    const ofProbes = answers.filter(({ exchange: { tag } }) => tag.role === 'probe' && !tag.control);
    if (ofProbes.some(({ kind }) => kind === 'crashed')) this.#run.state.fatal.set(stimulus, operation);
  }

  /**
   * Throws if the same stimulus took the target down on another operation: a token that is not ASCII, sent to all 13
   * operations, caused 23 restarts.
   */
  #demandHarmless({ stimulus = '', operation }: Sequence): void {
    const fatalOn = this.#run.state.fatal.get(stimulus);
    if (fatalOn === undefined || fatalOn === operation) return;
    const remedy = `fix the crash on ${fatalOn}, and run again`;
    throw new Skipped(`${stimulus} crashed the target on ${fatalOn}`, { remedy });
  }

  #skip({ name, operation }: Sequence, asks: readonly Ask[], skip: Skip, attempt: number): void {
    // In a rerun the record may end before the run does.
    if (skip.why === 'stopped') this.#run.end(skip.reason);
    if (attempt === 0) this.#run.skip({ ...skip, sequence: name, operation, asks });
  }

  /** If the target no longer accepts the credential, or limits the caller for good, the run ends (model, section 5). */
  #learn({ status, accepted, exchange: { tag, request } }: Answer): void {
    if (request.credential !== 'valid') return;
    const operation = tag.operation ?? '';
    if (accepted) {
      this.#run.state.accepted.add(operation);
      this.#rejected = 0;
      this.#rejectedChecks = 0;
    }
    if (!REJECTIONS.has(status) || !this.#run.state.accepted.has(operation)) return;
    this.#rejected += 1;
    if (tag.role === 'health-check') this.#rejectedChecks += 1;
    if (this.#rejectedChecks >= TRIALS.rejectedChecks) this.#run.end(lockedOut(status, this.#run.client.limit.rate));
  }

  /** Several rejections in a row mean a strict target or an expired credential: a health check distinguishes them. */
  async #watch(sequence: string, answers: readonly Answer[]): Promise<void> {
    for (const answer of answers) this.#learn(answer);
    const isSuspicious = this.#rejected >= TRIALS.suspicious;
    if (isSuspicious) await this.#healthCheck({ sequence, attempt: 0 }, 'a health check after rejections');
  }

  async #healthCheck(place: Place, about: string): Promise<void> {
    const { client, builder, state } = this.#run;
    if (state.healthCheck === undefined) return;
    try {
      this.#learn(await client.send(builder.healthCheck(state.healthCheck, about), place));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
    }
  }
}

/** The sequences in groups that go out one after the other: independent neighbours together, any other alone. */
export function inBatches(sequences: readonly Sequence[]): readonly (readonly [Sequence, ...Sequence[]])[] {
  const batches: [Sequence, ...Sequence[]][] = [];
  for (const sequence of sequences) {
    const batch = batches.at(-1);
    const isBeside = sequence.independent !== undefined && batch?.[0].independent !== undefined;
    if (isBeside && batch.length < MOST_TOGETHER) batch.push(sequence);
    else batches.push([sequence]);
  }
  return batches;
}

/** Sequences in an order drawn from a text: lanes change places as a whole, and each keeps its own order. */
export function drawnOrder<Item extends Pick<Sequence, 'name' | 'lane'>>(
  sequences: readonly Item[],
  draw: string,
): readonly Item[] {
  const lanes = groupBy(sequences, ({ lane, name }) => hash('sha256', `${draw}\n${lane ?? name}`));
  return [...lanes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lane]) => lane);
}
