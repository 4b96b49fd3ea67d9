/** Sends the plan to a target and records what comes back. It knows nothing of test runners. */

import type { Client } from '../client/client.ts';
import { MARK } from '../client/learned.ts';
import type { Skip } from '../contract/skipped.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { LOCK_OUT_REMEDY, lockOutsIn, rejectionsInLockOuts, waitsForLockOuts } from '../verdict/lock-out.ts';
import type { RunInputs, RunRecord, SkippedNote, SuiteError } from '../verdict/record.ts';
import { RequestBuilder } from './builder.ts';
import { clearedSentences } from './cleared.ts';
import { Exploration, keepsEveryWalk } from './exploration.ts';
import { inboundSecret } from './inbound-secret.ts';
import { drawnOrder, Health, inLane, Lane, type LaneRun, lanesOf, sideBySide } from './lane.ts';
import { headerOf, inputsOf, type RunOptions } from './options.ts';
import { LONGEST_OUTAGE, OutageLock } from './outage.ts';
import { type Plan, planRun } from './plan.ts';
import { type Ports, RunEnd } from './ports.ts';
import { recognition } from './preflight.ts';
import type { Suite } from './requirement.ts';
import { clientOf, redactionOf } from './run-client.ts';
import { PHASES, type Phase, type Sequence } from './sequence.ts';
import { type Facts, RunState } from './state.ts';
import { WriteLedger } from './written.ts';

/** Calls that are left to what comes after create calls side by side: the closing control and invalid credentials. */
const CALLS_KEPT = 2;

/** A hostile target may show any number of marks. */
const MOST_NAMED = 3;

/** Collects the marks of other runs: the names that they wrote, and did not restore yet (conformance model, section 7). */
class OtherRuns {
  readonly #own: string;
  readonly #marks = new Set<string>();

  /** `own`: the mark of this run, which every run with the same seed has. */
  constructor(own: string) {
    this.#own = own;
  }

  /** The preflight comes before anything is written, so that even a mark like our own is not of this run there. */
  note({ tag, response }: Exchange): void {
    for (const mark of response?.learned?.marks ?? []) {
      if (mark !== this.#own || tag.role === 'preflight') this.#marks.add(mark);
    }
  }

  /** One sentence for each mark; `facts` hold the names as they were before this run. */
  sentences({ trunk, application }: Facts): readonly string[] {
    const names = [trunk?.['name'], application?.['name']].flatMap((name) => String(name ?? '').match(MARK) ?? []);
    const marks = [...new Set([...this.#marks, ...names])].sort().slice(0, MOST_NAMED);
    return marks.map((mark) => `the target shows the mark "${mark}": another run is active, or one was killed`);
  }
}

/** One run: its client, its plan and its notes. */
class Run {
  readonly #options: RunOptions;
  readonly #ports: Ports;
  readonly #builder: RequestBuilder;
  readonly #plan: Plan;
  readonly #client: Client;
  readonly #otherRuns: OtherRuns;
  readonly #inputs: RunInputs;
  readonly #state = new RunState();
  readonly #outageLock = new OutageLock();
  #accepted: readonly string[] = [];
  #heavy = 0;
  #confirmed: readonly string[] = [];
  readonly #exchanges: Exchange[] = [];
  readonly #exploration: Exploration;
  readonly #skipped: SkippedNote[] = [];
  readonly #errors: SuiteError[] = [];
  #endedEarly: string | null = null;

  constructor(options: RunOptions, suite: Suite, ports: Ports, sequences?: readonly string[]) {
    this.#options = options;
    this.#ports = ports;
    const secret = ports.secret ?? inboundSecret(options, ports);
    this.#builder = new RequestBuilder(options, secret, suite.requirements);
    this.#plan = planRun(suite, this.#builder, sequences);
    this.#otherRuns = new OtherRuns(this.#builder.mark);
    this.#exploration = new Exploration({
      exchanges: this.#exchanges,
      requirements: suite.requirements,
      recorded: () => this.#recorded(),
      report: (exchange) => ports.onExchange?.(exchange),
      forgot: (requests) => ports.onForgotten?.(requests),
      isOver: () => this.#endedEarly !== null || this.#exploration.sent >= options.maxRequests,
      clock: ports.clock,
      time: options.exploreTime ?? Number.POSITIVE_INFINITY,
    });
    this.#client = clientOf(options, ports, secret, (exchange) => {
      this.#otherRuns.note(exchange);
      this.#exploration.note(exchange);
    });
    this.#inputs =
      ports.inputs ?? inputsOf(options, redactionOf(options, ports, secret), gatewayNames(ports), sequences);
    this.#skipped.push(...this.#plan.lacking);
    ports.onPlan?.(this.#plan, this.#inputs);
  }

  async record(): Promise<RunRecord> {
    const { signal } = this.#ports;
    const interrupt = (): void =>
      this.#end(signal?.reason instanceof RunEnd ? signal.reason.message : 'the run was interrupted');
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted === true) interrupt();
    await this.#guarded('preflight', () => this.#preflight());
    for (const phase of PHASES) {
      await this.#guarded(phase, () => this.#phase(phase));
      await this.#guarded('hang-up', () => this.#client.hangUp());
    }
    await this.#guarded('hang-up', () => this.#client.closeRemaining());
    signal?.removeEventListener('abort', interrupt);
    this.#state.changed.set('cleared', clearedSentences(this.#exchanges, this.#options.resources.trunk));
    this.#ports.onRestored?.(this.#state.restoredUpdates());
    return this.#recorded();
  }

  #recorded(): RunRecord {
    const { forgotten } = this.#exploration;
    const { unplanned } = this.#client.ledger;
    return {
      header: headerOf(this.#options, this.#ports.version),
      inputs: this.#inputs,
      plan: this.#plan.cases,
      exchanges: this.#exchanges,
      skipped: this.#skipped,
      errors: this.#errors,
      endedEarly: this.#endedEarly,
      possiblyOpen: this.#client.ledger.possiblyOpen,
      changed: [...[...this.#state.changed.values()].flat(), ...this.#otherRuns.sentences(this.#state.facts)].sort(),
      calls: this.#client.ledger.placed,
      ...(unplanned === 0 ? {} : { unplannedCalls: unplanned }),
      ...(forgotten === 0 ? {} : { forgotten }),
    };
  }

  #end(reason: string): void {
    this.#endedEarly ??= reason;
    this.#client.admission.stop(reason);
  }

  /** An error of ours ends the run, but not the clean-up. */
  async #guarded(sequence: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#broke({ sequence, operation: 'undocumented', asks: [] }, error);
    }
  }

  #broke(where: Omit<SuiteError, 'message'>, error: unknown): void {
    this.#errors.push({ ...where, message: sentenceOf(error) });
    this.#end('the suite itself broke');
  }

  async #preflight(): Promise<void> {
    const known = await recognition(this.#builder, this.#client, this.#inputs.gatewayHeaders.length > 0);
    if (known !== null && 'end' in known) return this.#end(known.end);
    this.#client.admission.open();
    if (known === null) return;
    this.#state.note({ healthCheck: known.healthCheck });
    this.#accepted = [known.healthCheck];
  }

  /** Lanes share nothing within a phase; what they learned comes together at its end, in the order of the plan. */
  async #phase(phase: Phase): Promise<void> {
    const planned = this.#plan.sequences.filter((sequence) => sequence.phase === phase);
    // What the phases before learned stays known where a filter leaves this one empty.
    if (planned.length === 0) return;
    const { drawnOrder: draw } = this.#options;
    const sequences = draw === undefined ? planned : drawnOrder(planned, draw);
    const base = this.#state.fork();
    const putOff = new Set<Sequence>();
    // In a certification one lane follows the other, so that its order is that of the draw.
    const width = draw === undefined ? this.#options.concurrency : 1;
    const lanes = await sideBySide(lanesOf(sequences), width, async (own) => {
      const lane = this.#lane(base);
      // A target may accept each of them, and later questions need calls, too.
      const callsLeft = (): number => this.#client.ledger.left - CALLS_KEPT;
      const names = new Set(own.map(({ name }) => name));
      const send = async (first: Sequence, ...others: readonly Sequence[]): Promise<void> => {
        if (others.length > 0) await lane.sendBeside([first, ...others]);
        else if (this.#isPutOff(first, names)) putOff.add(first);
        else await this.#planned(first, lane);
      };
      await inLane(own, callsLeft, (first, ...others) => this.#guarded(first.name, () => send(first, ...others)));
      return lane;
    });
    this.#absorb(lanes, base);
    if (phase !== 'exploration') await this.#afterLockOuts(sequences, putOff);
  }

  #absorb(lanes: readonly Lane[], base: RunState): void {
    for (const { state } of lanes) this.#state.absorb(state, base);
    const before = this.#heavy;
    for (const { health } of lanes) this.#heavy += health.heavy - before;
    this.#accepted = [...new Set(lanes.flatMap(({ health }) => [...health.accepted]))];
    this.#confirmed = [...new Set(lanes.flatMap(({ confirmed }) => [...confirmed]))];
  }

  /** Whether an invalid credential is put off, since its lane has met a lock-out: it could bring about the next one. */
  #isPutOff({ stimulus = '' }: Sequence, lane: ReadonlySet<string>): boolean {
    const isInvalid = stimulus.startsWith('credential');
    return isInvalid && lockOutsIn(this.#exchanges.filter(({ tag }) => lane.has(tag.sequence))).length > 0;
  }

  /**
   * What was put off, or asked during a lock-out, is asked one sequence at a time, each after a read with the valid
   * credential: what follows such a read at once is not locked out. Of `--max-wait` as much is left as a lock-out takes.
   */
  async #afterLockOuts(sequences: readonly Sequence[], putOff: ReadonlySet<Sequence>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const locked = new Set(
        [...rejectionsInLockOuts(this.#exchanges)].map(({ tag }) => `${tag.sequence} ${tag.attempt}`),
      );
      const attempts = this.#attempts();
      const isDue = (one: Sequence): boolean =>
        (round === 0 && putOff.has(one)) || locked.has(`${one.name} ${(attempts.get(one.name) ?? 0) - 1}`);
      const due = sequences.filter(isDue);
      if (due.length === 0) return;
      const base = this.#state.fork();
      const lane = this.#lane(base);
      for (const one of due) {
        const { total, longest } = waitsForLockOuts(this.#exchanges);
        const isLong = total + longest > this.#options.maxWait;
        if (isLong && putOff.has(one)) this.#skipped.push({ ...noteOf(one), ...LOCKED_OUT });
        if (!isLong) await this.#guarded(one.name, () => lane.sendAfterLockOut(one, attempts.get(one.name) ?? 0));
      }
      this.#absorb([lane], base);
    }
  }

  /** How often each sequence was sent, by its name. */
  #attempts(): ReadonlyMap<string, number> {
    const attempts = new Map<string, number>();
    for (const { tag } of this.#exchanges) {
      attempts.set(tag.sequence, Math.max(attempts.get(tag.sequence) ?? 0, tag.attempt + 1));
    }
    return attempts;
  }

  #ledger({ lost }: RunState): WriteLedger {
    const ledger = new WriteLedger(this.#exchanges, [], !keepsEveryWalk(this.#options));
    for (const write of lost.values()) ledger.noteUnknown(write);
    return ledger;
  }

  #planned(sequence: Sequence, lane: Lane): Promise<void> {
    const send = (one: Sequence): Promise<void> => lane.send(one);
    return sequence.walk === undefined ? send(sequence) : this.#exploration.walk(sequence, sequence.walk, send);
  }

  #lane(base: RunState): Lane {
    let ledger: WriteLedger | null = null;
    const patience = Math.min(this.#options.maxWait, LONGEST_OUTAGE);
    const run: LaneRun = {
      client: this.#client,
      builder: this.#builder,
      outageLock: this.#outageLock,
      kept: this.#plan.kept,
      calls: this.#plan.calls,
      sleep: (milliseconds) => {
        this.#ports.onWait?.(milliseconds, null, patience);
        return this.#ports.clock.sleep(milliseconds);
      },
      rest: (milliseconds) => this.#ports.clock.rest(milliseconds),
      ledger: () => {
        ledger ??= this.#ledger(base);
        return ledger;
      },
      patience,
      isOver: () => this.#endedEarly !== null,
      end: (reason) => this.#end(reason),
      // In a rerun, the record may end before this run does.
      stopped: (reason) => {
        this.#endedEarly ??= reason;
      },
      skipped: (note) => this.#skipped.push(note),
      broke: (where, error) => this.#broke(where, error),
    };
    return new Lane(run, base.fork(), new Health(this.#accepted, this.#heavy), this.#confirmed);
  }
}

const gatewayNames = ({ extraHeaders = [] }: Ports): readonly string[] => extraHeaders.map(([name]) => name);

const noteOf = ({ name, operation, asks }: Sequence) => ({ sequence: name, operation, asks });

/** Why an invalid credential that was put off is not sent. */
const LOCKED_OUT: Skip = {
  reason: 'the target locks out the sender of invalid credentials',
  why: 'limit',
  remedy: LOCK_OUT_REMEDY,
};

/** Number of times that what was locked out is asked again. */
const MOST_ROUNDS = 3;

/** The message of an error. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Judges a target: plans, sends, records. If sequences are named, sends only those. Throws `UsageError` for a filter
 * that names nothing, before any request.
 */
export async function runSuites(
  options: RunOptions,
  suite: Suite,
  ports: Ports,
  sequences?: readonly string[],
): Promise<RunRecord> {
  return new Run(options, suite, ports, sequences).record();
}
