/** Sends the plan to a target and records what comes back. It knows nothing of test runners. */

import type { Client } from '../client/client.ts';
import { MARK } from '../client/learned.ts';
import type { SuiteRequest } from '../client/request.ts';
import { SHOWN, TIME, TRIALS } from '../contract/limits.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isAccepted } from '../verdict/answer.ts';
import type { RunHeader, RunInputs } from '../verdict/header.ts';
import { Judgements, type RunRecord, type SkippedNote, type SuiteError } from '../verdict/record.ts';
import { RequestBuilder } from './builder.ts';
import { Exploration } from './exploration.ts';
import { inputsOf, type RunOptions, runHeader } from './options.ts';
import { demandCalls, type Plan, planRun } from './plan.ts';
import { type Ports, RunEnd } from './ports.ts';
import { firstReads, recognition } from './preflight.ts';
import type { Suite } from './requirement.ts';
import { clientOf, inboundSecret, redactionOf } from './run-client.ts';
import { drawnOrder, inBatches, Sender } from './sender.ts';
import { PHASES, type Phase, type Sequence } from './sequence.ts';
import type { Course } from './session.ts';
import { type Facts, RunState } from './state.ts';
import { clearedSentences, renamedSentences, WriteLedger } from './written.ts';

/** A sentence for each mark of another run: names that it wrote and did not restore (conformance model, section 7). */
function sentencesOnMarks(exchanges: readonly Exchange[], ours: string, { trunk, application }: Facts) {
  // Every run with the same seed has our mark: if it was there before this run, the values before the run contain it.
  const shown = exchanges.flatMap(({ response }) => response?.learned?.marks ?? []).filter((mark) => mark !== ours);
  const names = [trunk?.['name'], application?.['name']].flatMap((name) => String(name ?? '').match(MARK) ?? []);
  const marks = [...new Set([...shown, ...names])].sort().slice(0, SHOWN.first);
  return marks.map((mark) => `the target shows the mark "${mark}": another run is active, or one was killed`);
}

/** One run: its client, its plan and its notes. Throws `UsageError` for a filter that names nothing. */
export class RunInProgress implements Course {
  readonly header: RunHeader;
  readonly inputs: RunInputs;
  readonly plan: Plan;
  readonly client: Client;
  readonly builder: RequestBuilder;
  readonly #ports: Ports;
  readonly state = new RunState();
  readonly #sender = new Sender(this);
  readonly #exchanges: Exchange[] = [];
  readonly #exploration: Exploration;
  readonly judgements = new Judgements();
  readonly #skipped: SkippedNote[] = [];
  readonly #errors: SuiteError[] = [];
  #endedEarly: string | null = null;
  readonly ledger = new WriteLedger();
  readonly #startedAt: number;

  readonly #keep = (exchange: Exchange): void => {
    const { tag, response } = exchange;
    if (response?.learned?.trunk !== undefined) this.builder.noteListedTrunk(response.learned.trunk);
    // A different read was accepted as a health check, and is used from now on.
    if (tag.role === 'health-check' && isAccepted(exchange))
      this.state.note({ healthCheck: tag.operation as OperationId });
    this.#exchanges.push(exchange);
    this.ledger.learn(exchange);
    this.#ports.onExchange?.(exchange);
  };

  constructor(options: RunOptions, suite: Suite, ports: Ports) {
    this.#ports = ports;
    this.#startedAt = Math.round(ports.startedAt ?? ports.clock.now());
    const secret = ports.secret ?? inboundSecret(options, ports);
    this.builder = new RequestBuilder(options, secret, suite.requirements);
    this.plan = planRun(suite, this.builder);
    demandCalls(this.plan, options);
    this.state.callsAhead = this.plan.calls;
    this.#exploration = new Exploration({
      exchanges: this.#exchanges,
      requirements: suite.requirements,
      recorded: () => this.#recorded(),
      isOver: () => this.isOver || this.#exchanges.length >= options.maxRequests,
    });
    this.client = clientOf(options, ports, secret, {
      onExchange: this.#keep,
      check: (avoided) => this.#check(avoided),
      onGone: (reason) => this.end(reason),
      validCall: () => this.#validCall(),
      broke: ({ request: { operation, asks }, place: { sequence } }, error) =>
        this.broke({ sequence, operation: operation ?? 'undocumented', asks }, error),
    });
    this.header = runHeader(options, ports.version);
    const gatewayHeaders = (ports.extraHeaders ?? []).map(([name]) => name);
    this.inputs = ports.inputs ?? inputsOf(options, redactionOf(options, ports, secret), gatewayHeaders);
    this.#skipped.push(...this.plan.lacking);
  }

  /** A read that shows whether the target is up; if `avoided` is that read, another one, preferring accepted reads. */
  #check(avoided: string | null = null): SuiteRequest | null {
    const { healthCheck, accepted } = this.state;
    if (healthCheck === undefined) return null;
    const reads = firstReads(this.builder.options).filter((id) => id !== avoided);
    const read = reads.find((id) => accepted.has(id)) ?? reads[0] ?? healthCheck;
    const about = 'a health check after an answer that may be about the target as a whole';
    return this.builder.healthCheck(healthCheck === avoided ? read : healthCheck, about);
  }

  #validCall(): SuiteRequest | null {
    const json = this.state.bases.get('createCall');
    const about = 'a valid call, since the outcome of those before is unknown';
    return json === undefined
      ? null
      : this.builder.request('createCall', { json, role: 'occasion', about, control: true });
  }

  /** Sends the plan, and resolves with the record. */
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
    const { trunk } = this.builder.options.resources;
    return this.#recorded([
      ...clearedSentences(this.#exchanges, trunk),
      ...renamedSentences(this.#exchanges, trunk),
      ...sentencesOnMarks(this.#exchanges, this.builder.mark, this.state.facts),
    ]);
  }

  /** The record so far; at the end, also what its exchanges show about the target. */
  #recorded(shown: readonly string[] = []): RunRecord {
    const { unplanned, possiblyOpen, mayBeOpen } = this.client.ledger;
    const { restoredUpdates, stillChanged: unrestored } = this.state;
    const changed = restoredUpdates.flatMap(({ left }) => left);
    const waits = this.client.budget.waited;
    const { facts: settled } = this.client.settlements;
    return {
      header: this.header,
      inputs: this.inputs,
      plan: this.plan.cases,
      exchanges: this.#exchanges,
      skipped: this.#skipped,
      errors: this.#errors,
      endedEarly: this.#endedEarly,
      possiblyOpen: possiblyOpen.map(({ sentence }) => sentence),
      ...(possiblyOpen.length === 0 ? {} : { openCalls: possiblyOpen.map(({ seq, known }) => ({ seq, known })) }),
      changed: [...changed, ...shown].sort(),
      ...(unrestored.length === 0 ? {} : { unrestored }),
      startedAt: this.#startedAt,
      ...(waits.length === 0 ? {} : { waits }),
      ...(Object.keys(settled).length === 0 ? {} : { settled }),
      calls: this.client.ledger.dialled,
      ...(unplanned === 0 ? {} : { unplannedCalls: unplanned }),
      ...(mayBeOpen === 0 ? {} : { mayBeOpen }),
      judgements: this.judgements,
    };
  }

  get isOver(): boolean {
    return this.#endedEarly !== null;
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

  /** An error of the suite ends the run, but not the clean-up. */
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
    this.state.note({ healthCheck: known.healthCheck });
    this.state.accepted.add(known.healthCheck);
  }

  async #phase(phase: Phase): Promise<void> {
    const planned = this.plan.sequences.filter((sequence) => sequence.phase === phase);
    const { drawnOrder: draw } = this.builder.options;
    const sequences = draw === undefined ? planned : drawnOrder(planned, draw);
    for (const batch of inBatches(sequences)) {
      const isTogether = batch.length > 1 && !this.state.isOneByOne;
      if (isTogether) await this.#guarded(batch[0].name, () => this.#sender.sendTogether(batch));
      else for (const sequence of batch) await this.#guarded(sequence.name, () => this.#send(sequence));
    }
    if (phase !== 'exploration') await this.#afterLockOuts(sequences);
  }

  /**
   * Questions that met a lock-out are asked again, one sequence at a time, each right after a read with the valid
   * credential: a request right after an accepted read is not locked out.
   */
  async #afterLockOuts(sequences: readonly Sequence[]): Promise<void> {
    // Without budget for another lock-out nothing is restored: three lawful services kept a name and a secret of ours.
    const isCovered = (): boolean => this.client.budget.left({ isCleanUp: false, operation: null }) >= TIME.wait;
    for (let round = 0; round < TRIALS.rule && isCovered(); round += 1) {
      const explained = new Set(this.client.settlements.lockOuts.explained);
      const rejected = this.#exchanges.filter(({ seq, tag }) => explained.has(seq) && this.#sender.isLast(tag));
      const names = new Set(rejected.map(({ tag }) => tag.sequence));
      const due = sequences.filter(({ name }) => names.has(name));
      if (due.length === 0) return;
      for (const sequence of due)
        if (!this.isOver && isCovered())
          await this.#guarded(sequence.name, () => this.#sender.sendAfterLockOut(sequence));
    }
  }

  #send(sequence: Sequence): Promise<void> {
    const { walk } = sequence;
    if (walk === undefined) return this.#sender.send(sequence);
    return this.#exploration.walk({ ...sequence, walk }, (smaller) => this.#sender.send(smaller));
  }
}

/** The message of an error. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
