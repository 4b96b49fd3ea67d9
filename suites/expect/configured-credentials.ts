/**
 * Whether the optional credentials of the settings are what their names say. If all answers fit a wrong setting equally
 * well, no verdict depends on them (docs/design/attribution.md).
 */

import { groupBy } from '../../src/contract/lists.ts';
import { remedyOf, SETTING_OF, type TargetSettingName } from '../../src/contract/settings.ts';
import { describedIn, type Exchange } from '../../src/exchange/exchange.ts';
import {
  answerPhrase,
  isAboutRequest,
  isAccepted,
  isOfOthers,
  isOurs,
  isRejected,
  isRetryable,
  isSameTarget,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { inconclusive, none, type Opinion, unshown } from '../../src/verdict/opinion.ts';
import type { Judge } from '../../src/verdict/record.ts';
import { asksFor, type Expects } from '../../src/verdict/requirement.ts';
import { isOneOf, LISTS, SHARED } from '../operations.ts';
import type { RequirementId } from '../report-order.ts';
import { OTHER_ORGANIZATION, said } from './remedy.ts';

/** Caches the answer to a question about the whole run, which every expectation asks again. */
export function once<Told>(question: (evidence: Evidence) => Told): (evidence: Evidence) => Told {
  const answers = new WeakMap<Evidence, { readonly told: Told }>();
  return (evidence) => {
    const answer = answers.get(evidence) ?? { told: question(evidence) };
    answers.set(evidence, answer);
    return answer.told;
  };
}

/** Resources of a single organization that may appear in a list; a provider serves many organizations. */
export const OWNED_SETTINGS: readonly string[] = [
  SETTING_OF.trunk,
  SETTING_OF.number,
  SETTING_OF.carrierConnection,
  SETTING_OF.voiceApplication,
];

const ownedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.flatMap(({ response }) => response?.body?.mentions ?? []).filter((name) => OWNED_SETTINGS.includes(name));

/** What an answer to the other credential shows: the same organization, another, or nothing. `ours`: ours there. */
function comparison(exchange: Exchange, ours: readonly Exchange[]): 'same' | 'another' | null {
  const { tag, request, response } = exchange;
  if (!tag.documented || ours.length === 0 || isOneOf(SHARED, tag.operation)) return null;
  if (isOneOf(LISTS, tag.operation)) {
    const owned = ownedIn(ours);
    if (!isAccepted(exchange) || owned.length === 0) return null;
    if (ownedIn([exchange]).some((setting) => owned.includes(setting))) return 'same';
    return response?.body?.cut === true ? null : 'another';
  }
  if (isAccepted(exchange)) return 'same';
  // A second key of the same organization may have no write access, but every key sees what it may read.
  return statusOf(exchange) === 404 || (isAboutRequest(exchange) && request.method === 'GET') ? 'another' : null;
}

/** The question whether the other organization may assign our number to a connection of its own. */
export const OWN_CONNECTION = 'its own connection';

/** Whether an exchange asks that question. A rejection may concern that connection rather than the credential. */
export const isOfOwnConnection = ({ tag }: Exchange): boolean =>
  tag.asks.some(({ variation }) => variation === OWN_CONNECTION);

/** Whether no answer distinguishes the two credentials, and some show that both see the same. */
export function isSameOrganization({ exchanges }: Pick<Evidence, 'exchanges'>): boolean {
  const targetOf = ({ request }: Exchange): string => `${request.method} ${request.path}`;
  const accepted = exchanges.filter((exchange) => isOurs(exchange) && isAccepted(exchange));
  const ours = groupBy(accepted, targetOf);
  const isTelling = (sent: Exchange): boolean => !isOfOwnConnection(sent) && sent.tag.role !== 'candidate';
  const theirs = exchanges.filter((exchange) => isOfOthers(exchange) && isTelling(exchange));
  const seen = theirs.map((exchange) => comparison(exchange, ours.get(targetOf(exchange)) ?? []));
  return seen.includes('same') && !seen.includes('another');
}

/** Whether an operation accepted the other organization's credential, or rejected it unlike a made-up one. */
const isKnownAsValid = once(({ exchanges }) => {
  const unknown = exchanges.filter(({ request }) => request.credential === 'wrong-secret');
  const isUnknown = (exchange: Exchange): boolean =>
    unknown.some((rejected) => isSameTarget(exchange, rejected) && [401, 403].includes(statusOf(rejected) ?? 0));
  // Statuses about a resource or a body: the request has passed the credential check.
  const isPast = (sent: Exchange): boolean => [400, 404, 409, 422].includes(statusOf(sent) ?? 0) && isUnknown(sent);
  return exchanges.some((exchange) => isOfOthers(exchange) && (isAccepted(exchange) || isPast(exchange)));
});

/** Statuses about the caller and its rights: they say nothing about the resource. */
const OF_RIGHTS: readonly (number | null)[] = [401, 402, 403];

/** The setting that gives the other organization a resource of its own for an operation. */
const OF_ITS_OWN: Readonly<Partial<Record<string, TargetSettingName>>> = {
  getTrunk: 'PCS_OTHER_ORG_TRUNK_ID',
  hangUpCall: 'PCS_OTHER_ORG_CALL_FROM',
};

/** Whether the target answers like this to an id that names nothing: the caller does not know the resource. */
const isAsUnknownId = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  statusOf(exchange) === 404 ||
  exchanges.some(
    ({ tag, response }) =>
      tag.operation === exchange.tag.operation && tag.ids === 'well-formed' && response?.status === statusOf(exchange),
  );

/** Whether the other organization was accepted there for a resource of its own. */
export const isAcceptedForItsOwn = (exchange: Exchange): boolean =>
  isOfOthers(exchange) && isAccepted(exchange) && !asksFor<RequirementId>('ORG-ISOLATION')(exchange);

/**
 * Why a rejection does not show that the organizations are separated: the credential may be invalid, or have no right
 * to use the operation, or a 409 or 422 may be about its organization's plan. It does if the same credential was
 * accepted for a resource of its own (`theirs`), or if the rejection is that for an unknown resource.
 */
export function unlessEntitled(exchange: Exchange, theirs: Exchange | undefined, evidence: Evidence): Opinion | null {
  if (!isKnownAsValid(evidence)) return NOWHERE_ACCEPTED;
  const { operation } = exchange.tag;
  if (evidence.exchanges.some((exchange) => exchange.tag.operation === operation && isAcceptedForItsOwn(exchange)))
    return null;
  const name = OF_ITS_OWN[operation ?? ''];
  if (theirs !== undefined && name !== undefined)
    return unshown(`${answerPhrase(theirs)} to ${describedIn(theirs.tag)}`, `check ${name}${said(theirs)}`, [name]);
  const isOfCaller = OF_RIGHTS.includes(statusOf(exchange));
  if (!isOfCaller && isAsUnknownId(exchange, evidence)) return null;
  const writes = exchange.request.method === 'GET' ? '' : '; the suite writes nothing into the other organization';
  const reason = `${answerPhrase(exchange)}, and nothing shows that this credential may use the operation at all${writes}`;
  if (!isOfCaller && name === undefined) return none(reason);
  const right = 'allow PCS_OTHER_ORG_ACCESS_TOKEN to use this operation';
  return none(reason, name === undefined || evidence.facts.settings.includes(name) ? right : remedyOf(name));
}

/** The setting that names a carrier connection of the second organization. */
export const THEIR_CONNECTION = 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID';

/** A rejection of their connection passes only if an answer to them shows it: made-up ones are rejected as well. */
export function unlessMadeUp(opinion: Opinion, { exchanges }: Evidence): Opinion {
  const isShown = (exchange: Exchange): boolean =>
    isOfOthers(exchange) &&
    isAccepted(exchange) &&
    exchange.response?.body?.mentions.includes(THEIR_CONNECTION) === true;
  if (opinion.kind !== 'pass' || exchanges.some(isShown)) return opinion;
  const reason = 'no list of the other organization shows that connection';
  const assign = 'assign a number of the other organization to it, so that its list of numbers shows it';
  return unshown(reason, `check ${THEIR_CONNECTION}, and ${assign}`, [THEIR_CONNECTION]);
}

const isOfRevoked = ({ request }: Exchange): boolean => request.credential === 'revoked';

/** Whether the revoked credential was rejected somewhere like an unknown credential, not for rights or resources. */
function isKnownAsRevoked({ exchanges }: Evidence): boolean {
  const unknown = exchanges.filter(({ request }) => ['wrong-secret', 'none'].includes(request.credential));
  return exchanges.filter(isOfRevoked).some((exchange) => {
    const isAboutCredential =
      statusOf(exchange) === 401 || isOneOf([...LISTS, 'searchAvailableNumbers'], exchange.tag.operation);
    if (!isRejected(exchange) || isRetryable(exchange) || !isAboutCredential) return false;
    return unknown.some((rejected) => isSameTarget(exchange, rejected) && statusOf(exchange) === statusOf(rejected));
  });
}

/** Whether a request has the revoked credential, which was rejected elsewhere like an unknown credential. */
export const isSurelyRevoked = (exchange: Exchange, evidence: Evidence): boolean =>
  isOfRevoked(exchange) && isKnownAsRevoked(evidence);

const seemsTheSame = once(isSameOrganization);
const seemsAlive = once((evidence) => {
  const isAcceptedSomewhere = evidence.exchanges.some((exchange) => isOfRevoked(exchange) && isAccepted(exchange));
  return isAcceptedSomewhere && !isKnownAsRevoked(evidence);
});

const SAME_ORGANIZATION: Opinion = inconclusive(
  'PCS_OTHER_ORG_ACCESS_TOKEN gets what PCS_ACCESS_TOKEN gets: it belongs to the same organization, or the target does not separate organizations',
  OTHER_ORGANIZATION,
);

const NOWHERE_ACCEPTED: Opinion = inconclusive(
  "no operation accepted the other organization's credential",
  'check PCS_OTHER_ORG_ACCESS_TOKEN: it must be valid, and allowed to read what the run does not leave out',
);

const NOT_REVOKED: Opinion = inconclusive(
  'no operation rejects PCS_REVOKED_ACCESS_TOKEN as an unknown credential: it is not revoked, or revoking has no effect',
  'check PCS_REVOKED_ACCESS_TOKEN: it must be revoked; if it is, revoking has no effect in the service',
);

/** Judges the other organization's credential, unless it may belong to the same organization. */
export const ofAnotherOrganization =
  (judge: Judge): Judge =>
  (evidence) =>
    seemsTheSame(evidence) ? SAME_ORGANIZATION : judge(evidence);

/** Judges the revoked credential by `otherwise` if it may still be valid; always judges other credentials. */
export const unlessAlive =
  (expectation: Expects, otherwise: Opinion = NOT_REVOKED): Expects =>
  (exchange, evidence, compared) =>
    isOfRevoked(exchange) && seemsAlive(evidence) ? otherwise : expectation(exchange, evidence, compared);
