/**
 * Whether the optional credentials of the settings are what their names say. If everything the target answers fits a
 * wrong setting just as well, no verdict rests on them (docs/design/attribution.md).
 */

import { groupBy } from '../../src/contract/lists.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import {
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
import type { Judge } from '../../src/verdict/judgements.ts';
import { inconclusive, type Opinion } from '../../src/verdict/opinion.ts';
import type { Expectation } from '../../src/verdict/requirement.ts';
import { isOneOf, LISTS, SHARED } from '../operations.ts';
import { OTHER_ORGANIZATION } from './remedy.ts';

/** Resources that belong to one organization and may appear in a list; a provider serves many. */
export const OWNED_SETTINGS: readonly string[] = [
  SETTING_OF.trunk,
  SETTING_OF.number,
  SETTING_OF.carrierConnection,
  SETTING_OF.voiceApplication,
];

const ownedIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.flatMap(({ response }) => response?.body?.mentions ?? []).filter((one) => OWNED_SETTINGS.includes(one));

/** What one answer to the other credential says: the same organization, another one, or nothing. `own`: what ours got there. */
function comparison(exchange: Exchange, own: readonly Exchange[]): 'same' | 'another' | null {
  const { tag, request, response } = exchange;
  if (!tag.documented || own.length === 0 || isOneOf(SHARED, tag.operation)) return null;
  if (isOneOf(LISTS, tag.operation)) {
    const owned = ownedIn(own);
    if (!isAccepted(exchange) || owned.length === 0) return null;
    if (ownedIn([exchange]).some((setting) => owned.includes(setting))) return 'same';
    return response?.body?.cut === true ? null : 'another';
  }
  if (isAccepted(exchange)) return 'same';
  // A second key of the same organization may lack the right to write, but every key sees what it may read.
  return statusOf(exchange) === 404 || (isAboutRequest(exchange) && request.method === 'GET') ? 'another' : null;
}

/** The question whether the other organization may assign our number to a connection of its own. */
export const OWN_CONNECTION = 'its own connection';

/** The variation in which we assign our number to a connection of the other organization. */
export const THEIR_CONNECTION = 'our number to its connection';

/** Whether an exchange asks that question. A rejection may concern that connection rather than the credential. */
export const isOfOwnConnection = ({ tag }: Exchange): boolean =>
  tag.asks.some(({ variation }) => variation === OWN_CONNECTION);

/** Whether no answer separates the two credentials, and some show that both see the same. */
export function isSameOrganization({ exchanges }: Pick<Evidence, 'exchanges'>): boolean {
  const targetOf = ({ request }: Exchange): string => `${request.method} ${request.path}`;
  const ours = groupBy(
    exchanges.filter((one) => isOurs(one) && isAccepted(one)),
    targetOf,
  );
  const others = exchanges.filter((one) => isOfOthers(one) && !isOfOwnConnection(one) && one.tag.role !== 'candidate');
  const seen = others.map((one) => comparison(one, ours.get(targetOf(one)) ?? []));
  return seen.includes('same') && !seen.includes('another');
}

const isOfRevoked = ({ request }: Exchange): boolean => request.credential === 'revoked';

/** Whether the revoked credential was rejected somewhere as an unknown credential is, and not for rights or resources. */
function isKnownAsRevoked({ exchanges }: Evidence): boolean {
  const unknown = exchanges.filter(({ request }) => ['wrong-secret', 'none'].includes(request.credential));
  return exchanges.filter(isOfRevoked).some((one) => {
    const isAboutCredential = statusOf(one) === 401 || isOneOf([...LISTS, 'searchAvailableNumbers'], one.tag.operation);
    if (!isRejected(one) || isRetryable(one) || !isAboutCredential) return false;
    return unknown.some((other) => isSameTarget(one, other) && statusOf(one) === statusOf(other));
  });
}

/** Remembers the answer to a question about the whole run, which each expectation asks again. */
export function once<Told>(question: (evidence: Evidence) => Told): (evidence: Evidence) => Told {
  const answers = new WeakMap<Evidence, { readonly told: Told }>();
  return (evidence) => {
    const answer = answers.get(evidence) ?? { told: question(evidence) };
    answers.set(evidence, answer);
    return answer.told;
  };
}

const seemsTheSame = once(isSameOrganization);
const seemsAlive = once((evidence) => {
  const isAcceptedSomewhere = evidence.exchanges.some((one) => isOfRevoked(one) && isAccepted(one));
  return isAcceptedSomewhere && !isKnownAsRevoked(evidence);
});

const SAME_ORGANIZATION: Opinion = inconclusive(
  'PCS_OTHER_ORG_ACCESS_TOKEN gets what PCS_ACCESS_TOKEN gets: it belongs to the same organization, or the target does not separate organizations',
  OTHER_ORGANIZATION,
);

const NOT_REVOKED: Opinion = inconclusive(
  'no operation rejects PCS_REVOKED_ACCESS_TOKEN as an unknown credential: it is not revoked, or revoking has no effect',
  'check PCS_REVOKED_ACCESS_TOKEN: it must be revoked; if it is, revoking has no effect in the service',
);

/** The same for a judge that is asked once the run is over. */
export const ofAnotherOrganization =
  (judge: Judge): Judge =>
  (evidence) =>
    seemsTheSame(evidence) ? SAME_ORGANIZATION : judge(evidence);

/** Judges the other organization's credential, unless it may belong to the same organization. */
export const unlessSameOrganization =
  (expectation: Expectation): Expectation =>
  (exchange, evidence) =>
    seemsTheSame(evidence) ? SAME_ORGANIZATION : expectation(exchange, evidence);

/** Judges the revoked credential unless it may still be valid, and then by `otherwise`; judges other credentials always. */
export const unlessAlive =
  (expectation: Expectation, otherwise: Opinion = NOT_REVOKED): Expectation =>
  (exchange, evidence) =>
    isOfRevoked(exchange) && seemsAlive(evidence) ? otherwise : expectation(exchange, evidence);
