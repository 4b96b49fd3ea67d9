/** Until one credentialed request was answered 2xx, three GETs that fail alike end the run (conformance model, 5). */

import type { Answer } from '../client/request.ts';
import type { OperationId } from '../contract/operations.ts';

/** The reads with which a run begins, in order. */
export const FIRST_READS: readonly OperationId[] = ['listTrunks', 'listNumbers', 'searchAvailableNumbers', 'getTrunk'];

/** How many reads must fail alike. */
const ALIKE = 3;

function looksLikeHtml(answer: Answer): boolean {
  return (
    answer.exchange.response?.headers.some(([name, value]) => /^content-type$/i.test(name) && /html/i.test(value)) ===
    true
  );
}

const isEndless = (answer: Answer): boolean => answer.exchange.response?.body?.cut === true;

function symptomOf(answer: Answer): string {
  if (answer.status === null) return answer.exchange.failure?.kind ?? 'no answer';
  // A broken target may report its failure in any form.
  if (answer.status >= 500 && answer.status !== 503) return '5xx';
  if (looksLikeHtml(answer)) return 'html';
  if (isEndless(answer)) return 'endless';
  return answer.status >= 300 && answer.status < 400 ? 'redirect' : String(answer.status);
}

function sentenceFor(symptom: string, answer: Answer, baseUrl: string): string {
  const detail = answer.exchange.failure?.detail ?? '';
  switch (symptom) {
    case '401':
    case '403':
      return `the target rejects the credential (status ${symptom} to every read): check PCS_ACCESS_TOKEN`;
    case '404': {
      const twice = /\/v1$/.test(baseUrl)
        ? '; the base URL ends in /v1, which the suite adds itself: leave it out'
        : '';
      return `the target knows none of the paths (status 404): check PCS_BASE_URL ${baseUrl}${twice}`;
    }
    case 'html':
      return `the target answers with HTML pages: ${baseUrl} is a web site, not this service; check PCS_BASE_URL`;
    case 'endless':
      return `the target answers every read with a body that exceeds the limit of 8 MiB: ${baseUrl} does not look like this service`;
    case 'redirect':
      return `the target redirects every read: check the scheme, host and path prefix of PCS_BASE_URL ${baseUrl}`;
    case '5xx':
    case '503':
      return `the target is broken or unavailable (status ${answer.status} to every read)`;
    case '429':
      return 'the target is rate-limiting this caller (status 429 to every read): try later';
    case 'tls':
      return `the target ${baseUrl} could not be reached: ${detail}; ${remedyForTls(detail)}`;
    case 'refused':
    case 'unresolved':
      return `the target ${baseUrl} could not be reached: ${detail}; check ${/the proxy/.test(detail) ? 'HTTP_PROXY, HTTPS_PROXY and NO_PROXY' : 'PCS_BASE_URL'}`;
    case 'timeout':
      return `the target ${baseUrl} does not answer: ${detail}; check PCS_BASE_URL or raise --timeout`;
    default:
      return `every read fails in the same way (${detail || `status ${symptom}`}): ${baseUrl} does not look like this service${otherwise(symptom, baseUrl)}`;
  }
}

/** Other possible reasons why a connection just ends. */
function otherwise(symptom: string, baseUrl: string): string {
  if (symptom !== 'reset') return '';
  return /^https:/i.test(baseUrl)
    ? ', or it asks for a client certificate (--cert and --key)'
    : ', or it speaks TLS (write https in PCS_BASE_URL)';
}

function remedyForTls(detail: string): string {
  if (/unknown authority/.test(detail)) return 'name its certificate authority with --ca';
  if (/another name/.test(detail)) return 'check the host name of PCS_BASE_URL';
  if (/expired|not valid yet/.test(detail)) return 'the target needs a certificate that is valid today';
  return 'check the scheme and port of PCS_BASE_URL, or give a client certificate with --cert and --key';
}

/** Watches the first answers. */
export class Preflight {
  readonly #baseUrl: string;
  /** How many responses failed in which way; one that the network lost does not count as a different way. */
  readonly #failures = new Map<string, number>();
  #passed = false;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Whether a credentialed request was answered 2xx. */
  get passed(): boolean {
    return this.#passed;
  }

  /** What is wrong with the target, judged by one answer alone, or `null`. */
  explain(answer: Answer): string | null {
    if (answer.accepted && !looksLikeHtml(answer) && !isEndless(answer)) return null;
    return sentenceFor(symptomOf(answer), answer, this.#baseUrl);
  }

  /** Notes one answer; returns the sentence that ends the run, or `null`. */
  note(answer: Answer): string | null {
    if (this.explain(answer) === null) this.#passed = true;
    if (this.#passed) return null;
    const symptom = symptomOf(answer);
    const count = (this.#failures.get(symptom) ?? 0) + 1;
    this.#failures.set(symptom, count);
    return count < ALIKE ? null : sentenceFor(symptom, answer, this.#baseUrl);
  }
}
