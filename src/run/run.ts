/** Sends the plan to a target and records what comes back. It knows nothing of test runners. */

import { type Client, DOUBT_CHECK } from '../client/client.ts';
import { MARK } from '../client/learned.ts';
import type { SuiteRequest } from '../client/request.ts';
import { SHOWN, TRIALS } from '../contract/limits.ts';
import type { Skip } from '../contract/skipped.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { LOCK_OUT_REMEDY, lockOutsIn, longestLockOut, rejectionsInLockOuts } from '../verdict/lock-out.ts';
import type { RunHeader, RunInputs, RunRecord, SkippedNote, SuiteError } from '../verdict/record.ts';
import { RequestBuilder } from './builder.ts';
import { Exploration } from './exploration.ts';
import type { RestoredUpdate } from './journal.ts';
import { headerOf, inputsOf, type RunOptions } from './options.ts';
import { demandCalls, type Plan, planRun } from './plan.ts';
import { type Ports, RunEnd } from './ports.ts';
import { recognition } from './preflight.ts';
import type { Suite } from './requirement.ts';
import { clientOf, inboundSecret, redactionOf } from './run-client.ts';
import { drawnOrder, inBatches, Sender } from './sender.ts';
import { PHASES, type Phase, type Sequence } from './sequence.ts';
import type { Course } from './session.ts';
import { type Facts, RunState } from './state.ts';
import { clearedSentences, WriteLedger } from './written.ts';

/** One sentence for each mark of another run: the names that it wrote, and did not restore yet (conformance model, section 7). */
function sentencesOnMarks(shown: Iterable<string>, { trunk, application }: Facts): readonly string[] {
  // The names as they were before this run.
  const names = [trunk?.['name'], application?.['name']].flatMap((name) => String(name ?? '').match(MARK) ?? []);
  const marks = [...new Set([...shown, ...names])].sort().slice(0, SHOWN.first);
  return marks.map((mark) => `the target shows the mark "${mark}": another run is active, or one was killed`);
}

/** One run: its client, its plan and its notes. Throws `UsageError` for a filter that names nothing. */
export class Run implements Course {
  readonly header: RunHeader;
  readonly inputs: RunInputs;
  readonly plan: Plan;
  readonly client: Client;
  readonly builder: RequestBuilder;
  readonly #options: RunOptions;
  readonly #ports: Ports;
  readonly #state = new RunState();
  readonly #sender = new Sender(this, this.#state);
  readonly #exchanges: Exchange[] = [];
  readonly #exploration: Exploration;
  readonly #otherMarks = new Set<string>();
  readonly #skipped: SkippedNote[] = [];
  readonly #errors: SuiteError[] = [];
  #endedEarly: string | null = null;
  #ledger: WriteLedger | null = null;
  readonly #startedAt: number;

  constructor(options: RunOptions, suite: Suite, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    this.#startedAt = Math.round(ports.startedAt ?? ports.clock.now());
    const secret = ports.secret ?? inboundSecret(options, ports);
    this.builder = new RequestBuilder(options, secret, suite.requirements);
    this.plan = planRun(suite, this.builder);
    demandCalls(this.plan, options);
    this.#state.callsAhead = this.plan.calls;
    this.#exploration = new Exploration({
      exchanges: this.#exchanges,
      requirements: suite.requirements,
      recorded: () => this.#recorded(),
      isOver: () => this.isOver || this.#exchanges.length >= options.maxRequests,
    });
    this.client = clientOf(options, ports, secret, {
      onExchange: (exchange) => this.#keep(exchange),
      check: () => this.#check(),
      broke: ({ request: { operation, asks }, place: { sequence } }, error) =>
        this.broke({ sequence, operation: operation ?? 'undocumented', asks }, error),
    });
    this.header = headerOf(options, ports.version);
    const gatewayHeaders = (ports.extraHeaders ?? []).map(([name]) => name);
    this.inputs = ports.inputs ?? inputsOf(options, redactionOf(options, ports, secret), gatewayHeaders);
    this.#skipped.push(...this.plan.lacking);
  }

  #check(): SuiteRequest | null {
    const { healthCheck } = this.#state;
    return healthCheck === undefined ? null : this.builder.healthCheck(healthCheck, DOUBT_CHECK);
  }

  #keep(exchange: Exchange): void {
    const { tag, response } = exchange;
    if (response?.learned?.trunk !== undefined) this.builder.noteListedTrunk(response.learned.trunk);
    for (const mark of response?.learned?.marks ?? []) {
      // Every run with the same seed has our mark. Before the preflight is over, nothing was written, so it is not ours there.
      if (mark !== this.builder.mark || tag.role === 'preflight') this.#otherMarks.add(mark);
    }
    this.#exchanges.push(exchange);
    this.#ports.onExchange?.(exchange);
  }

  /** Sends the plan, and resolves with everything that came of it. */
  async record(): Promise<RunRecord> {
    const { signal } = this.#ports;
    const interrupt = (): void =>
      this.end(signal?.reason instanceof RunEnd ? signal.reason.message : 'the run was interrupted');
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted === true) interrupt();
    await this.#guarded('preflight', () => this.#preflight());
    for (const phase of PHASES) {
      await this.#guarded(phase, () => this.#phase(phase));
      await this.#guarded('hang-up', () => this.client.hangUp());
    }
    await this.#guarded('hang-up', () => this.client.closeRemaining());
    signal?.removeEventListener('abort', interrupt);
    return this.#recorded(clearedSentences(this.#exchanges, this.#options.resources.trunk));
  }

  /** The updates of which the run restored something, or had nothing to restore. */
  get restored(): readonly RestoredUpdate[] {
    return this.#state.restoredUpdates;
  }

  #recorded(cleared: readonly string[] = []): RunRecord {
    const { unplanned, openCalls } = this.client.ledger;
    const { changed, stillChanged: unrestored, facts } = this.#state;
    const waits = this.client.budget.waited;
    return {
      header: this.header,
      inputs: this.inputs,
      plan: this.plan.cases,
      exchanges: this.#exchanges,
      skipped: this.#skipped,
      errors: this.#errors,
      endedEarly: this.#endedEarly,
      possiblyOpen: this.client.ledger.possiblyOpen,
      ...(openCalls.length === 0 ? {} : { openCalls }),
      changed: [...changed, ...cleared, ...sentencesOnMarks(this.#otherMarks, facts)].sort(),
      ...(unrestored.length === 0 ? {} : { unrestored }),
      startedAt: this.#startedAt,
      ...(waits.length === 0 ? {} : { waits }),
      calls: this.client.ledger.dialled,
      ...(unplanned === 0 ? {} : { unplannedCalls: unplanned }),
    };
  }

  get isOver(): boolean {
    return this.#endedEarly !== null;
  }

  get ledger(): WriteLedger {
    this.#ledger ??= new WriteLedger(this.#exchanges);
    return this.#ledger;
  }

  end(reason: string): void {
    this.#endedEarly ??= reason;
    this.client.admission.stop(reason);
  }

  skip(note: SkippedNote): void {
    this.#skipped.push(note);
  }

  broke(where: Omit<SuiteError, 'message'>, error: unknown): void {
    this.#errors.push({ ...where, message: sentenceOf(error) });
    this.end('the suite itself broke');
  }

  /** An error of ours ends the run, but not the clean-up. */
  async #guarded(sequence: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.broke({ sequence, operation: 'undocumented', asks: [] }, error);
    }
  }

  async #preflight(): Promise<void> {
    const known = await recognition(this.builder, this.client, this.inputs.gatewayHeaders.length > 0);
    if (known !== null && 'end' in known) return this.end(known.end);
    this.client.admission.open();
    if (known === null) return;
    this.#state.note({ healthCheck: known.healthCheck });
    this.#state.accepted.add(known.healthCheck);
  }

  async #phase(phase: Phase): Promise<void> {
    const planned = this.plan.sequences.filter((sequence) => sequence.phase === phase);
    const { drawnOrder: draw } = this.#options;
    const sequences = draw === undefined ? planned : drawnOrder(planned, draw);
    const putOff = new Set<Sequence>();
    for (const batch of inBatches(sequences)) {
      const due = batch.filter((one) => !this.#isPutOff(one, sequences));
      for (const one of batch) if (!due.includes(one)) putOff.add(one);
      const isTogether = due.length > 1 && !this.#state.isOneByOne;
      if (isTogether) await this.#guarded(batch[0].name, () => this.#sender.sendTogether(due));
      else for (const one of due) await this.#guarded(one.name, () => this.#planned(one));
    }
    this.#ledger = null;
    if (phase !== 'exploration') await this.#afterLockOuts(sequences, putOff);
  }

  /** Whether an invalid credential is put off, since its lane has met a lock-out: it could bring about the next one. */
  #isPutOff({ stimulus, phase, lane }: Sequence, sequences: readonly Sequence[]): boolean {
    if (phase !== 'credentials' || stimulus === undefined) return false;
    // Each request that met a lock-out was sent again.
    if (!this.#exchanges.some(({ tag }) => tag.replaces !== undefined)) return false;
    const names = new Set(sequences.filter((one) => one.lane === lane).map(({ name }) => name));
    return lockOutsIn(this.#exchanges.filter(({ tag }) => names.has(tag.sequence))).length > 0;
  }

  /**
   * What was put off, or asked during a lock-out, is asked one sequence at a time, each after a read with the valid
   * credential: what follows such a read at once is not locked out. Of `--max-wait` as much is left as a lock-out takes.
   */
  async #afterLockOuts(sequences: readonly Sequence[], putOff: ReadonlySet<Sequence>): Promise<void> {
    for (let round = 0; round < TRIALS.rule; round += 1) {
      const rejections = [...rejectionsInLockOuts(this.#exchanges)].filter(({ tag }) => this.#sender.isLast(tag));
      const locked = new Set(rejections.map(({ tag }) => tag.sequence));
      const isDue = (one: Sequence): boolean => (round === 0 && putOff.has(one)) || locked.has(one.name);
      const due = sequences.filter(isDue);
      if (due.length === 0) return;
      for (const one of due) {
        const isOut =
          this.isOver ||
          longestLockOut(this.#exchanges) > this.client.budget.left({ isCleanUp: false, operation: null });
        // A credential that is rejected to the end has expired, perhaps: then the end of the run is the reason.
        const why: Skip = this.#endedEarly === null ? LOCKED_OUT : { reason: this.#endedEarly, why: 'stopped' };
        if (isOut && putOff.has(one)) this.#skipped.push({ ...noteOf(one), ...why });
        if (!isOut) await this.#guarded(one.name, () => this.#sender.sendAfterLockOut(one));
      }
      this.#ledger = null;
    }
  }

  #planned(sequence: Sequence): Promise<void> {
    const send = (one: Sequence): Promise<void> => this.#sender.send(one);
    return sequence.walk === undefined ? send(sequence) : this.#exploration.walk(sequence, sequence.walk, send);
  }
}

const noteOf = ({ name, operation, asks }: Sequence) => ({ sequence: name, operation, asks });

/** Why an invalid credential that was put off is not sent. */
const LOCKED_OUT: Skip = {
  reason: 'the target locks out the sender of invalid credentials',
  why: 'limit',
  remedy: LOCK_OUT_REMEDY,
};

/** The message of an error. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
