/** Symptoms: what a network or a gateway may have caused, and not the service (conformance model, section 5). */

import type { Exchange } from './exchange.ts';
import { headerValue } from './message.ts';

/** Statuses by which an HTTP parser says that the path or the header is too long for it. */
const TOO_LONG: readonly number[] = [414, 431];
/** Statuses with which an HTTP parser rejects a body in chunks (RFC 9112, section 6.1; RFC 9110, section 15.5.12). */
const OF_CHUNKS: readonly number[] = [400, 411, 501];

/** Whether the rejection may come from the HTTP parser, which knows nothing of the interface. */
export function isOfTheParser({ request: { credential, headers }, response }: Exchange): boolean {
  const status = response?.status ?? 0;
  if (TOO_LONG.includes(status) || (credential === 'non-ascii' && status === 400)) return true;
  return OF_CHUNKS.includes(status) && headerValue(headers, 'transfer-encoding') !== undefined;
}

/**
 * A plain exchange: documented method and path, and a well-formed or known id for each placeholder. An HTTP parser may
 * answer by itself: 400 to a field that is not ASCII, as to any other malformed request, 414 or 431, and to a body in
 * chunks.
 */
export function isPlain(exchange: Exchange): boolean {
  const { tag } = exchange;
  return tag.documented && tag.ids !== 'malformed' && !isOfTheParser(exchange);
}

const PAGE = 'error that is not JSON';

/** A page: an error without a body, or with one that is not JSON. */
export function isPage({ response }: Pick<Exchange, 'response'>): boolean {
  if (response === null || response.status < 400) return false;
  return response.body === null || (response.body.json === 'invalid' && response.body.cut !== true);
}

/**
 * A symptom as a key that equal symptoms of an operation share, or `null`: no complete response, a 5xx other than 503, a page.
 * Such a request is sent again before its answer is believed.
 */
export function symptomOf(exchange: Exchange): string | null {
  const { failure, response, tag } = exchange;
  const status = response?.status ?? 0;
  if (failure === null && status < 400) return null;
  const operation = tag.operation ?? 'undocumented';
  if (failure !== null) return `${operation}: ${failure.kind}`;
  // Whatever the id, a 5xx may be that of a gateway.
  const isJudged = status >= 500 ? tag.documented && !isOfTheParser(exchange) : isPlain(exchange);
  if (!isJudged && status !== 502 && status !== 504) return null;
  if (status >= 500 && status !== 503) return `${operation}: ${status}`;
  return isPage(exchange) ? `${operation}: ${PAGE}` : null;
}
