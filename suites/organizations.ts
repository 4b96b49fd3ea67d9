/** Another organization's credential gives no access to this organization's resources (section 5). */

import { operationById } from '../src/contract/operations.ts';
import { remedyOf, SETTING_OF } from '../src/contract/settings.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { Requirement } from '../src/run/requirement.ts';
import {
  answerPhrase,
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
import { isOfOwnConnection, OWNED_SETTINGS, unlessSameOrganization } from './expect/configured-credentials.ts';
import { endedBefore, noEffect } from './expect/effect.ts';
import { foundAccess, fromBody, fromStatus, quotes, showsRecord } from './expect/rejection.ts';
import { LATER, remedyFor, remedyForControl } from './expect/remedy.ts';
import { EVERY_OPERATION, isOneOf, LISTS, SHARED } from './operations.ts';

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

/** A hang-up that was rejected after its effect. */
const stillOpen = (exchange: Exchange, evidence: Evidence): Opinion | null =>
  exchange.tag.operation === 'hangUpCall' ? endedBefore(evidence.sibling(exchange, 'control'), evidence) : null;

/** The same request with the same credential, of a resource that does not exist. */
const madeUpFor = (exchange: Exchange, evidence: Evidence): Exchange | undefined =>
  evidence
    .siblings(exchange)
    .find(
      ({ tag, request }) =>
        tag.role === 'made-up-id' &&
        tag.operation === exchange.tag.operation &&
        request.credential === exchange.request.credential,
    );

const isLost = (exchange: Exchange): boolean => isRetryable(exchange) || [null, 502, 504].includes(statusOf(exchange));

/** The 2xx counts as access unless a made-up id gets the same, without anything that belongs to the owner. */
function accessed(exchange: Exchange, evidence: Evidence): Opinion {
  const madeUp = madeUpFor(exchange, evidence);
  if (madeUp === undefined) return inconclusive('no made-up id was sent with the same credential');
  if (isLost(madeUp)) return inconclusive('the answer to a made-up id was lost', LATER);
  if (statusOf(madeUp) !== statusOf(exchange) || showsRecord(exchange, madeUp, evidence)) return foundAccess(exchange);
  return none(`a made-up id got ${answerPhrase(madeUp)} too, with the same credential`);
}

/**
 * The other way round: our credential reads a trunk that the other organization's list shows. It counts as access only
 * beside a list of ours that is known to be whole and lacks the trunk, and a made-up id that is rejected.
 */
function readOfOthers(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isAccepted(exchange)) return none('a read of another organization was not accepted');
  const learned = evidence.siblings(exchange).flatMap(({ response }) => response?.learned ?? []);
  const read = learned.find(({ othersTrunk }) => exchange.request.path.endsWith(`/${othersTrunk?.id}`))?.othersTrunk;
  const own = learned.flatMap(({ trunks }) => trunks ?? []);
  if (read === undefined || own.length === 0) return none('no whole list of ours was read beside it');
  if (own.includes(read.digest)) return none('our own list shows that trunk too');
  const madeUp = madeUpFor(exchange, evidence);
  if (madeUp === undefined || !isRejected(madeUp) || isRetryable(madeUp)) return none('no made-up id was rejected');
  return foundAccess(exchange);
}

/** Our credential cannot name that connection, so an assignment to ours shows that the number can be assigned. */
const isOtherwiseAccepted = (exchange: Exchange, evidence: Evidence): boolean =>
  isOfOwnConnection(exchange) &&
  evidence
    .statusesAt(exchange.tag.operation, exchange.request.method, exchange.request.path)
    .some((status) => status >= 200 && status < 300);

/** Statuses about a resource or a body: who gets them has passed the check of the credential. */
const PAST_THE_CREDENTIAL: readonly (number | null)[] = [400, 404, 409, 422];

/** Whether an operation accepted the other credential, or rejected it otherwise than one that does not exist. */
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

function isolated(exchange: Exchange, evidence: Evidence): Opinion {
  if (isOurs(exchange)) return readOfOthers(exchange, evidence);
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

/** An id of the wrong kind stands for a made-up one: a target that accepts it looks nothing up, and gives no access. */
function callIsolated(exchange: Exchange, evidence: Evidence): Opinion {
  const isControl = ({ tag }: Exchange): boolean => tag.role === 'made-up-id' && tag.operation === 'createCall';
  if (isControl(exchange)) return none('it is what an id of this organization is compared with');
  if (!isAccepted(exchange)) return isolated(exchange, evidence);
  const variation = JSON.stringify(exchange.tag.asks);
  const wrong = evidence.exchanges.findLast((one) => isControl(one) && JSON.stringify(one.tag.asks) === variation);
  if (wrong === undefined || isLost(wrong))
    return inconclusive('no id of the wrong kind was answered beside it', LATER);
  return isRejected(wrong) ? foundAccess(exchange) : none('an id of the wrong kind was accepted too');
}

const OF_OTHERS = { level: 'must', section: '5', needs: 'PCS_OTHER_ORG_ACCESS_TOKEN' } as const;

export const ORGANIZATIONS = [
  {
    ...OF_OTHERS,
    id: 'ORG-ISOLATION',
    traffic: 'pair',
    statement: "Another organization's credential cannot read, list, change or control this organization's resources.",
    operations: OWNED,
    opportunistic: 'the list shows no resource of this organization that is named in the settings',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    send: { sequence: "organizations.ts: another organization's credential" },
    expect: unlessSameOrganization(isolated),
  },
  {
    ...OF_OTHERS,
    id: 'ORG-CALL',
    statement:
      "Another organization's credential cannot place a call through this organization's trunk or application.",
    operations: ['createCall'],
    opportunistic: 'the target accepts any id',
    explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET'],
    send: { sequence: "organizations.ts: another organization's call" },
    expect: unlessSameOrganization(callIsolated),
  },
  {
    ...OF_OTHERS,
    id: 'ORG-NO-EFFECT',
    traffic: 'pair',
    statement: "A change with another organization's credential has no effect.",
    operations: ['updateTrunk'],
    opportunistic: 'the response to getTrunk does not show the name of the trunk, so an effect would be invisible',
    explainedBy: ['AUTH-NO-EFFECT', 'ORG-ISOLATION'],
    send: { sequence: 'changes.ts: no effect' },
    expect: unlessSameOrganization(noEffect((form) => form === 'other-organization')),
  },
] as const satisfies readonly Requirement[];
