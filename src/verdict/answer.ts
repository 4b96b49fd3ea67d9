/** Readings of an exchange that several checks share; all of them come from the record. */

import type { Exchange, RecordedBody } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';

/** Status of the answer, or `null` where there was no complete one. */
export function statusOf(exchange: Exchange): number | null {
  return exchange.response?.status ?? null;
}

/** Whether the answer is a 2xx. */
export function isAccepted(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== null && status >= 200 && status < 300;
}

/** Whether the answer is an error: 4xx or 5xx. */
export function isError(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status !== null && status >= 400;
}

/** 408, 425, 429 and 503 neither accept nor refuse (conformance model, section 5). */
export function isNoAnswer(exchange: Exchange): boolean {
  return [408, 425, 429, 503].includes(statusOf(exchange) ?? 0);
}

/** A plain exchange: documented method and path, and a well-formed or known id for each placeholder. */
export function isPlain(exchange: Exchange): boolean {
  return exchange.tag.documented && exchange.tag.ids !== 'malformed';
}

/** The body of the answer, or `null`. */
export function bodyOf(exchange: Exchange): RecordedBody | null {
  return exchange.response?.body ?? null;
}

/** First value of a header of the answer. */
export function headerOf(exchange: Exchange, name: string): string | undefined {
  return headerValue(exchange.response?.headers ?? [], name);
}

/** The answer in a noun phrase: `status 422`, `no complete answer (timeout)`. */
export function answerPhrase(exchange: Exchange): string {
  if (exchange.response !== null) return `status ${exchange.response.status}`;
  return `no complete answer (${exchange.failure?.detail ?? 'unknown'})`;
}

/**
 * What a network or a gateway could have forged, as a key for telling equal symptoms, or `null`: no complete answer,
 * 502, 504, an error that is not JSON. Such a symptom is repeated before it is believed (conformance model, 5).
 */
export function symptomOf(exchange: Exchange): string | null {
  const operation = exchange.tag.operation ?? 'undocumented';
  if (exchange.failure !== null) return `${operation}: ${exchange.failure.kind}`;
  const status = statusOf(exchange);
  if (status === 502 || status === 504) return `${operation}: ${status}`;
  if (!isPlain(exchange) || !isError(exchange)) return null;
  const body = bodyOf(exchange);
  if (body === null) return `${operation}: error without a body`;
  return body.json === 'invalid' && body.cut !== true ? `${operation}: error that is not JSON` : null;
}
