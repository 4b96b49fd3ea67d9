/** What a choice is, and the few phrases in which choices speak of an answer. */

import { otherSlashForm } from '../../contract/operations.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { headerValue } from '../../exchange/message.ts';
import { isAccepted, isNoAnswer, statusOf } from '../answer.ts';

/** What the target did where the interface is silent; never a value of a success body, never a time. */
export interface Choice {
  readonly gap: string;
  /** The documented operation, or `undocumented`. */
  readonly operation: string;
  readonly choice: string;
}

/** Reads choices of one kind off the exchanges that decide. */
export type Reader = (exchanges: readonly Exchange[]) => readonly Choice[];

/** The operation under which a choice is noted. */
export function operationOf({ tag }: Exchange): string {
  return tag.operation ?? 'undocumented';
}

/** Whether the good credential went out and was recognized: anything else is no choice about the request itself. */
export function isHeard(exchange: Exchange): boolean {
  return exchange.request.credential === 'valid' && statusOf(exchange) !== 401;
}

/** The path without its query. */
export function routeOf({ request }: Exchange): string {
  return request.path.replace(/\?.*$/s, '');
}

/** Header value, by its name in lower case. */
export function fieldOf({ response }: Exchange, name: string): string | undefined {
  return headerValue(response?.headers ?? [], name);
}

function whither(exchange: Exchange): string {
  const path = fieldOf(exchange, 'location')
    ?.replace(/^[a-z]+:\/\/[^/]+/i, '')
    .replace(/[?#].*$/s, '');
  return path?.endsWith(otherSlashForm(routeOf(exchange))) === true ? 'to the other slash form' : 'to elsewhere';
}

/** The answer in a phrase: `accepted (200)`, `refused (404)`, `redirected (308) to the other slash form`. */
export function outcomeOf(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === null) return `no complete answer (${exchange.failure?.kind ?? 'unknown'})`;
  if (isAccepted(exchange)) return `accepted (${status})`;
  if (isNoAnswer(exchange)) return `put off (${status})`;
  if (status >= 500) return `failed (${status})`;
  return status >= 400 ? `refused (${status})` : `redirected (${status}) ${whither(exchange)}`;
}

/** Exchanges by the operation under which their choices are noted. */
export function byOperation(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> {
  const groups = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const members = groups.get(operationOf(exchange)) ?? [];
    groups.set(operationOf(exchange), members);
    members.push(exchange);
  }
  return groups;
}

/** One choice of a gap for each operation and phrase; exchanges without a phrase say nothing. */
export function perExchange(
  gap: string,
  exchanges: readonly Exchange[],
  phraseOf: (exchange: Exchange) => string | null | readonly string[],
): readonly Choice[] {
  return exchanges.flatMap((exchange) =>
    [phraseOf(exchange) ?? []].flat().map((choice) => ({ gap, operation: operationOf(exchange), choice })),
  );
}
