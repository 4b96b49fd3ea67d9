/** What the sequences of a run learn for later sequences. It decides what is sent, never a verdict. */

import type { Answer, SuiteRequest } from '../client/request.ts';
import { TRIALS } from '../contract/limits.ts';
import { type CaseOperation, type OperationId, READS, UPDATES, type UpdateId } from '../contract/operations.ts';
import type { CredentialForm, Exchange, ShownFields } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { JsonObject, JsonValue } from '../generate/json.ts';
import { errorWordingOf, isAboutBody, isAccepted } from '../verdict/answer.ts';
import { type Compared, elementsBetween } from '../verdict/sibling.ts';
import type { RestoredUpdate } from './journal.ts';

/** The documented reads that show what an update writes. */
export const SHOWN_BY: Readonly<Partial<Record<UpdateId, readonly OperationId[]>>> = {
  updateTrunk: ['getTrunk', 'listTrunks'],
  assignNumber: ['listNumbers'],
};

/** The outcome of restoring: what was restored, in a phrase, and sentences about what remains changed. */
export interface Restoration {
  readonly restored: string | null;
  readonly left: readonly string[];
  /** Those that make a run incomplete and `clean` exit 3: the restoring write was rejected or could not be sent. */
  readonly failed?: readonly string[];
  /** The answer to the restoring write, in a phrase. */
  readonly got?: string;
}

/** These sentences as reported, with the answer to the restoring write. */
export const toldWith = (sentences: readonly string[] = [], got?: string): readonly string[] =>
  got === undefined ? sentences : sentences.map((sentence) => `${sentence} (${got})`);

/** Statuses of one request under the valid credential, and under each invalid form. */
export interface Statuses {
  readonly valid: readonly number[];
  readonly invalid: ReadonlyMap<CredentialForm, number>;
}

/** A spelling that is served, and at which an invalid credential got the same answer as the valid one. */
export interface OpenAlias {
  readonly served: { readonly valid: Exchange; readonly documented?: Exchange };
  /** Whether it was tried on an open call. */
  isTried: boolean;
}

/** Single facts; absent until an answer shows them. */
export interface Facts {
  /** A read that was accepted with the valid credential. */
  readonly healthCheck?: OperationId;
  /** A call of this run that was hung up. */
  readonly endedCall?: string;
  /** The valid hang-up of a call was rejected, after other callers had tried to hang it up. */
  readonly isHangUpRejected?: boolean;
  /** The ringing call of the settings was answered, so the run has to end it. */
  readonly isRingingAnswered?: boolean;
  /** Fields of the trunk as a read showed them before anything was changed, and the operation of that read. */
  readonly trunk?: ShownFields;
  /** Milliseconds by which reads lagged behind an accepted change. */
  readonly readsLag?: number;
  readonly trunkReadBy?: 'getTrunk' | 'listTrunks';
  /** The list shows another trunk, with a name that the client knows. */
  readonly isAnotherNamed?: true;
  /** Fields of the voice application as a read showed them or, without one, answers to updates that left them out. */
  readonly application?: ShownFields;
  /** The carrier connection of the number as a list showed it before anything was changed; `null` for none. */
  readonly assignment?: string | null;
}

/** State of a run. */
export class RunState {
  facts: Facts = {};
  /** Operations that accepted the credential. */
  readonly accepted = new Set<string>();
  /** The target put off or lost simultaneous requests, so independent requests are sent one by one. */
  isOneByOne = false;
  /** Planned calls of the sequences that have not begun. */
  callsAhead = 0;
  /** Updates that may have left a value on the target, and were not restored yet. */
  readonly unrestored = new Set<UpdateId>();
  /** By stimulus that took the target down twice: the operation on which it did. */
  readonly fatal = new Map<string, CaseOperation>();
  /** By operation: the first body that was accepted. */
  readonly bases = new Map<OperationId, JsonValue>();
  /** Calls that the other organization tried to place as its own. */
  readonly callsOfOther: { readonly json: JsonObject; readonly accepted: boolean; readonly exchange: Exchange }[] = [];
  /** By operation: what the other organization got for a made-up id, and for a resource of its own. */
  readonly besideOther = new Map<OperationId, { readonly madeUp?: Exchange; readonly theirs?: Exchange }>();
  /** By operation: the requests with valid bodies, by the text of the body. */
  readonly #bodies = new Map<OperationId, Map<string, Exchange[]>>();
  /** Answered reads of what a run restores. */
  readonly looked = new Set<string>();
  /** Updates that were sent at least once: values shown from then on may be ours. */
  readonly written = new Set<UpdateId>();
  readonly restored = new Map<OperationId, Restoration>();
  readonly statuses = new Map<OperationId, Statuses>();
  /** By operation and spelling. */
  readonly openAliases = new Map<string, OpenAlias>();
  /** The last read of the trunk, unless an update after it may have changed it. */
  trunkRead: Exchange | null = null;
  /** Reads of undocumented routes. */
  readonly unknownRoutes = new Map<string, Exchange>();
  /** By feature of valid create-call bodies: whether a body with it was accepted, or rejected because of it alone. */
  readonly features = new Map<string, boolean>();
  /** By trial, such as one of boundary values: whether it was accepted. */
  readonly trials = new Map<string, boolean>();
  /** Create calls with several boundary values: the request, and the values that it tried. */
  readonly triedTogether: { readonly seq: number; readonly values: readonly string[] }[] = [];
  /** By requirement: the places at which an invalid create-call body was accepted, each of which placed a call. */
  readonly acceptedInvalid = new Map<string, readonly string[]>();
  /** By member of an operation's body: how many boundary values it rejected when sent alone. */
  readonly rejectedAlone = new Map<string, number>();
  /** By requirement: the bodies that were compared with a valid one. */
  readonly #compared = new Map<string, Compared[]>();

  /** Adds facts; new facts replace known ones. */
  note(facts: Facts): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** A read that shows whether the target is up: if possible, one of a record that this run does not write. */
  get healthCheck(): OperationId | undefined {
    const { healthCheck } = this.facts;
    const isWritten = (id: OperationId): boolean =>
      [...this.unrestored].some((update) => SHOWN_BY[update]?.includes(id));
    if (healthCheck === undefined || !isWritten(healthCheck)) return healthCheck;
    return READS.toReversed().find((id) => this.accepted.has(id) && !isWritten(id)) ?? healthCheck;
  }

  /** Sentences: what the interface would have let the run restore, and is still changed. */
  get stillChanged(): readonly string[] {
    return UPDATES.flatMap((id) => toldWith(this.restored.get(id)?.failed, this.restored.get(id)?.got)).sort();
  }

  /** The outcome of the last phase for each update. */
  get restoredUpdates(): readonly RestoredUpdate[] {
    return UPDATES.flatMap((id) => {
      const { restored, left, got } = this.restored.get(id) ?? {};
      if (left === undefined) return [];
      return [{ id, left: toldWith(left, got), ...(restored === null && left.length > 0 ? { isDue: true } : {}) }];
    });
  }

  /** Notes that a member rejected a boundary value in an otherwise typical body. */
  noteRejectedAlone(member: string): void {
    this.rejectedAlone.set(member, (this.rejectedAlone.get(member) ?? 0) + 1);
  }

  /** Notes the outcome of a valid body; a later rejection does not undo an acceptance. */
  learnBody(id: OperationId, text: string, exchange: Exchange): void {
    const bodies = this.#bodies.get(id) ?? new Map<string, Exchange[]>();
    bodies.set(text, [...(bodies.get(text) ?? []), exchange]);
    this.#bodies.set(id, bodies);
  }

  /** Everything compared for a requirement so far, in sending order; later exchanges are added. */
  comparedFor(requirement: string): Compared[] {
    const known = this.#compared.get(requirement) ?? [];
    this.#compared.set(requirement, known);
    return known;
  }

  /** What an exchange is compared with at the end: the valid body that its request names, and what its session sent. */
  compared(
    exchange: Exchange,
    answers: readonly Answer[],
    request: SuiteRequest | undefined,
    requirement: string,
  ): Compared {
    const { sibling, body, operation = null } = request ?? {};
    const ofCase = this.comparedFor(requirement);
    const sent = new TextDecoder().decode(body ?? undefined);
    const isNamed = sibling !== undefined && operation !== null;
    const compared: Compared = {
      ...{ exchange, ofCase },
      elements: isNamed ? elementsBetween(parsedJson(sibling), parsedJson(sent)) : [],
      siblings: () => (isNamed ? (this.#bodies.get(operation)?.get(sibling) ?? []) : []),
      around: () => answers.map((answer) => answer.exchange),
    };
    ofCase.push(compared);
    return compared;
  }

  /**
   * Whether three valid calls with an id in that member got the same rejection, and none was accepted (30 got the same
   * 403). One of them has to differ from an accepted call only in the id and its caller, which shows what is wrong.
   * Rejections about the body do not count, since they may depend on other members, nor does one that calls without the
   * id got, too: where every call needs a trunk, an application was given up over the missing trunk.
   */
  isGivenUp(member: string): boolean {
    const calls = [...(this.#bodies.get('createCall') ?? [])].map(([text, sent]) => {
      const { from: _, [member]: id, ...rest } = JSON.parse(text);
      const rejected = sent.findLast((exchange) => !isAccepted(exchange) && !isAboutBody(exchange));
      const said = rejected && errorWordingOf(rejected);
      return { accepted: sent.some(isAccepted), said, id, rest: JSON.stringify(rest) };
    });
    const naming = calls.filter(({ id }) => typeof id === 'string');
    const otherwise = calls.filter((call) => !naming.includes(call)).map(({ said }) => said);
    if (naming.some(({ accepted }) => accepted)) return false;
    const isShown = naming.some(({ rest }) => calls.some((call) => call.accepted && call.rest === rest));
    const isOften = ({ said }: (typeof naming)[number]): boolean =>
      said !== undefined &&
      !otherwise.includes(said) &&
      naming.filter((call) => call.said === said).length >= TRIALS.rule;
    return isShown && naming.some(isOften);
  }

  /** Whether the valid body was ever accepted; `undefined` if it was not sent. */
  isAcceptedBody(id: OperationId, text: string): boolean | undefined {
    return this.#bodies.get(id)?.get(text)?.some(isAccepted);
  }

  /** The valid bodies of an operation that were accepted, in the order in which they were first sent. */
  acceptedBodies(id: OperationId): readonly JsonValue[] {
    return [...(this.#bodies.get(id) ?? [])].flatMap(([text, sent]) =>
      sent.some(isAccepted) ? [JSON.parse(text)] : [],
    );
  }

  /** Notes the status that a form of credential got. */
  noteStatus(id: OperationId, form: CredentialForm, status: number | null): void {
    const known = this.statuses.get(id) ?? { valid: [], invalid: new Map() };
    if (status === null) this.statuses.set(id, known);
    else if (form === 'valid') this.statuses.set(id, { ...known, valid: [...known.valid, status] });
    else this.statuses.set(id, { ...known, invalid: new Map(known.invalid).set(form, status) });
  }
}
