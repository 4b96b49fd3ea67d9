/** Judges a target: sends the plan and records what comes back. It knows nothing of test runners. */

import { symptomOf } from '../checks/answer.ts';
import { MOST_REPETITIONS } from '../checks/index.ts';
import { CallSlot } from '../client/call-slot.ts';
import { Client } from '../client/client.ts';
import { IdRegister } from '../client/id-register.ts';
import { type Clock, Pacer } from '../client/pacing.ts';
import { type Answer, Withheld } from '../client/stimulus.ts';
import type { ResourceKind } from '../contract/operations.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Transport } from '../http/message.ts';
import type { RecorderContext } from '../http/recorder.ts';
import { Kit } from './kit.ts';
import { runLanes } from './lanes.ts';
import { Memory } from './memory.ts';
import { type RunOptions, settingsPresent } from './options.ts';
import { type Plan, planRun, type Suite } from './plan.ts';
import { FIRST_READS, Preflight } from './preflight.ts';
import type { RunHeader, RunRecord, SuiteError, WithheldNote } from './record.ts';
import { Conversation, PHASES, type Phase, type Sequence } from './sequence.ts';

/** What a run needs of the world. */
export interface Ports {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Hexadecimal digits from the system's random source, for what must not follow from the seed. */
  readonly random: (bytes: number) => string;
  readonly recorder: (secrets: readonly RunSecret[]) => RecorderContext;
  readonly version: string;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onPlan?: (plan: Plan) => void;
  readonly onWait?: (milliseconds: number, status: number) => void;
  readonly beforeCreate?: (seq: number) => void;
  readonly onCall?: (id: string | null, open: boolean) => void;
  readonly signal?: AbortSignal;
}

/** A value that the record must never hold, and what it is. */
export interface RunSecret {
  readonly kind: 'credential' | 'inbound-secret';
  readonly label: string;
  readonly value: string;
}

function secretsOf(options: RunOptions, inboundSecret: string): readonly RunSecret[] {
  const { access, otherOrganization, revoked } = options.credentials;
  const credentials = [
    ['credential', access],
    ["other organization's credential", otherOrganization],
    ['revoked credential', revoked],
  ] as const;
  const inbound = [
    ['inbound secret', inboundSecret],
    ['configured inbound secret', options.inbound.secret],
  ] as const;
  return [
    ...credentials.flatMap(([label, value]) =>
      value === undefined ? [] : [{ kind: 'credential' as const, label, value }],
    ),
    ...inbound.flatMap(([label, value]) =>
      value === undefined ? [] : [{ kind: 'inbound-secret' as const, label, value }],
    ),
  ];
}

function registerOf(options: RunOptions): IdRegister {
  const named = new Map<ResourceKind, readonly string[]>();
  for (const [kind, id] of Object.entries(options.resources)) named.set(kind as ResourceKind, [id]);
  if (options.ringingCallId !== undefined) named.set('call', [options.ringingCallId]);
  return new IdRegister(named);
}

function headerOf(options: RunOptions, version: string): RunHeader {
  const { baseUrl: target, profile, without, only, strict, seed, runs } = options;
  const suite = { name: 'pcs-conformance', version };
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
  #endedEarly: string | null = null;

  constructor(options: RunOptions, suites: readonly Suite[], ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    const secret = `s${ports.random(16)}`;
    this.#kit = new Kit(options, secret);
    this.#plan = planRun(suites, this.#kit);
    this.#client = this.#makeClient(secret);
    ports.onPlan?.(this.#plan);
  }

  #makeClient(secret: string): Client {
    const { options, ports } = { options: this.#options, ports: this.#ports };
    const { voiceApplication, trunk } = options.resources;
    return new Client({
      transport: ports.transport,
      prefix: new URL(options.baseUrl).pathname.replace(/\/$/, ''),
      userAgent: `pcs-conformance/${ports.version}`,
      caseSeed: options.caseHeader ? options.seed : null,
      credentials: options.credentials,
      numbers: options.numbers,
      createIds: [voiceApplication, trunk].filter((id) => id !== undefined),
      register: registerOf(options),
      slot: new CallSlot(options.maxCalls),
      pacer: new Pacer(options.rate, ports.clock),
      clock: ports.clock,
      timeouts: { call: options.callTimeout, other: options.timeout },
      maxRequests: options.maxRequests,
      maxWait: options.maxWait,
      recorder: ports.recorder(secretsOf(options, secret)),
      onExchange: (exchange) => {
        this.#exchanges.push(exchange);
        ports.onExchange?.(exchange);
      },
      ...(ports.onWait === undefined ? {} : { onWait: ports.onWait }),
      ...(ports.beforeCreate === undefined ? {} : { beforeCreate: ports.beforeCreate }),
      ...(ports.onCall === undefined ? {} : { onCall: ports.onCall }),
    });
  }

  async record(): Promise<RunRecord> {
    this.#ports.signal?.addEventListener('abort', () => this.#end('the run was interrupted'));
    if (this.#ports.signal?.aborted === true) this.#end('the run was interrupted');
    await this.#preflight();
    for (const phase of PHASES) {
      await this.#phase(phase);
      if (phase === 'main') await this.#client.hangUp();
    }
    await this.#client.hangUp();
    return {
      header: headerOf(this.#options, this.#ports.version),
      plan: this.#plan.cases,
      exchanges: this.#exchanges,
      withheld: this.#withheld,
      errors: this.#errors,
      endedEarly: this.#endedEarly,
      possiblyOpen: this.#client.slot.possiblyOpen,
      changed: this.#memory.changed,
      calls: this.#client.slot.accepted,
    };
  }

  #end(reason: string): void {
    this.#endedEarly ??= reason;
    this.#client.stop(reason);
  }

  async #preflight(): Promise<void> {
    const preflight = new Preflight(this.#options.baseUrl);
    for (const id of FIRST_READS) {
      if (preflight.passed || this.#endedEarly !== null) return;
      const stimulus = this.#kit.control(id, {
        asks: [],
        step: `preflight ${id}`,
        about: 'a first look at the target',
      });
      try {
        const place = { sequence: `preflight/${id}`, attempt: 0 };
        const end = preflight.note(await this.#client.send({ ...stimulus, asks: [], control: false }, place));
        if (preflight.passed) this.#memory.pulse = id;
        if (end !== null) this.#end(end);
      } catch (error) {
        if (!(error instanceof Withheld)) throw error;
      }
    }
  }

  async #phase(phase: Phase): Promise<void> {
    const sequences = this.#plan.sequences.filter((sequence) => sequence.phase === phase);
    const work = sequences.map((sequence) => ({ lane: sequence.lane, run: () => this.#sequence(sequence) }));
    await runLanes(work, this.#options.concurrency);
  }

  /** Runs a sequence, and again while it shows what a network could have forged (conformance model, section 5). */
  async #sequence(sequence: Sequence): Promise<void> {
    const { name, operation, serves } = sequence;
    for (let attempt = 0; attempt <= MOST_REPETITIONS; attempt += 1) {
      const talk = new Conversation(this.#client, this.#kit, this.#memory, { sequence: name, attempt });
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
      }
      const symptoms = unconfirmed(talk.answers, this.#confirmed);
      if (symptoms.length === 0 || placedCall(talk.answers)) return;
      if (attempt === MOST_REPETITIONS) for (const symptom of symptoms) this.#confirmed.add(symptom);
      else await this.#pulse(name, attempt);
    }
  }

  /** A control between repetitions: is anybody there at all? */
  async #pulse(sequence: string, attempt: number): Promise<void> {
    const pulse = this.#kit.control(this.#memory.pulse, { step: 'pulse', about: 'a control between repetitions' });
    try {
      await this.#client.send({ ...pulse, asks: [] }, { sequence: `${sequence} (control)`, attempt });
    } catch (error) {
      if (!(error instanceof Withheld)) throw error;
    }
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Symptoms of the deciding answers of an attempt that no repetition has confirmed yet. */
function unconfirmed(answers: readonly Answer[], confirmed: ReadonlySet<string>): readonly string[] {
  const symptoms = answers.map(({ exchange }) => symptomOf(exchange)).filter((symptom) => symptom !== null);
  return symptoms.filter((symptom) => !confirmed.has(symptom));
}

/** An accepted call is never repeated. */
function placedCall(answers: readonly Answer[]): boolean {
  return answers.some(({ exchange, accepted }) => exchange.tag.operation === 'createCall' && accepted);
}

/** Judges a target: plans, sends, records. Throws `PlanError` for a filter that names nothing, before any request. */
export async function runSuites(options: RunOptions, suites: readonly Suite[], ports: Ports): Promise<RunRecord> {
  return new Run(options, suites, ports).record();
}
