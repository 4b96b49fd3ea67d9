/** Judges a target: sends the plan and records what comes back. It knows nothing of test runners. */

import type { Client } from '../client/client.ts';
import { type NotedAnswer, Withheld } from '../client/stimulus.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { symptomOf } from '../verdict/answer.ts';
import { MOST_REPETITIONS, persistentSymptoms } from '../verdict/index.ts';
import { PREFLIGHT, type RunHeader, type RunRecord, type SuiteError, type WithheldNote } from '../verdict/record.ts';
import { Kit } from './kit.ts';
import { drawnOrder, runLanes } from './lanes.ts';
import { Memory } from './memory.ts';
import { type RunOptions, settingsPresent } from './options.ts';
import { type Plan, planRun, type Suite } from './plan.ts';
import type { Ports } from './ports.ts';
import { FIRST_READS, Preflight } from './preflight.ts';
import { runClient } from './run-client.ts';
import { Conversation, PHASES, type Phase, type Sequence } from './sequence.ts';
import { PULSE, Vitals } from './vitals.ts';

export type { Ports, RunSecret } from './ports.ts';

/** What is decided before the first request of a run with these options. */
export function headerOf(options: RunOptions, version: string): RunHeader {
  const { profile, without, only, strict, seed, runs } = options;
  const suite = { name: 'pcs-conformance', version };
  const target = shownUrl(options.baseUrl);
  return { suite, target, profile, without, only, strict, seed, runs, settings: settingsPresent(options) };
}

/** One run: its client, its plan and what it noted. */
class Run {
  readonly #options: RunOptions;
  readonly #ports: Ports;
  readonly #kit: Kit;
  readonly #plan: Plan;
  readonly #client: Client;
  readonly #memory = new Memory();
  readonly #exchanges: Exchange[] = [];
  readonly #withheld: WithheldNote[] = [];
  readonly #errors: SuiteError[] = [];
  readonly #confirmed = new Set<string>();
  readonly #vitals = new Vitals();
  #endedEarly: string | null = null;

  constructor(options: RunOptions, suites: readonly Suite[], ports: Ports, sequences?: readonly string[]) {
    this.#options = options;
    this.#ports = ports;
    // Of all sorts and middling length: a target may have rules for passwords.
    const secret = `Pc9${ports.random(8)}`;
    this.#kit = new Kit(options, secret);
    this.#plan = planRun(suites, this.#kit, sequences);
    this.#client = runClient(options, ports, secret, (exchange) => {
      this.#exchanges.push(exchange);
      ports.onExchange?.(exchange);
    });
    ports.onPlan?.(this.#plan);
  }

  async record(): Promise<RunRecord> {
    this.#ports.signal?.addEventListener('abort', () => this.#end('the run was interrupted'));
    if (this.#ports.signal?.aborted === true) this.#end('the run was interrupted');
    await this.#preflight();
    for (const phase of PHASES) {
      await this.#phase(phase);
      await this.#client.hangUp();
    }
    return {
      header: headerOf(this.#options, this.#ports.version),
      plan: this.#plan.cases,
      exchanges: this.#exchanges,
      withheld: this.#withheld,
      errors: this.#errors,
      endedEarly: this.#endedEarly,
      possiblyOpen: this.#client.slot.possiblyOpen,
      changed: [...new Set(this.#memory.changed)],
      calls: this.#client.slot.accepted,
    };
  }

  #end(reason: string): void {
    this.#endedEarly ??= reason;
    this.#client.stop(reason);
  }

  async #preflight(): Promise<void> {
    const preflight = new Preflight(shownUrl(this.#options.baseUrl));
    for (const id of FIRST_READS) {
      if (preflight.passed || this.#endedEarly !== null) return;
      const stimulus = this.#kit.control(id, {
        asks: [],
        step: `preflight ${id}`,
        about: 'a first look at the target',
      });
      try {
        const place = { sequence: `${PREFLIGHT}${id}`, attempt: 0 };
        const end = preflight.note(await this.#client.send({ ...stimulus, asks: [], control: false }, place));
        if (preflight.passed) this.#memory.pulse = id;
        if (end !== null) this.#end(end);
      } catch (error) {
        if (!(error instanceof Withheld)) throw error;
      }
    }
  }

  async #phase(phase: Phase): Promise<void> {
    const planned = this.#plan.sequences.filter((sequence) => sequence.phase === phase);
    const sequences = this.#options.drawnOrder === true ? drawnOrder(planned, this.#kit) : planned;
    const work = sequences.map((sequence) => ({ lane: sequence.lane, run: () => this.#sequence(sequence) }));
    await runLanes(work, this.#options.concurrency);
  }

  /** Runs a sequence, and again while it shows what a network could have forged (conformance model, section 5). */
  async #sequence(sequence: Sequence): Promise<void> {
    const { name, operation, serves } = sequence;
    const cleanUp = sequence.phase === 'restore';
    const attempts: (readonly Exchange[])[] = [];
    for (let attempt = 0; attempt <= MOST_REPETITIONS; attempt += 1) {
      const talk = new Conversation(this.#client, this.#kit, this.#memory, { sequence: name, attempt, cleanUp });
      try {
        await sequence.run(talk);
      } catch (error) {
        if (error instanceof Withheld) {
          const remedy = error.remedy === undefined ? {} : { remedy: error.remedy };
          if (attempt === 0)
            this.#withheld.push({ sequence: name, operation, serves, reason: error.message, ...remedy });
          return;
        }
        this.#errors.push({ sequence: name, operation, serves, message: sentenceOf(error) });
        return;
      } finally {
        await this.#feel(name, talk.answers);
      }
      attempts.push(talk.answers.map(({ exchange }) => exchange));
      const symptoms = unconfirmed(talk.answers, this.#confirmed);
      // A run that ended early cleans up once: who fell silent is not asked six times.
      if (symptoms.length === 0 || placedCall(talk.answers) || this.#endedEarly !== null) return;
      if (attempt === MOST_REPETITIONS)
        for (const symptom of persistentSymptoms(attempts)) this.#confirmed.add(symptom);
      else await this.#pulse(name, attempt);
    }
  }

  #note(answer: NotedAnswer): void {
    const end = this.#vitals.note(answer);
    if (end !== null) this.#end(end);
  }

  /** Several refusals in a row may be a strict target's, or a credential's that died: a control tells. */
  async #feel(sequence: string, answers: readonly NotedAnswer[]): Promise<void> {
    for (const answer of answers) this.#note(answer);
    if (this.#vitals.isSuspicious && this.#endedEarly === null) await this.#pulse(`${sequence}, refused`, 0);
  }

  /** A control between repetitions: is anybody there at all? */
  async #pulse(sequence: string, attempt: number): Promise<void> {
    const pulse = this.#kit.control(this.#memory.pulse, { step: PULSE, about: 'a control between repetitions' });
    try {
      this.#note(await this.#client.send({ ...pulse, asks: [] }, { sequence: `${sequence} (control)`, attempt }));
    } catch (error) {
      if (!(error instanceof Withheld)) throw error;
    }
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Symptoms of the deciding answers of an attempt that no repetition has confirmed yet. */
function unconfirmed(answers: readonly NotedAnswer[], confirmed: ReadonlySet<string>): readonly string[] {
  const symptoms = answers.map(({ exchange }) => symptomOf(exchange)).filter((symptom) => symptom !== null);
  return symptoms.filter((symptom) => !confirmed.has(symptom));
}

/** An accepted call is never repeated. */
function placedCall(answers: readonly NotedAnswer[]): boolean {
  return answers.some(({ exchange, accepted }) => exchange.tag.operation === 'createCall' && accepted);
}

/**
 * Judges a target: plans, sends, records. Sends the named sequences alone where any are named. Throws `PlanError` for a
 * filter that names nothing, before any request.
 */
export async function runSuites(
  options: RunOptions,
  suites: readonly Suite[],
  ports: Ports,
  sequences?: readonly string[],
): Promise<RunRecord> {
  return new Run(options, suites, ports, sequences).record();
}
