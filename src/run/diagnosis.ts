/** What a failed first read says of the settings: one sentence that names the setting and what to do. */

import type { Answer } from '../client/request.ts';
import { headerValue } from '../exchange/message.ts';
import { envelopeFault } from '../verdict/envelope.ts';

/** What is known of the target besides its answers. */
export interface Connection {
  /** The base URL as it may be shown. */
  readonly baseUrl: string;
  /** Whether header fields for a gateway are configured. */
  readonly hasGatewayHeader: boolean;
}

/** Statuses with which a gateway rejects a caller. */
const OF_A_GATEWAY: readonly (number | null)[] = [401, 403, 407];

const headerOf = ({ exchange }: Answer, name: string): string =>
  headerValue(exchange.response?.headers ?? [], name) ?? '';

const isHtml = (answer: Answer): boolean => /html/i.test(headerOf(answer, 'content-type'));
const isEndless = ({ exchange }: Answer): boolean => exchange.response?.body?.cut === true;

function isEnveloped({ exchange }: Answer): boolean {
  const body = exchange.response?.body;
  return body?.json === 'valid' && envelopeFault(body) === null;
}

/** Whether a read was accepted by something that may be the service. */
export const isPlausible = (answer: Answer): boolean => answer.accepted && !isHtml(answer) && !isEndless(answer);

/** How a read failed; answers that fail alike have equal symptoms. */
export function symptomOf(answer: Answer): string {
  if (answer.status === null) return answer.exchange.failure?.kind ?? 'no answer';
  // A broken target may report its failure in any form.
  if (answer.status >= 500 && ![503, 505].includes(answer.status)) return '5xx';
  if (isHtml(answer)) return 'html';
  if (isEndless(answer)) return 'endless';
  return answer.status >= 300 && answer.status < 400 ? 'redirect' : String(answer.status);
}

/** The sentence, without a full stop, for a target whose reads all fail as this one did. */
export function diagnose(answer: Answer, { baseUrl, hasGatewayHeader }: Connection): string {
  const symptom = symptomOf(answer);
  const detail = answer.exchange.failure?.detail ?? '';
  const gateway = hasGatewayHeader ? 'check the value of --header' : 'give the header that it needs with --header';
  switch (symptom) {
    case '401':
    case '407':
      return isEnveloped(answer)
        ? `the target rejects the credential (status ${symptom} to every read): check PCS_ACCESS_TOKEN`
        : `something in front of the service, or another service, rejects every read (status ${symptom}, not in the error format of the interface): check PCS_BASE_URL ${baseUrl} and PCS_ACCESS_TOKEN; if it is a gateway, ${gateway}`;
    case '403':
      return `the target rejects the credential or the caller (status 403 to every read): check PCS_ACCESS_TOKEN; if a gateway stands in front of it, ${gateway}, and let it allow the address of this machine`;
    case '404':
    case '405':
      return `the target knows none of the paths (status ${symptom}): check PCS_BASE_URL ${baseUrl}${twice(baseUrl)}`;
    case '400':
    case '422':
      return isEnveloped(answer)
        ? `the target rejects every read as invalid (status ${symptom}): set PCS_AVAILABLE_NUMBERS_QUERY to a query that the number search accepts`
        : `every read fails with status ${symptom}: ${baseUrl} does not look like this service; check PCS_BASE_URL${scheme(baseUrl)}`;
    case '426':
    case '505':
      return `the target does not accept HTTP/1.1 (status ${symptom}): ${THROUGH_PROXY}`;
    case 'html':
      if (OF_A_GATEWAY.includes(answer.status)) {
        return `a gateway, or a web site at ${baseUrl}, rejects every read with an HTML page (status ${answer.status}): check PCS_BASE_URL; if it is a gateway, ${gateway}, and let it allow the address of this machine`;
      }
      return `the target answers with HTML pages: ${baseUrl} is a web site, not this service; check PCS_BASE_URL${answer.status === 400 ? scheme(baseUrl) : ''}`;
    case 'endless':
      return `the target answers every read with a body that exceeds the limit of 8 MiB: ${baseUrl} does not look like this service; check PCS_BASE_URL`;
    case 'redirect':
      return `the target redirects every read: check the scheme, host and path prefix of PCS_BASE_URL ${baseUrl}${elsewhere(answer, baseUrl)}`;
    case '5xx':
    case '503':
      return `the target is broken or unavailable (status ${answer.status} to every read): check PCS_BASE_URL ${baseUrl}, or try later`;
    case '429':
      return 'the target is rate-limiting this caller (status 429 to every read): try later, lower --rate or raise --max-wait';
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

const THROUGH_PROXY =
  'if it speaks only HTTP/2, set PCS_BASE_URL to a proxy in front of it that speaks HTTP/1.1, which the suite uses';

const isHttps = (url: string): boolean => /^https:/i.test(url);

const twice = (baseUrl: string): string =>
  /\/v1$/.test(baseUrl) ? '; the base URL ends in /v1, which the suite adds itself: leave it out' : '';

/** Servers that expect TLS say so with a 400 in text or HTML, or in TLS. */
const scheme = (baseUrl: string): string =>
  isHttps(baseUrl) ? '' : ', and write https there if the target speaks TLS';

/** Another origin to which the target redirects, as a URL parser writes it. */
function elsewhere(answer: Answer, baseUrl: string): string {
  try {
    const { origin } = new URL(headerOf(answer, 'location'), `${baseUrl}/`);
    return origin === 'null' || origin === new URL(baseUrl).origin ? '' : `; it redirects to ${origin}`;
  } catch {
    return '';
  }
}

/** Other possible reasons why a connection just ends, or brings something other than HTTP/1.1. */
function otherwise(symptom: string, baseUrl: string): string {
  if (symptom !== 'reset' && symptom !== 'malformed') return '; check PCS_BASE_URL';
  const tls = isHttps(baseUrl)
    ? 'it asks for a client certificate (--cert and --key)'
    : 'it speaks TLS (write https in PCS_BASE_URL)';
  return `, or ${tls}; ${THROUGH_PROXY}`;
}

function remedyForTls(detail: string): string {
  if (/unknown authority/.test(detail)) return 'name its certificate authority with --ca';
  if (/another name/.test(detail)) return 'check the host name of PCS_BASE_URL';
  if (/expired|not valid yet/.test(detail)) return 'the target needs a certificate that is valid today';
  if (/HTTP\/1\.1/.test(detail)) return THROUGH_PROXY;
  return 'check the scheme and port of PCS_BASE_URL, or give a client certificate with --cert and --key';
}
