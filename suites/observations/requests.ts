/** What the requests of a run show beside what they ask: actions, ids, updates, parameters, methods. */

import { operationOf as operationAt } from '../../src/client/request-path.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { UUID } from '../../src/contract/uuid.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Choice, ReadChoices } from '../../src/run/requirement.ts';
import { bodyOf, headersOf, isAccepted, operationOf, routeOf } from '../../src/verdict/answer.ts';
import { isOneOf, UPDATES } from '../operations.ts';
import { isHeard, outcomePhrase, perExchange, perOperation } from './choices.ts';

const WORD_OF: Readonly<Record<string, string>> = {
  hangUpCall: 'hang-up',
  answerCall: 'answer',
  muteParticipant: 'mute',
};

/** The call or participant that an action applies to: the path without the action. */
const actedOn = (exchange: Exchange): string => routeOf(exchange).replace(/\/[^/]+$/, '');

type Course = (before: string | undefined, action: string, outcome: string) => string | null;

/** Choices about actions on calls and participants, by what was accepted last before them. */
export function courses(phraseOf: Course): ReadChoices {
  return ({ exchanges }, gap) => {
    const last = new Map<string, string>();
    return exchanges.flatMap((exchange): readonly Choice[] => {
      const action = WORD_OF[exchange.tag.operation ?? ''];
      const { ids, documented } = exchange.tag;
      if (action === undefined || ids !== 'named' || !documented || !isHeard(exchange)) return [];
      const choice = phraseOf(last.get(actedOn(exchange)), action, outcomePhrase(exchange));
      if (isAccepted(exchange)) last.set(actedOn(exchange), action);
      return choice === null ? [] : [{ gap, operation: operationOf(exchange), choice }];
    });
  };
}

export const after =
  (first: string, then: string): Course =>
  (before, action, outcome) =>
    before === first && action === then ? outcome : null;

export const transition: Course = (before, action, outcome) => {
  if (action === 'mute') return null;
  return `${before === undefined ? `${action} first` : `${action} after ${before}`}: ${outcome}`;
};

/** Compares with the response without the parameter; a small difference such as a timestamp does not count. */
export function withLength(exchange: Exchange, plain: Exchange | undefined): string {
  const outcome = outcomePhrase(exchange);
  if (!isAccepted(exchange) || plain === undefined) return outcome;
  const length = bodyOf(exchange)?.length ?? 0;
  const usual = bodyOf(plain)?.length ?? 0;
  if (length < usual * 0.8) return `${outcome}, shorter than without it`;
  return `${outcome}, ${length > usual * 1.2 ? 'longer than' : 'about as long as'} without it`;
}

export function withAllow(exchange: Exchange): string {
  const methods = headersOf(exchange, 'allow').flatMap((value) => value.split(','));
  const names = methods.map((method) => method.trim()).sort();
  return `${outcomePhrase(exchange)}, ${names.length === 0 ? 'no Allow' : `Allow: ${names.join(', ')}`}`;
}

/** The ids of an accepted request: UUIDs, or something else. */
function idForm(exchange: Exchange): string | null {
  const template = operationById(exchange.tag.operation as OperationId).path.split('/');
  const ids = routeOf(exchange)
    .split('/')
    .filter((_, at) => template[at]?.startsWith('{'));
  if (ids.length === 0) return null;
  return ids.every((id) => UUID.test(id)) ? 'UUIDs' : 'other than UUIDs';
}

/** What the ids of accepted requests look like. */
export const ofAcceptedIds = perExchange(
  idForm,
  (one) => isHeard(one) && one.tag.documented && one.tag.ids === 'named' && isAccepted(one),
);

const isOtherSlashForm = ({ request }: Exchange): boolean =>
  operationAt(request.method, request.path)?.documented === false;

/** What the other slash form of a path returns. */
export const ofOtherSlashForm = perExchange(outcomePhrase, (one) => isHeard(one) && isOtherSlashForm(one));

/** Member names at the top of the request's body; `null` where it is not an object. */
function sentNames({ request }: Exchange): readonly string[] | null {
  const members = request.body?.members ?? [];
  if (members[0]?.type !== 'object') return null;
  const names = members.map(({ pointer }) => pointer.slice(1)).filter((name) => name !== '' && !name.includes('/'));
  return [...new Set(names)].sort();
}

/** The accepted bodies with the fewest members. */
function smallest(own: readonly Exchange[]): readonly string[] {
  const bodies = own
    .filter(isAccepted)
    .map(sentNames)
    .filter((names) => names !== null);
  const least = Math.min(...bodies.map(({ length }) => length));
  const phrase = (names: readonly string[]) =>
    names.length === 0 ? 'no member is required' : `enough: ${names.join(', ')}`;
  return bodies.filter(({ length }) => length === least).map(phrase);
}

/** What is enough for an update. */
export const ofUpdates = perOperation(
  smallest,
  (one) => isHeard(one) && one.tag.documented && isOneOf(UPDATES, one.tag.operation),
);

/** Which of the two ids a valid call names, and the outcome. */
function idsNamed(exchange: Exchange): string {
  const has = (name: string): boolean =>
    exchange.request.body?.members.some(({ pointer, type }) => pointer === name && type === 'string') === true;
  const [application, trunk] = [has('/application_id'), has('/trunk_id')];
  const which = application ? (trunk ? 'both' : 'application_id only') : trunk ? 'trunk_id only' : 'neither';
  return `${which}: ${outcomePhrase(exchange)}`;
}

/** Which ids valid calls name, and what comes of them. */
export const ofValidCalls = perExchange(
  idsNamed,
  (one) => isHeard(one) && one.tag.documented && one.tag.operation === 'createCall' && one.tag.control,
);
