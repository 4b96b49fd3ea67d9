/** Another organization's credential gives no access to this organization's resources (section 5). */

import type { Answer, SuiteRequest } from '../src/client/request.ts';
import { type OperationId, operationById } from '../src/contract/operations.ts';
import { SETTING_OF } from '../src/contract/settings.ts';
import type { Ask, Exchange } from '../src/exchange/exchange.ts';
import type { RequestBuilder, Variation } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import {
  answerPhrase,
  isAccepted,
  isRedirect,
  isRejected,
  isRetryable,
  isSameTarget,
  isWebPage,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { inconclusive, LATER, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { ask } from './ask.ts';
import { numbersAfterRejection, sayAssigned, showsAssignments } from './assignments.ts';
import { bodyFor, valuesFor } from './bodies.ts';
import {
  isOfOwnConnection,
  OWN_CONNECTION,
  ofAnotherOrganization,
  THEIR_CONNECTION,
  unlessEntitled,
  unlessMadeUp,
} from './expect/configured-credentials.ts';
import { endedBefore } from './expect/ended-calls.ts';
import { accessed, answersToOurs, discloses, fromStatus, isAsAnyRoute, isLost } from './expect/rejection.ts';
import { remedyFor, remedyForControl } from './expect/remedy.ts';
import { hiddenInList, mentionsIn, namedByOurs } from './expect/their-list.ts';
import { ASSIGN, isOneOf, LISTS, OTHERS_ID, OWNED, READS, type Update } from './operations.ts';
import { isAnyRouteAccepted } from './sequences/controls.ts';
import { validRequest } from './sequences/credentials.ts';
import { independent, onNamed, sendTo, sendValid } from './sequences/sending.ts';
import { aloneOf, ID_SPELLINGS, spelledPath } from './spelled-ids.ts';

/** The setting without which none of this is sent. */
export const OTHER_ORG_TOKEN = 'PCS_OTHER_ORG_ACCESS_TOKEN';
const ABOUT_OTHER = 'the credential of another organization';

/** A request of the other organization, in that variation of the question whether it gets access. */
const byOther = (variation = '', about: string = ABOUT_OTHER) =>
  ({ credential: 'other-organization', asks: [ask('ORG-ISOLATION', variation)], about }) as const satisfies Variation;

/** The plain request of the other organization. */
export const BY_OTHER = byOther();

/** The same without Accept: another handler may serve requests without a media type. */
export const WITHOUT_ACCEPT = { ...byOther('without Accept'), form: 'no-accept' } as const satisfies Variation;

/** Whether the other organization's credential is known. */
export const hasOther = ({ options }: RequestBuilder): boolean => options.credentials.otherOrganization !== undefined;

/**
 * A target that accepts any id gives no access by accepting another organization's: the same request with the same
 * credential, for a resource that does not exist.
 */
export function ofMadeUpId(builder: RequestBuilder, id: OperationId, body: Variation = {}): SuiteRequest {
  const ids = operationById(id).resources.map((kind) => builder.uuid(`made-up ${id} ${kind}`));
  const path = builder.path(id, ids);
  const about = 'a made-up id with the same credential';
  return builder.request(id, { credential: BY_OTHER.credential, ...body, path, role: 'compared', about });
}

/** What was sent along with a request of the other organization. */
export interface Beside {
  /** The same request with the same credential, for a resource that does not exist. */
  readonly madeUp?: Exchange | undefined;
  /** The same operation on its own resource. */
  readonly theirs?: Exchange | undefined;
  /** The same request with our credential, at another spelling of the path. */
  readonly alias?: Exchange | undefined;
  /** Our hang-up of the same call, right after it. */
  readonly hangUp?: Exchange | undefined;
}

/** Our credential cannot name their connection, so an assignment to ours shows that the number can be assigned. */
const isAcceptedForOurs = (exchange: Exchange, evidence: Evidence): boolean =>
  isOfOwnConnection(exchange) &&
  evidence.controls(exchange.tag.operation).some((control) => isSameTarget(control, exchange) && isAccepted(control));

/** A rejection separates the organizations if our own credential gets another answer to the same request. */
function rejectedAlone(exchange: Exchange, alias: Exchange | undefined, evidence: Evidence): Opinion {
  if (alias !== undefined && isAccepted(alias)) return PASS;
  const { statuses, next } = answersToOurs(exchange, evidence);
  // The action works only once, so the second caller is rejected whatever its credential.
  if (next !== undefined && statusOf(next) === statusOf(exchange)) {
    return none(`our own credential got ${answerPhrase(exchange)} too`, remedyFor(next, evidence));
  }
  const isAcceptedForUs = [...statuses].some((status) => status < 300);
  const isOther = statuses.size > 0 && !statuses.has(statusOf(exchange) ?? 0);
  if (isAcceptedForUs || isOther || isAcceptedForOurs(exchange, evidence)) return PASS;
  const ours = evidence.sameRequests(exchange).at(-1);
  const remedy = ours === undefined ? remedyForControl(exchange, evidence) : remedyFor(ours, evidence);
  return none('the same request with our own credential was not accepted', remedy);
}

/** Calls are tried by `openingCalls`, other spellings by `aliases`, and the reverse direction by `theirTrunk`. */
export const ORG_ISOLATION = {
  id: 'ORG-ISOLATION',
  level: 'must',
  section: '5',
  statement: "Another organization's credential cannot read, list, change or control this organization's resources.",
  needs: OTHER_ORG_TOKEN,
  operations: OWNED,
  opportunistic: 'the list shows no resource of this organization that is named in the settings',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
  send: {
    sequences: (builder) => [...TRIED_BY_OTHER.map(tries), assignments(builder)],
  },
} as const satisfies Requirement;

/** Judges the answer to the other organization about a resource of ours. */
export function isolated(exchange: Exchange, { madeUp, theirs, alias, hangUp }: Beside, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) {
    const isList = isOneOf(LISTS, exchange.tag.operation);
    if (isWebPage(exchange) && isAsAnyRoute(exchange, evidence)) return none('an unknown route gets the same page');
    return isList ? hiddenInList(exchange, evidence) : accessed(exchange, madeUp, evidence);
  }
  // A hang-up that was rejected but took effect; of several spellings, it is attributed to the plain one.
  const ours = hangUp !== undefined && isSameTarget(hangUp, exchange) ? hangUp : undefined;
  // Go's router redirects every path with a doubled slash, which made a run incomplete.
  if (isRedirect(exchange) && !exchange.tag.documented) return none('the other spelling of the path is not served');
  const opinion =
    fromStatus(exchange) ??
    discloses(exchange, evidence) ??
    endedBefore(ours, evidence) ??
    unlessEntitled(exchange, theirs, evidence) ??
    rejectedAlone(exchange, alias, evidence);
  return isOfOwnConnection(exchange) ? unlessMadeUp(opinion, evidence) : opinion;
}

/** Says what the answer to the other organization shows; `beside` is asked once the run is over. */
export function sayIsolated(
  session: Session,
  answer: Answer,
  beside: () => Beside,
  asks = answer.exchange.tag.asks,
): void {
  const judge = ofAnotherOrganization((evidence) => isolated(answer.exchange, beside(), evidence));
  session.say(asks, answer, judge);
}

/** What the other organization tries, what that is compared with, and our hang-up after it. */
interface Together {
  readonly madeUp: SuiteRequest;
  readonly theirs?: SuiteRequest | undefined;
  readonly tried: readonly SuiteRequest[];
  readonly hangUp?: (() => Exchange | undefined) | undefined;
}

/**
 * Sends what the other organization tries together with what it is compared with, which comes first: if they are sent
 * one by one and the run ends, nothing is concluded.
 */
async function tryTogether(session: Session, id: OperationId, together: Together): Promise<readonly Answer[]> {
  const { madeUp, theirs, tried, hangUp } = together;
  const { besideOther } = session.state;
  const came: { madeUp?: Exchange; theirs?: Exchange } = {};
  const noted = (name: keyof typeof came, request: SuiteRequest): SuiteRequest => {
    return { ...request, says: ({ exchange }) => void Object.assign(came, { [name]: exchange }) };
  };
  const compared = [noted('madeUp', madeUp), ...(theirs === undefined ? [] : [noted('theirs', theirs)])];
  if (!besideOther.has(id)) besideOther.set(id, came);
  const says = (answer: Answer): void => sayIsolated(session, answer, () => ({ ...came, hangUp: hangUp?.() }));
  const answers = await session.together([...compared, ...tried.map((request) => ({ ...request, says }))]);
  const [, own] = theirs === undefined ? [] : answers;
  if (own?.exchange.response?.learned?.marks?.includes(session.builder.mark) === true)
    session.say(BY_OTHER.asks, own, (evidence) => namedByOurs(own.exchange, evidence));
  return answers.slice(compared.length);
}

/** A member that is not the first: ownership may be checked only if another member is written. */
const LATER_MEMBER: Readonly<Partial<Record<OperationId, string>>> = {
  updateTrunk: 'direction',
  updateVoiceApplication: 'ring_timeout_seconds',
  setInboundAuth: 'realm',
};

/**
 * The body of an update with a single member, as the record has it; otherwise the valid body. It asks no question
 * itself: it may be rejected as incomplete.
 */
function memberAlone(session: Session, id: OperationId): Variation {
  const field = LATER_MEMBER[id];
  if (field === undefined) return bodyFor(session, id);
  const value = valuesFor(session, id as Update)[field];
  const { about, asks } = BY_OTHER;
  if (value === undefined) return { ...bodyFor(session, id), asks };
  return { json: { [field]: value }, about: `${about}, /${field} alone`, asks };
}

/** A list, after a valid read of it: a cache without the organization in its key serves the other one our last read. */
async function tryList(session: Session, id: OperationId): Promise<void> {
  const path = session.builder.barePath(id);
  const bare = path === undefined ? [] : [{ ...BY_OTHER, path, about: `${ABOUT_OTHER}, without the query` }];
  for (const variation of [BY_OTHER, ...bare]) sayIsolated(session, await sendTo(session, id, variation), () => ({}));
}

/** A read of its own trunk: it may have no right to read any. */
function ofItsOwn(builder: RequestBuilder, id: OperationId): SuiteRequest | undefined {
  const { otherTrunk } = builder.options;
  if (id !== 'getTrunk' || otherTrunk === undefined) return undefined;
  const about = 'a trunk of its own with the credential of another organization';
  const { credential } = BY_OTHER;
  return builder.request(id, { path: builder.path(id, [otherTrunk]), credential, role: 'candidate', about });
}

/** Calls are tried while one is open and another rings: suites/sequences/calls.ts. */
const TRIED_BY_OTHER: readonly OperationId[] = [
  ...LISTS,
  'getTrunk',
  'updateTrunk',
  'updateVoiceApplication',
  'setInboundAuth',
  'assignNumber',
  'muteParticipant',
];

/** What the other organization tries, in the resources' lanes, so that it changes none at the same time as we do. */
function tries(id: OperationId): Sequence {
  const isList = isOneOf(LISTS, id);
  // The lists show that the other credential works; its rejection elsewhere relies on them.
  const place = isList ? { lane: 'other organization', isControl: true as const } : {};
  const asks = id in LATER_MEMBER ? BY_OTHER.asks : [...BY_OTHER.asks, ...WITHOUT_ACCEPT.asks];
  return onNamed(id, 'other organization', { asks, ...place, needs: OTHER_ORG_TOKEN }, async (session) => {
    const { builder, state } = session;
    const body = bodyFor(session, id);
    const withoutAccept = builder.request(id, { ...WITHOUT_ACCEPT, ...memberAlone(session, id) });
    const tried = [builder.request(id, { ...body, ...BY_OTHER }), ...(isOneOf(READS, id) ? [] : [withoutAccept])];
    const compared = { madeUp: ofMadeUpId(builder, id, body), theirs: ofItsOwn(builder, id) };
    if (!isList) await tryTogether(session, id, { ...compared, tried });
    if (!isOneOf(READS, id)) return;
    // A handler that stores the caller in a field confuses two simultaneous callers.
    const valid = builder.control(id, { about: 'a valid request beside one of another organization' });
    const says = (answer: Answer): void => sayIsolated(session, answer, () => state.besideOther.get(id) ?? {});
    await session.together([{ ...withoutAccept, role: 'beside', says }, valid]);
    if (isList) await tryList(session, id);
  });
}

/** The other organization tries an open or ringing call, in each spelling of its id; `hangUp` is ours after it. */
export async function tryCall(
  session: Session,
  id: 'answerCall' | 'hangUpCall',
  path: string,
  hangUp?: () => Exchange | undefined,
): Promise<void> {
  const { builder } = session;
  const isSpelled = id === 'hangUpCall' && !(await isAnyRouteAccepted(session, path));
  const spelled = (isSpelled ? ID_SPELLINGS.flatMap(aloneOf) : []).flatMap(({ about, of }) => {
    const spelling = spelledPath(id, path, of);
    return spelling === path ? [] : [{ ...otherAtSpelling(about), path: spelling }];
  });
  const tried = [{ ...BY_OTHER, path }, { ...WITHOUT_ACCEPT, path }, ...spelled].map((way) => builder.request(id, way));
  await tryTogether(session, id, { madeUp: ofMadeUpId(builder, id), tried, hangUp });
}

const otherAtSpelling = (about: string) => byOther(about, `the path ${about}, ${ABOUT_OTHER}`);

/** Whether it is accepted at another spelling, where ours got that; a made-up id was tried with the plain one. */
export async function trySpelled(session: Session, id: OperationId, about: string, path: string, alias: Exchange) {
  const answer = await sendTo(session, id, { ...validRequest(session, id), ...otherAtSpelling(about), path });
  const beside = session.state.besideOther.get(id);
  sayIsolated(session, answer, () => ({ ...beside, alias }));
  return answer.accepted;
}

/** It requests with HEAD what GET shows. */
export async function tryHead(session: Session, id: OperationId): Promise<void> {
  const { builder, state } = session;
  const head = { method: 'HEAD' } as const;
  const { asks, ...variation } = byOther('HEAD', `HEAD, ${ABOUT_OTHER}`);
  const answer = await session.send({ ...builder.request(id, variation), ...head });
  let madeUp: Exchange | undefined;
  // Our HEAD is not sent, so anything but acceptance means no access, and shows no more: many servers answer 501.
  if (!answer.accepted && !isLost(answer.exchange)) return;
  sayIsolated(session, answer, () => ({ theirs: state.besideOther.get(id)?.theirs, madeUp }), asks);
  if (answer.accepted) madeUp = (await session.send({ ...ofMadeUpId(builder, id), ...head })).exchange;
}

/**
 * Assignments across the organizations, both ways: ours comes first, so that one list shows the effect of both. A
 * service that stored the connection before it checked its owner answered 404 to ours, and kept it.
 */
function assignments(builder: RequestBuilder): Sequence {
  const effect = showsAssignments(builder) ? [ask('AUTH-ASSIGNMENT-UNCHANGED', 'other organization')] : [];
  const asks = [...TO_THEIRS, ...BY_THEM.asks, ...effect];
  const otherwise = { reason: 'the assignment was accepted' };
  const place = { asks, needs: hasOther(builder) ? THEIR_CONNECTION : OTHER_ORG_TOKEN, otherwise } as const;
  return onNamed(ASSIGN, 'a connection of another organization', place, async (session) => {
    await assignToTheirs(session);
    await assignToOther(session, effect);
  });
}

const TO_THEIRS = [ask('ORG-ISOLATION', 'our number to its connection')];
const BY_THEM = byOther(OWN_CONNECTION, `${ABOUT_OTHER}, and a connection of its own`);

/**
 * The other organization assigns our number to its own connection. Only this request passes a service that checks the
 * owner of the connection but not of the number. The list shows its effect; an accepted assignment is then undone.
 */
async function assignToOther(session: Session, effect: readonly Ask[]): Promise<void> {
  const { builder } = session;
  const body = { json: { carrier_connection_id: builder.options.otherConnection ?? '' } };
  const tried = [builder.request(ASSIGN, { ...body, ...BY_THEM })];
  const [answer] = await tryTogether(session, ASSIGN, { madeUp: ofMadeUpId(builder, ASSIGN, body), tried });
  if (answer?.accepted === true) {
    if (effect.length > 0) await sayAssigned(session, BY_THEM.asks, answer);
    await sendValid(session, ASSIGN, { ...bodyFor(session, ASSIGN), about: 'assigned back' });
  } else if (effect.length > 0) await numbersAfterRejection(session, effect);
}

/** Judges our own assignment of our number to their connection. */
export function assignedToTheirs(exchange: Exchange, madeUp: Exchange | undefined, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return accessed(exchange, madeUp, evidence);
  if (!isRejected(exchange) || isRetryable(exchange)) return inconclusive(answerPhrase(exchange), LATER);
  if (evidence.controls(ASSIGN).some(isAccepted)) return unlessMadeUp(PASS, evidence);
  return none('no assignment of this number was accepted', remedyForControl(exchange, evidence));
}

/**
 * The reverse: we assign our number to a connection of the other organization. If that is accepted, a connection that
 * does not exist may be as well: then the target looks nothing up. Finally the number gets its own connection back.
 */
async function assignToTheirs(session: Session): Promise<void> {
  const { builder } = session;
  const assign = (id: string, more: Variation): Promise<Answer> =>
    sendTo(session, ASSIGN, { json: { carrier_connection_id: id }, ...more });
  const about = 'the connection of another organization with our credential';
  const answer = await assign(builder.options.otherConnection ?? '', { asks: TO_THEIRS, about });
  let madeUp: Exchange | undefined;
  const judge = ofAnotherOrganization((evidence) => assignedToTheirs(answer.exchange, madeUp, evidence));
  session.say(TO_THEIRS, answer, judge);
  if (!answer.accepted) return;
  const unknown = builder.uuid('unknown connection beside one of another organization');
  const asked = { role: 'compared', about: 'a made-up connection with our credential' } as const;
  madeUp = (await assign(unknown, asked)).exchange;
  await sendValid(session, ASSIGN, { ...bodyFor(session, ASSIGN), about: 'assigned back' });
}

/** Judges our own read of their trunk, which may belong to both. */
export function readOfTheirs(exchange: Exchange, madeUp: Exchange | undefined, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return none('a trunk of the other organization was not read');
  const listed = evidence.controls('listTrunks').filter(isAccepted).flatMap(mentionsIn);
  if (listed.includes(OTHERS_ID.trunk_id)) return none('our own list shows that trunk too');
  const opinion = accessed(exchange, madeUp, evidence);
  if (opinion.kind !== 'finding' || listed.includes(SETTING_OF.trunk)) return opinion;
  const reason = 'our credential reads it, and our own list, which does not show our trunk, cannot tell whose it is';
  return inconclusive(reason, 'check PCS_OTHER_ORG_TRUNK_ID: it must be the trunk of the other organization alone');
}

/** The reverse: our credential reads a trunk of the other organization, then one that does not exist. */
export function theirTrunk({ options: { otherTrunk } }: RequestBuilder): readonly Sequence[] {
  if (otherTrunk === undefined) return [];
  const { asks } = BY_OTHER;
  const about = 'a trunk of another organization with our credential';
  const id = 'getTrunk';
  const request = ({ builder }: Session) => builder.request(id, { path: builder.path(id, [otherTrunk]), asks, about });
  const note = async (session: Session, answer: Answer): Promise<void> => {
    let madeUp: Exchange | undefined;
    const judge = ofAnotherOrganization((evidence) => readOfTheirs(answer.exchange, madeUp, evidence));
    session.say(asks, answer, judge);
    if (!answer.accepted) return;
    madeUp = (await session.send(ofMadeUpId(session.builder, id, { credential: 'valid' }))).exchange;
  };
  return [independent(id, 'the trunk of another organization', { asks, needs: OTHER_ORG_TOKEN }, { request, note })];
}
