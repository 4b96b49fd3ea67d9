/** How choices are read from the record, and the phrases that describe a response. */

import { groupBy } from '../../src/contract/lists.ts';
import { otherSlashForm } from '../../src/contract/operations.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { ReadChoices } from '../../src/run/requirement.ts';
import { headerOf, isAccepted, isOurs, isRetryable, operationOf, routeOf, statusOf } from '../../src/verdict/answer.ts';

/** A word that no list of accepted values contains. */
export const UNKNOWN_WORD = 'pcs-conformance';

/** A member that no body of the interface has. */
export const UNKNOWN_MEMBER = 'pcs_conformance_note';

/** Whether the valid credential was sent and recognized: otherwise the response is not about the request itself. */
export const isHeard = (exchange: Exchange): boolean => isOurs(exchange) && statusOf(exchange) !== 401;

function redirectPhrase(exchange: Exchange): string {
  const path = headerOf(exchange, 'location')
    ?.replace(/^[a-z]+:\/\/[^/]+/i, '')
    .replace(/[?#].*$/s, '');
  return path?.endsWith(otherSlashForm(routeOf(exchange))) === true ? 'to the other slash form' : 'to elsewhere';
}

/** The answer in a phrase: `accepted (200)`, `rejected (404)`, `redirected (308) to the other slash form`. */
export function outcomePhrase(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === null) return `no complete response (${exchange.failure?.kind ?? 'unknown'})`;
  if (isAccepted(exchange)) return `accepted (${status})`;
  if (isRetryable(exchange)) return `retryable (${status})`;
  if (status >= 500) return `failed (${status})`;
  return status >= 400 ? `rejected (${status})` : `redirected (${status}) ${redirectPhrase(exchange)}`;
}

type Concerns = (exchange: Exchange) => boolean;

const always: Concerns = () => true;

/** Choices, one or none for each exchange that concerns the gap. */
export function perExchange(phraseOf: (exchange: Exchange) => string | null, concerns = always): ReadChoices {
  return ({ exchanges }, gap) =>
    exchanges.filter(concerns).flatMap((exchange) => {
      const choice = phraseOf(exchange);
      return choice === null ? [] : [{ gap, operation: operationOf(exchange), choice }];
    });
}

/** Choices, one or several for each operation, by the exchanges that concern the gap. */
export function perOperation(
  phrasesOf: (own: readonly Exchange[]) => readonly string[],
  concerns = always,
): ReadChoices {
  return ({ exchanges }, gap) =>
    [...groupBy(exchanges.filter(concerns), operationOf)].flatMap(([operation, own]) =>
      phrasesOf(own).map((choice) => ({ gap, operation, choice })),
    );
}

/** Several readings of one gap. */
export const allOf =
  (...readers: readonly ReadChoices[]): ReadChoices =>
  (observed, gap) =>
    readers.flatMap((read) => read(observed, gap));

type Phrase = (exchange: Exchange, plain: Exchange | undefined) => string;

/**
 * The responses to requests that probe the gap. If a request probes several gaps, its acceptance counts for all of
 * them; its rejection does not show which one caused it. `plain` is an accepted request to the operation that probes no
 * gap.
 */
export function asked(phraseOf: Phrase = outcomePhrase, isAnswer = isHeard): ReadChoices {
  return ({ exchanges, asksOf }, gap) => {
    const isPlain = (one: Exchange): boolean =>
      isHeard(one) && isAccepted(one) && asksOf(one).length === 0 && one.tag.documented;
    return exchanges.filter(isAnswer).flatMap((exchange) => {
      const asks = asksOf(exchange);
      const own = asks.filter((ask) => ask.gap === gap);
      const isMixed = own.length < asks.length;
      if (own.length === 0 || (isMixed && !isAccepted(exchange))) return [];
      const operation = operationOf(exchange);
      const plain = exchanges.find((one) => operationOf(one) === operation && isPlain(one));
      return own.map(({ label }) => ({ gap, operation, choice: `${label}: ${phraseOf(exchange, plain)}` }));
    });
  };
}
