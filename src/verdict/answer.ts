/** What several requirements read from an exchange. */

import { SHOWN } from '../contract/limits.ts';
import { isRetryableStatus, isSuccess, UNAVAILABLE } from '../contract/waiting.ts';
import type { Exchange, RecordedBody } from '../exchange/exchange.ts';
import { withoutIds } from '../exchange/facts.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { headerValue, headerValues } from '../exchange/message.ts';

export { isOfTheParser, isPlain, symptomOf } from '../exchange/exchange.ts';

/** The operation of a request as cases name it. */
export const operationOf = ({ tag }: Exchange): string => tag.operation ?? 'undocumented';

/** Status of the answer; `null` if there was no complete answer. */
export const statusOf = ({ response }: Exchange): number | null => response?.status ?? null;

declare const ACCEPTED: unique symbol;

/** An exchange whose answer is a 2xx. */
export type AcceptedExchange = Exchange & { readonly [ACCEPTED]: true };

/** Whether the answer is a 2xx. */
export const isAccepted = (exchange: Exchange): exchange is AcceptedExchange => isSuccess(statusOf(exchange));

/** Whether the answer is a 3xx. */
export const isRedirect = (exchange: Exchange): boolean => Math.floor((statusOf(exchange) ?? 0) / 100) === 3;

/** Whether the answer is an error: 4xx or 5xx. */
export const isError = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) >= 400;

/** Whether the answer is a 4xx. */
export const isRejected = (exchange: Exchange): boolean => isError(exchange) && (statusOf(exchange) ?? 0) < 500;

/** Whether the status neither accepts nor rejects: 408, 425, 429, 503 (conformance model, section 5). */
export const isRetryable = (exchange: Exchange): boolean => isRetryableStatus(statusOf(exchange));

/** A 5xx with which the service fails; a 503 only asks to retry later. */
export const isServerFailure = (exchange: Exchange): boolean =>
  (statusOf(exchange) ?? 0) >= 500 && statusOf(exchange) !== UNAVAILABLE;

/** Whether a 4xx is about the request itself: not the credential, not the rate. */
export const isAboutRequest = (exchange: Exchange): boolean =>
  isRejected(exchange) && statusOf(exchange) !== 401 && !isRetryable(exchange);

/** Whether the request carried the valid credential. */
export const isOurs = ({ request }: Exchange): boolean => request.credential === 'valid';

/** Whether the request carried the credential of the other organization. */
export const isOfOthers = ({ request }: Exchange): boolean => request.credential === 'other-organization';

/** Whether two requests have the same method and path. */
export const isSameTarget = ({ request: a }: Exchange, { request: b }: Exchange): boolean =>
  a.method === b.method && a.path === b.path;

/** The body of the answer, or `null`. */
export const bodyOf = ({ response }: Exchange): RecordedBody | null => response?.body ?? null;

/** Whether the body of the answer is not JSON, such as the page of a web site, whatever the status. */
export const isWebPage = (exchange: Exchange): boolean => bodyOf(exchange)?.json === 'invalid';

/** Whether an unknown route got the same status; if that alone got a page, an operation gave the other answer. */
export const isAsUnknown = (exchange: Exchange, unknown: Exchange): boolean =>
  statusOf(unknown) === statusOf(exchange) && (isWebPage(exchange) || !isWebPage(unknown));

/** First value of a header field of the answer, by its name in lower case. */
export function headerOf({ response }: Exchange, name: string): string | undefined {
  return headerValue(response?.headers ?? [], name);
}

/** Every value of a header field of the answer that may come several times, by its name in lower case. */
export const headersOf = ({ response }: Exchange, name: string): readonly string[] =>
  headerValues(response?.headers ?? [], name);

/** The last sending of the request of an exchange. In an edited record an exchange may replace itself. */
export function lastSendings(exchanges: readonly Exchange[]): (exchange: Exchange) => Exchange {
  const next = new Map(exchanges.map((exchange) => [exchange.tag.replaces, exchange]));
  const lastOf = (exchange: Exchange): Exchange => {
    const later = next.get(exchange.seq);
    return later === undefined || later.seq <= exchange.seq ? exchange : lastOf(later);
  };
  return lastOf;
}

/** The path of the request without its query. */
export const routeOf = ({ request }: Exchange): string => request.path.replace(/\?.*$/s, '');

/** The answer in a noun phrase: `status 422`, `no complete response (timeout)`. */
export function answerPhrase({ response, failure }: Exchange): string {
  return response === null ? `no complete response (${failure?.detail ?? 'unknown'})` : `status ${response.status}`;
}

/** The status, code and message of an error, as a key that equal errors share. */
export const errorWordingOf = (exchange: Exchange): string =>
  `${statusOf(exchange)} ${bodyOf(exchange)?.wording ?? bodyOf(exchange)?.text ?? ''}`;

/** Whether the status is about the body; 402, 403, 404 and 409 are about the state of the target. */
export const isAboutBody = (exchange: Exchange): boolean => [400, 415, 422].includes(statusOf(exchange) ?? 0);

/** The target's own message in an envelope, on one line and bounded; `null` without at least two words. */
export function messageOf(exchange: Exchange): string | null {
  const { error } = Object(parsedJson(bodyOf(exchange)?.text ?? ''));
  const message: unknown = Object(error).message;
  if (typeof message !== 'string') return null;
  const line = withoutIds(message.slice(0, 1_000))
    .replace(/[\s\p{C}"]+/gu, ' ')
    .trim();
  if (!line.includes(' ')) return null;
  return line.length <= SHOWN.line ? line : `${line.slice(0, SHOWN.line - 1).trimEnd()}…`;
}

/** Whether the request's media type is JSON without parameters. */
export const isPlainJson = ({ request }: Exchange): boolean =>
  request.headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value === 'application/json');
