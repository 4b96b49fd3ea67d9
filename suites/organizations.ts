/** Another organization's credential gives no access to this organization's resources (section 5). */

import { listed } from '../src/contract/lists.ts';
import { operationById } from '../src/contract/operations.ts';
import { remedyOf, SETTING_OF, type TargetSettingName } from '../src/contract/settings.ts';
import { describedIn, type Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
  headerOf,
  isAccepted,
  isOfOthers,
  isOurs,
  isRejected,
  isRetryable,
  isSameTarget,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, inconclusive, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { asksFor } from '../src/verdict/requirement.ts';
import { isEqualJson, jsonOf } from '../src/verdict/sibling.ts';
import {
  isOfOwnConnection,
  OWNED_SETTINGS,
  THEIR_CONNECTION,
  unlessSameOrganization,
} from './expect/configured-credentials.ts';
import { endedBefore } from './expect/ended-calls.ts';
import { foundAccess, fromBody, fromStatus, quotes, showsRecord } from './expect/rejection.ts';
import { LATER, remedyFor, remedyForControl, said } from './expect/remedy.ts';
import { type CallIdName, EVERY_OPERATION, isOneOf, LISTS, OTHERS_ID, SHARED } from './operations.ts';

type Id = (typeof ORGANIZATIONS)[number]['id'];

/** Provider definitions and the inventory of numbers belong to no organization. */
export const OWNED = EVERY_OPERATION.filter((id) => !isOneOf(SHARED, id));

const mentionsIn = ({ response }: Exchange): readonly string[] => response?.body?.mentions ?? [];
const isCut = ({ response }: Exchange): boolean => response?.body?.cut === true;

/** A list of this target that shows none of the configured ids cannot show them to another organization. */
function unlisted({ tag }: Exchange, { facts }: Evidence): Opinion {
  const name = tag.operation === 'listTrunks' ? SETTING_OF.trunk : SETTING_OF.number;
  const reason = 'our own list shows no resource that the settings name';
  return facts.settings.includes(name) ? none(reason) : none(reason, remedyOf(name));
}

/** Settings whose resource an operation reached with our own credential and an id. */
const reachedIn = (evidence: Evidence): readonly string[] =>
  OWNED.filter((id) => evidence.hasAcceptedControl(id)).flatMap((id) =>
    operationById(id).resources.map((kind) => SETTING_OF[kind]),
  );

function hiddenInList(exchange: Exchange, evidence: Evidence): Opinion {
  const own = evidence.controls(exchange.tag.operation).filter(isAccepted);
  if (own.length === 0) return none('our own list was not accepted', remedyForControl(exchange, evidence));
  const listed = new Set(own.flatMap(mentionsIn));
  // Our own list may lack what is ours: it shows one page, or the records of the wrong organization.
  const ours = new Set([...listed, ...reachedIn(evidence)]);
  const shown = mentionsIn(exchange).find((setting) => ours.has(setting) && OWNED_SETTINGS.includes(setting));
  if (shown !== undefined) return found('the list', 'no resource of another organization', shown);
  if (listed.size === 0 && own.some(isCut)) return none('our own list exceeded the size limit');
  if (listed.size === 0) return unlisted(exchange, evidence);
  return isCut(exchange) ? none('the list exceeded the size limit') : PASS;
}

/** A hang-up that was rejected after its effect; which of several spellings had it, is not known, so the plain one has it. */
function stillOpen(exchange: Exchange, evidence: Evidence): Opinion | null {
  const own = evidence.sibling(exchange, 'control');
  if (exchange.tag.operation !== 'hangUpCall' || (own !== undefined && !isSameTarget(own, exchange))) return null;
  return endedBefore(own, evidence);
}

/**
 * The same request with the same credential, of a resource that does not exist: in the sequence, or, for another spelling of an
 * id, where the plain one was asked.
 */
function madeUpFor(exchange: Exchange, evidence: Evidence): Exchange | undefined {
  const { tag, request } = exchange;
  const isMadeUp = (one: Exchange): boolean =>
    one.tag.role === 'made-up-id' &&
    one.tag.operation === tag.operation &&
    one.request.credential === request.credential &&
    one.request.method === request.method;
  const isSpelled = evidence.sibling(exchange, 'valid-alias') !== undefined;
  return (isSpelled ? evidence.exchanges : evidence.siblings(exchange)).find(isMadeUp);
}

/** Whether the answer says nothing of the id: a gateway asks to come again (423 with `Retry-After`, say), or no service answered. */
const isLost = (exchange: Exchange): boolean =>
  isRetryable(exchange) ||
  headerOf(exchange, 'retry-after') !== undefined ||
  [null, 502, 504].includes(statusOf(exchange));

/** The 2xx counts as access unless a made-up id gets the same, without anything that belongs to the owner. */
function accessed(exchange: Exchange, evidence: Evidence): Opinion {
  const madeUp = madeUpFor(exchange, evidence);
  if (madeUp === undefined) return inconclusive('no made-up id was sent with the same credential');
  if (isLost(madeUp)) return inconclusive('the answer to a made-up id was lost', LATER);
  if (statusOf(madeUp) !== statusOf(exchange) || showsRecord(exchange, madeUp, evidence)) return foundAccess(exchange);
  return none(`a made-up id got ${answerPhrase(madeUp)} too, with the same credential`);
}

/** The other way round: our credential reads a trunk of the other organization, which may belong to both. */
function readOfTheirs(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return none('a trunk of the other organization was not read');
  const listed = evidence.controls('listTrunks').filter(isAccepted).flatMap(mentionsIn);
  if (!listed.includes(SETTING_OF.trunk)) return none('our own list of trunks does not show our trunk');
  if (listed.includes(OTHERS_ID.trunk_id)) return none('our own list shows that trunk too');
  return accessed(exchange, evidence);
}

/** The other way round: our credential assigns our number to a connection of the other organization. */
function assignedToTheirs(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) return accessed(exchange, evidence);
  if (!isRejected(exchange) || isRetryable(exchange)) return inconclusive(answerPhrase(exchange), LATER);
  if (evidence.controls('assignNumber').some(isAccepted)) return PASS;
  return none('no assignment of this number was accepted', remedyForControl(exchange, evidence));
}

/** Our credential cannot name that connection, so an assignment to ours shows that the number can be assigned. */
const isOtherwiseAccepted = (exchange: Exchange, evidence: Evidence): boolean =>
  isOfOwnConnection(exchange) &&
  evidence
    .statusesAt(exchange.tag.operation, exchange.request.method, exchange.request.path)
    .some((status) => status >= 200 && status < 300);

/** Statuses about a resource or a body: who gets them has passed the check of the credential. */
const PAST_THE_CREDENTIAL: readonly (number | null)[] = [400, 404, 409, 422];

/** Whether an operation accepted the other organization's credential, or rejected it in another way than a made-up one. */
function isKnownAsValid({ exchanges }: Evidence): boolean {
  const unknown = exchanges.filter(({ request }) => request.credential === 'wrong-secret');
  return exchanges.filter(isOfOthers).some((one) => {
    if (isAccepted(one)) return true;
    const same = unknown.filter((other) => isSameTarget(one, other));
    return (
      PAST_THE_CREDENTIAL.includes(statusOf(one)) && same.some((other) => [401, 403].includes(statusOf(other) ?? 0))
    );
  });
}

const isOfItsOwn = ({ tag }: Exchange): boolean => tag.role === 'candidate';

/** Statuses that speak of the caller and its rights: they say nothing of the resource. */
const OF_CALLER: readonly (number | null)[] = [401, 402, 403];

/** What gives the other organization something of its own that an operation may be used on. */
const OF_ITS_OWN: Readonly<Partial<Record<string, TargetSettingName>>> = {
  getTrunk: 'PCS_OTHER_ORG_TRUNK_ID',
  hangUpCall: 'PCS_OTHER_ORG_CALL_FROM',
};

/** Whether the target answers so to an id that names nothing: a resource that the caller does not know. */
const isAsUnknown = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  statusOf(exchange) === 404 ||
  exchanges.some(
    ({ tag, response }) =>
      tag.operation === exchange.tag.operation && tag.ids === 'well-formed' && response?.status === statusOf(exchange),
  );

/**
 * Why the rejection does not show that the organizations are separated: the credential may lack the right to use the
 * operation at all, or a 409 or 422 may be about the plan of its organization. It shows it where the same credential was
 * accepted for something of its own, or where the rejection is that of a resource that the caller does not know.
 */
function withoutAcceptance(exchange: Exchange, evidence: Evidence): Opinion | null {
  const { exchanges, facts } = evidence;
  const { operation } = exchange.tag;
  const others = exchanges.filter((one) => isOfOthers(one) && one.tag.operation === operation);
  if (others.some((one) => isAccepted(one) && !asksFor<Id>('ORG-ISOLATION')(one))) return null;
  const name = OF_ITS_OWN[operation ?? ''];
  const own = others.find(isOfItsOwn);
  if (own !== undefined && name !== undefined) {
    return none(`${answerPhrase(own)} to ${describedIn(own.tag)}`, `check ${name}${said(own)}`);
  }
  const isOfCaller = OF_CALLER.includes(statusOf(exchange));
  if (!isOfCaller && isAsUnknown(exchange, evidence)) return null;
  const writes = exchange.request.method === 'GET' ? '' : '; the suite writes nothing into the other organization';
  const reason = `${answerPhrase(exchange)}, and nothing shows that this credential may use the operation at all${writes}`;
  if (!isOfCaller && name === undefined) return none(reason);
  const right = 'allow PCS_OTHER_ORG_ACCESS_TOKEN to use this operation';
  return none(reason, name === undefined || facts.settings.includes(name) ? right : remedyOf(name));
}

function isolated(exchange: Exchange, evidence: Evidence): Opinion {
  const isTheirs = exchange.tag.asks.some(({ variation }) => variation === THEIR_CONNECTION);
  if (isTheirs) return assignedToTheirs(exchange, evidence);
  if (isOurs(exchange)) return readOfTheirs(exchange, evidence);
  const isList = isOneOf(LISTS, exchange.tag.operation);
  if (isList && isAccepted(exchange)) return hiddenInList(exchange, evidence);
  if (isAccepted(exchange)) return accessed(exchange, evidence);
  const shown = fromBody(exchange, evidence) ?? quotes(exchange, evidence);
  const opinion = fromStatus(exchange) ?? shown ?? stillOpen(exchange, evidence);
  if (opinion !== null) return opinion;
  if (!isKnownAsValid(evidence)) {
    return inconclusive(
      "no operation accepted the other organization's credential",
      'check PCS_OTHER_ORG_ACCESS_TOKEN: it must be valid, and allowed to read what the run does not leave out',
    );
  }
  const unshown = withoutAcceptance(exchange, evidence);
  if (unshown !== null) return unshown;
  const alias = evidence.sibling(exchange, 'valid-alias');
  if (alias !== undefined && isAccepted(alias)) return PASS;
  // The action works only once: the second caller is rejected for that reason, whatever the credential.
  const next = evidence.nextValid(exchange);
  if (next !== undefined && statusOf(next) === statusOf(exchange)) {
    return none(`our own credential got ${answerPhrase(exchange)} too`, remedyFor(exchange, evidence));
  }
  const valid = evidence.validStatuses(exchange);
  if ([...valid].some((status) => status >= 200 && status < 300)) return PASS;
  if (valid.size > 0 && !valid.has(statusOf(exchange) ?? 0)) return PASS;
  if (isOtherwiseAccepted(exchange, evidence)) return PASS;
  return none('the same request with our own credential was not accepted', remedyFor(exchange, evidence));
}

/** Whether a call of its own was accepted that differs from this one in the id alone. */
function hasCallOfItsOwn(exchange: Exchange, name: CallIdName, { exchanges }: Evidence): boolean {
  const judged = Object(jsonOf(exchange));
  return exchanges
    .filter((one) => isOfOthers(one) && isOfItsOwn(one) && isAccepted(one))
    .some((one) => {
      const own = Object(jsonOf(one));
      return typeof own[name] === 'string' && isEqualJson({ ...own, [name]: judged[name] }, judged);
    });
}

/** Whether the id is known to be good for a call: our own credential placed one with it. */
const isOfAcceptedCall = (exchange: Exchange, name: CallIdName, evidence: Evidence): boolean =>
  evidence
    .controls('createCall')
    .filter(isAccepted)
    .some(
      (one) => String(Object(jsonOf(one))[name]).toLowerCase() === String(Object(jsonOf(exchange))[name]).toLowerCase(),
    );

/** The settings that a call of its own is made of. */
const OTHERS_CALL = ['PCS_OTHER_ORG_CALL_FROM', ...Object.values(OTHERS_ID)] as const;

/** What a call of its own was answered: nothing is shown where that was rejected. */
function ofItsOwnCall(exchange: Exchange, { facts }: Evidence): Opinion {
  const own = `${answerPhrase(exchange)} to ${describedIn(exchange.tag)}`;
  if (isAccepted(exchange)) return none(own);
  const names = OTHERS_CALL.filter((name) => facts.settings.includes(name));
  return none(
    own,
    `check ${listed(names)}: PCS_OTHER_ORG_ACCESS_TOKEN must be able to place calls so${said(exchange)}`,
  );
}

/** Whether the answer shows the id that the request named, in a member of that name. */
function showsId({ request, response }: Exchange, name: CallIdName): boolean {
  const sent = request.body?.members.find(({ pointer }) => pointer === `/${name}`)?.digest;
  const shown = response?.body?.members.filter(({ pointer }) => pointer.endsWith(`/${name}`)) ?? [];
  return sent !== undefined && shown.some(({ digest }) => digest === sent);
}

/** The record of the call is the proof: a target that shows no id may not look at it when a call is created. */
function callIsolated(exchange: Exchange, evidence: Evidence): Opinion {
  if (isOfItsOwn(exchange)) return ofItsOwnCall(exchange, evidence);
  const name = exchange.tag.asks[0]?.variation as CallIdName;
  if (isAccepted(exchange)) {
    if (showsId(exchange, name)) return foundAccess(exchange);
    return none(`the response shows no ${name}, so the target may not have used it`);
  }
  const opinion = fromStatus(exchange) ?? quotes(exchange, evidence);
  if (opinion !== null) return opinion;
  if (!hasCallOfItsOwn(exchange, name, evidence)) {
    const own = evidence.exchanges.findLast((one) => isOfItsOwn(one) && Object(jsonOf(one))[name] !== undefined);
    const reason = `the other organization placed no call with a ${name} of its own`;
    return own === undefined ? none(reason, remedyOf(OTHERS_ID[name])) : ofItsOwnCall(own, evidence);
  }
  return isOfAcceptedCall(exchange, name, evidence)
    ? PASS
    : none(`our own credential placed no call with this ${name}`, remedyForControl(exchange, evidence));
}

const OF_OTHERS = { level: 'must', section: '5', needs: 'PCS_OTHER_ORG_ACCESS_TOKEN' } as const;

export const ORGANIZATIONS = [
  {
    ...OF_OTHERS,
    id: 'ORG-ISOLATION',
    statement: "Another organization's credential cannot read, list, change or control this organization's resources.",
    operations: OWNED,
    opportunistic: 'the list shows no resource of this organization that is named in the settings',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    expect: unlessSameOrganization(isolated),
  },
  {
    ...OF_OTHERS,
    id: 'ORG-CALL',
    statement:
      "Another organization's credential cannot place a call through this organization's trunk or application.",
    operations: ['createCall'],
    opportunistic: 'the target accepts any id, and shows none',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    expect: unlessSameOrganization(callIsolated),
  },
] as const satisfies readonly Requirement[];
