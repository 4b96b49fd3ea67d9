/** Choices about what was sent: ids in paths, the other slash form, bodies that suffice, application beside trunk. */

import { type OperationId, operationById } from '../../contract/operations.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isAccepted } from '../answer.ts';
import { byOperation, type Choice, isHeard, outcomeOf, perExchange, type Reader, routeOf } from './choice.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ids of an accepted request: UUIDs, or something else. */
function idForm(exchange: Exchange): string | null {
  const template = operationById(exchange.tag.operation as OperationId).path.split('/');
  const ids = routeOf(exchange)
    .split('/')
    .filter((_, at) => template[at]?.startsWith('{'));
  if (ids.length === 0) return null;
  return ids.every((id) => UUID.test(id)) ? 'UUIDs' : 'other than UUIDs';
}

/** Member names at the top of the request's body; `null` where it is no object. */
function sentNames({ request }: Exchange): readonly string[] | null {
  const members = request.body?.members ?? [];
  if (members[0]?.type !== 'object') return null;
  const names = members.map(({ pointer }) => pointer.slice(1)).filter((name) => name !== '' && !name.includes('/'));
  return [...new Set(names)].sort();
}

const UPDATES: ReadonlySet<string> = new Set(['updateVoiceApplication', 'setInboundAuth', 'updateTrunk']);

/** The accepted bodies with the fewest members. */
function smallest(own: readonly Exchange[]): readonly string[] {
  const bodies = own
    .filter(isAccepted)
    .map(sentNames)
    .filter((names) => names !== null);
  const least = Math.min(...bodies.map((names) => names.length));
  return bodies
    .filter((names) => names.length === least)
    .map((names) => (names.length === 0 ? 'no member is required' : `enough: ${names.join(', ')}`));
}

function sufficient(exchanges: readonly Exchange[]): readonly Choice[] {
  return [...byOperation(exchanges)]
    .filter(([operation]) => UPDATES.has(operation))
    .flatMap(([operation, own]) => smallest(own).map((choice) => ({ gap: 'GAP-UPDATE-REQUIRED', operation, choice })));
}

/** Which of the two ids a valid call names, and what it gets. */
function named(exchange: Exchange): string {
  const has = (name: string): boolean =>
    exchange.request.body?.members.some(({ pointer, type }) => pointer === name && type === 'string') === true;
  const [application, trunk] = [has('/application_id'), has('/trunk_id')];
  const which = application ? (trunk ? 'both' : 'application_id only') : trunk ? 'trunk_id only' : 'neither';
  return `${which}: ${outcomeOf(exchange)}`;
}

/** Choices about requests with the good credential. */
export const requestChoices: Reader = (exchanges) => {
  const heard = exchanges.filter((exchange) => isHeard(exchange) && exchange.tag.operation !== null);
  const documented = heard.filter(({ tag }) => tag.documented);
  const accepted = documented.filter((exchange) => exchange.tag.ids === 'named' && isAccepted(exchange));
  const calls = documented.filter(({ tag }) => tag.operation === 'createCall' && tag.control);
  return [
    ...perExchange('GAP-ID-FORM', accepted, idForm),
    ...perExchange(
      'GAP-OTHER-SLASH-FORM',
      heard.filter(({ tag }) => !tag.documented),
      outcomeOf,
    ),
    ...sufficient(documented),
    ...perExchange('GAP-APPLICATION-VERSUS-TRUNK', calls, named),
  ];
};
