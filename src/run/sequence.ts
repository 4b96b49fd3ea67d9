/** A sequence: requests that belong together, are repeated together and serve the same cases. */

import type { Client, HangUpAs } from '../client/client.ts';
import type { Answer, NotedAnswer, Place, Stimulus } from '../client/stimulus.ts';
import { Withheld } from '../client/stimulus.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import type { CaseOperation } from '../contract/requirements/index.ts';
import { SETTING_OF } from '../contract/settings.ts';
import type { Kit } from './kit.ts';
import type { Memory } from './memory.ts';

/** Phases run one after the other; bad credentials come last, with no call open. */
export const PHASES = ['main', 'credentials', 'fallback', 'restore'] as const;

/** One of the phases. */
export type Phase = (typeof PHASES)[number];

/** What a sequence can do. */
export interface Talk {
  readonly kit: Kit;
  readonly memory: Memory;
  /** Calls that may still be placed. */
  readonly callsLeft: number;
  /** Sends a request; throws `Withheld` where a cap or a missing credential forbids it. */
  send(stimulus: Stimulus): Promise<Answer>;
  /** Hangs up the open call, if there is one. */
  hangUp(as?: HangUpAs): Promise<Answer | null>;
  /** Hangs up a call that this run did not place, as patiently as its own. */
  endOther(id: string, as: HangUpAs): Promise<Answer>;
  /** The likeliest id of the open call, or `null`. */
  openCall(): string | null;
}

/** One entry of the plan of requests. */
export interface Sequence {
  /** Unique and stable: `call/valid 3`. */
  readonly name: string;
  readonly operation: CaseOperation;
  /** Sequences of a lane run in order; `null` shares nothing and runs whenever there is room. */
  readonly lane: string | null;
  readonly phase: Phase;
  /** Requirements, with their strands, that it asks. */
  readonly serves: readonly string[];
  /** Requirements that what it sends may turn out to ask: they select it, and nothing is said of them if it is withheld. */
  readonly maySettle?: readonly string[];
  /** Another lane whose controls it leans on. */
  readonly leansOn?: string;
  /** Runs even if none of its cases is selected, because other sequences of its lane lean on it. */
  readonly isControl?: true;
  readonly run: (talk: Talk) => Promise<void>;
}

/** Throws `Withheld`, naming the setting, unless every resource in the operation's path is named. */
export function demandNamed(kit: Kit, id: OperationId): void {
  const missing = operationById(id).resources.filter((kind) => kit.named(kind) === undefined);
  const [kind] = missing;
  if (kind === undefined) return;
  const settings = missing.map((one) => SETTING_OF[one]).join(' and ');
  throw new Withheld(`no ${kind} is named in the settings`, `set ${settings} to what the suite may use`);
}

/** A talk that notes every exchange of one attempt. */
export class Conversation implements Talk {
  readonly kit: Kit;
  readonly memory: Memory;
  readonly answers: NotedAnswer[] = [];
  readonly #client: Client;
  readonly #place: Place;

  constructor(client: Client, kit: Kit, memory: Memory, place: Place) {
    this.#client = client;
    this.kit = kit;
    this.memory = memory;
    this.#place = place;
  }

  get callsLeft(): number {
    return this.#client.slot.left;
  }

  async send(stimulus: Stimulus): Promise<Answer> {
    const answer = await this.#client.send(stimulus, this.#place);
    this.#note(answer);
    this.#noteWritten(stimulus, answer);
    return answer;
  }

  /** Without the body: a sequence of many requests would hold one of 8 MiB for each. */
  #note({ exchange, status, accepted }: Answer): void {
    this.answers.push({ exchange, status, accepted });
  }

  /** An update without an answer may have been carried out all the same. */
  #noteWritten({ operation, method, credential, body }: Stimulus, { status }: Answer): void {
    const isEmpty = body === null || body.length <= '{}'.length;
    if (operation === null || method === 'GET' || isEmpty) return;
    const refused = status !== null && status >= 300 && status < 500;
    if (!refused && (credential === 'valid' || status !== null)) this.memory.written.add(operation);
  }

  async hangUp(as?: HangUpAs): Promise<Answer | null> {
    const answer = await this.#client.hangUp(this.#place, as);
    if (answer !== null) this.#note(answer);
    return answer;
  }

  async endOther(id: string, as: HangUpAs): Promise<Answer> {
    const answer = await this.#client.endOther(id, this.#place, as);
    this.#note(answer);
    return answer;
  }

  openCall(): string | null {
    return this.#client.slot.open?.ids[0] ?? null;
  }
}
