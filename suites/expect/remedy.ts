/** Remedies for a valid request that was rejected for its resources, its values or the caller's permissions. */

import { OPERATIONS } from '../../src/contract/operations.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { statusOf } from '../../src/verdict/answer.ts';
import { isOneOf, UPDATES } from '../operations.ts';

/** The remedy for something that the target lacks at the moment. */
export const LATER = 'run again once the target can serve this request';

const RIGHT = 'allow PCS_ACCESS_TOKEN to use this operation';

/** Settings of the ids that a create-call body names. */
function idsNamedIn({ request }: Exchange): readonly string[] {
  const named = (pointer: string): boolean =>
    request.body?.members.some((member) => member.pointer === pointer && member.type === 'string') === true;
  const application = named('/application_id') ? [SETTING_OF.voiceApplication] : [];
  return named('/trunk_id') ? [...application, SETTING_OF.trunk] : application;
}

function settingsOf(exchange: Exchange): readonly string[] {
  const operation = OPERATIONS.find(({ id }) => id === exchange.tag.operation);
  if (operation === undefined) return [];
  if (operation.id === 'createCall') return ['PCS_CALL_FROM', 'PCS_CALL_TO', ...idsNamedIn(exchange)];
  return operation.resources.map((kind) => SETTING_OF[kind]);
}

/** What would help with the answer to a valid request. */
export function remedyFor(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === 503) return LATER;
  const isForbidden = status === 403;
  const { operation } = exchange.tag;
  if (operation === 'searchAvailableNumbers') {
    const query = 'set PCS_AVAILABLE_NUMBERS_QUERY to a query that the search accepts';
    return isForbidden ? `${query}, or ${RIGHT}` : query;
  }
  const sample = `give a body that the target accepts for ${operation} with --samples`;
  const settings = settingsOf(exchange);
  if (settings.length === 0) return RIGHT;
  const what = settings.length === 1 ? 'a resource' : 'resources';
  const named = `set ${settings.join(' and ')} to ${what} reserved for testing`;
  // A business rule may reject a body with any of these statuses.
  const hasBody = operation === 'createCall' || isOneOf(UPDATES, operation);
  const isInvalid = status === 400 || status === 422;
  const remedies = isInvalid && isOneOf(UPDATES, operation) ? [sample, named] : [named, ...(hasBody ? [sample] : [])];
  return [...remedies, ...(isForbidden ? [RIGHT] : [])].join(', or ');
}
