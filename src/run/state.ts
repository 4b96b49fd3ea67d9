/** What the sequences of a run learn for later ones. It decides what is sent, never a verdict. */

import type { Answer, SuiteRequest } from '../client/request.ts';
import type { CaseOperation } from '../contract/levels.ts';
import { TRIALS } from '../contract/limits.ts';
import { type OperationId, READS, UPDATES, type UpdateId } from '../contract/operations.ts';
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

/** What came of restoring: what was restored, in a phrase, and sentences about what remains changed. */
export interface Restoration {
  readonly restored: string | null;
  readonly left: readonly string[];
  /** Those of them that make a run incomplete and let `clean` exit 3: the restoring write was rejected, or could not be sent. */
  readonly failed?: readonly string[];
  /** What the restoring write got, in a phrase. */
  readonly got?: string;
}

/** Such sentences as they are told, with what the restoring write got. */
export const toldWith = (sentences: readonly string[] = [], got?: string): readonly string[] =>
  got === undefined ? sentences : sentences.map((sentence) => `${sentence} (${got})`);

/** Statuses of one request under the valid credential, and under each invalid form. */
export interface Statuses {
  readonly valid: readonly number[];
  readonly invalid: ReadonlyMap<CredentialForm, number>;
}

/** A spelling that is served, and at which an invalid credential got what the valid one got. */
export interface OpenAlias {
  readonly served: { readonly valid: Exchange; readonly documented?: Exchange };
  /** Whether it was tried on an open call. */
  isTried: boolean;
}

/** Single facts; absent until an answer shows them. */
export interface Facts {
  /** A read that the valid credential was accepted for. */
  readonly healthCheck?: OperationId;
  /** A call of this run that was hung up. */
  readonly endedCall?: string;
  /** A hang-up of the call that others tried to control was rejected. */
  readonly isHangUpRejected?: boolean;
  /** The ringing call of the settings was answered, so the run has to end it. */
  readonly isRingingAnswered?: boolean;
  /** Fields of the trunk as a read showed them before anything was changed, and the operation that showed them. */
  readonly trunk?: ShownFields;
  /** Milliseconds for which reads were behind an accepted change. */
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
  /** The target put off or lost what went out beside others, so what is independent goes out one by one. */
  isOneByOne = false;
  /** Planned calls of the sequences that have not begun. */
  callsAhead = 0;
  /** Updates of which a value may be stored that no restore has replaced yet. */
  readonly unrestored = new Set<UpdateId>();
  /** For a stimulus that took the target down twice: the operation on which it did. */
  readonly fatal = new Map<string, CaseOperation>();
  /** For an operation the first body that was accepted. */
  readonly bases = new Map<OperationId, JsonValue>();
  /** Calls that the other organization tried to place as its own. */
  readonly callsOfOther: { readonly json: JsonObject; readonly accepted: boolean; readonly exchange: Exchange }[] = [];
  /** By operation: what the other organization got for a made-up id, and for a resource of its own. */
  readonly besideOther = new Map<OperationId, { readonly madeUp?: Exchange; readonly theirs?: Exchange }>();
  /** For each operation the requests with valid bodies, by the text of the body. */
  readonly #bodies = new Map<OperationId, Map<string, Exchange[]>>();
  /** Reads that were answered of what a run restores. */
  readonly looked = new Set<string>();
  /** Updates of which the first is past: what is shown from then on may be ours. */
  readonly written = new Set<UpdateId>();
  readonly restored = new Map<OperationId, Restoration>();
  readonly statuses = new Map<OperationId, Statuses>();
  /** By operation and spelling. */
  readonly openAliases = new Map<string, OpenAlias>();
  /** The last read of the trunk, unless an update after it may have changed it. */
  trunkRead: Exchange | null = null;
  /** Reads of undocumented routes. */
  readonly unknownRoutes = new Map<string, Exchange>();
  /** For a feature of valid create-call bodies: whether a body with it was accepted, or it alone was rejected. */
  readonly features = new Map<string, boolean>();
  /** For a trial, such as that of boundary values: whether it was accepted. */
  readonly trials = new Map<string, boolean>();
  /** Create calls with several of these: the request, and what it tried. */
  readonly triedTogether: { readonly seq: number; readonly values: readonly string[] }[] = [];
  /** For a requirement: the places in which an invalid create-call body was accepted, each of which placed a call. */
  readonly acceptedInvalid = new Map<string, readonly string[]>();
  /** For a member of an operation's body: how many boundary values it rejected alone. */
  readonly rejectedAlone = new Map<string, number>();
  /** For a requirement: the bodies that were compared with a valid one. */
  readonly #compared = new Map<string, Compared[]>();

  /** Adds facts; new facts replace known ones. */
  note(facts: Facts): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** A read that shows whether the target is there: of a record that this run does not write, where one was accepted. */
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

  /** What the last phase came to for each update. */
  get restoredUpdates(): readonly RestoredUpdate[] {
    return UPDATES.flatMap((id) => {
      const { restored, left, got } = this.restored.get(id) ?? {};
      if (left === undefined) return [];
      return [{ id, left: toldWith(left, got), ...(restored === null && left.length > 0 ? { isDue: true } : {}) }];
    });
  }

  /** Notes that a member rejected a boundary value in a body that was typical otherwise. */
  noteRejectedAlone(member: string): void {
    this.rejectedAlone.set(member, (this.rejectedAlone.get(member) ?? 0) + 1);
  }

  /** Takes what came of a valid body; a later rejection does not undo an acceptance. */
  learnBody(id: OperationId, text: string, exchange: Exchange): void {
    const bodies = this.#bodies.get(id) ?? new Map<string, Exchange[]>();
    bodies.set(text, [...(bodies.get(text) ?? []), exchange]);
    this.#bodies.set(id, bodies);
  }

  /** All that is compared for a requirement so far, in the order of sending; what is sent later is added. */
  comparedFor(requirement: string): Compared[] {
    const known = this.#compared.get(requirement) ?? [];
    this.#compared.set(requirement, known);
    return known;
  }

  /** What an exchange is compared with, as it is at the end: the valid body that its request names, and what its session sent. */
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
   * Whether three valid calls with an id in that member were rejected in the same words, and none was accepted (30 had got
   * the same 403). One of them has to differ from an accepted call in the id alone, and the caller that goes with it: that
   * one shows what is wrong. A rejection that speaks of the body may end in other company, so it does not count, and what calls
   * without the id got is not about it: where every call needs the trunk, an application had been given up for its absence.
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
