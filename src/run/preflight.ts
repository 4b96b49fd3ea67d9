/**
 * The first requests of a run: read-only requests that show whether the target is the service and accepts the
 * credential. Nothing else is sent before (conformance model, section 5).
 */

import type { Client } from '../client/client.ts';
import { type Answer, Skipped } from '../client/request.ts';
import { TRIALS } from '../contract/limits.ts';
import { type OperationId, operationById, READS } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { isUnanswered } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { bodyOf, headerOf, messageOf } from '../verdict/answer.ts';
import { envelopeFault } from '../verdict/envelope.ts';
import type { RequestBuilder, Variation } from './builder.ts';
import { type RunOptions, readsListedTrunk, THROUGH_THE_PROXY } from './options.ts';

/** Reads without an id come first, since they need no setting; then the last of the specification. */
const READS_IN_ORDER = READS.toReversed().toSorted(
  (a, b) => operationById(a).resources.length - operationById(b).resources.length,
);

/** The first reads of a run, in order: every read that `--without` leaves. */
export const firstReads = ({ without }: Pick<RunOptions, 'without'>): readonly OperationId[] =>
  READS_IN_ORDER.filter((id) => !without.includes(id));

/** The outcome: a read that the target accepts, or the sentence that ends the run. */
export type Recognition = { readonly healthCheck: OperationId } | { readonly end: string };

/** The shape of a body: two responses of the same shape come from the same handler. */
function lookOf({ exchange }: Answer): string {
  const body = bodyOf(exchange);
  if (body === null) return 'no body';
  if (body.json === 'invalid') return 'not JSON';
  return JSON.stringify(body.members.map(({ pointer, type }) => [pointer, type]));
}

/** Whether an operation and an undocumented route get the same response, so that no operation is shown to exist. */
const isSameResponse = (read: Answer, route: Answer): boolean =>
  read.status === route.status && lookOf(read) === lookOf(route);

/**
 * Sends these reads until one shows that the target is the service, or until it is certain that none will; throws what
 * `send` throws. `null` is a route that the service does not serve.
 */
export async function preflight(
  reads: readonly OperationId[],
  target: KnownTarget,
  send: (read: OperationId | null, attempt: number) => Promise<Answer>,
): Promise<Recognition> {
  /** How many responses failed in which way; a response lost in the network is not a different way. */
  const failures = new Map<string, number>();
  const accepted: OperationId[] = [];
  let route: Answer | null = null;
  let last: Answer | null = null;
  const due = reads.map((id) => ({ id, attempt: 0 }));
  for (const { id, attempt } of due) {
    last = await send(id, attempt);
    if (isPlausible(last)) {
      route ??= await send(null, 0);
      if (!isSameResponse(last, route)) return { healthCheck: id };
      accepted.push(id);
      continue;
    }
    const symptom = readFailure(last);
    const count = (failures.get(symptom) ?? 0) + 1;
    failures.set(symptom, count);
    if (count >= TRIALS.rule) return { end: `${diagnose(last, target)}${ofProxy(last, target)}` };
    if (isUnanswered(last.exchange) && attempt + 1 < TRIALS.rule) due.push({ id, attempt: attempt + 1 });
  }
  if (last !== null && accepted.length === 0 && failures.size === 1)
    return { end: `${diagnose(last, target)}${ofProxy(last, target)}` };
  return { end: unrecognized(target, accepted, failures) };
}

function unrecognized(
  { baseUrl }: KnownTarget,
  [accepted]: readonly OperationId[],
  failures: ReadonlyMap<string, number>,
): string {
  if (accepted !== undefined) {
    return `the target answers an undocumented path just as it answers ${accepted}: ${baseUrl} does not look like this service; check PCS_BASE_URL`;
  }
  const ways = [...failures].map(([symptom, count]) => `${symptom} to ${count}`).join(', ');
  return `the target accepts none of the reads (${ways}), so nothing shows that ${baseUrl} is this service: check PCS_BASE_URL and PCS_ACCESS_TOKEN, and run doctor`;
}

const TRUNK_SETTING = SETTING_OF.trunk;

/** Whether the list of trunks was read, and shows the trunk of the settings. */
const isListed = (answers: readonly Answer[]): boolean =>
  answers.some(
    ({ accepted, exchange }) => accepted && exchange.response?.body?.mentions.includes(TRUNK_SETTING) === true,
  );

/**
 * Ends a run whose two credentials are swapped: it would write everything with the other organization's credential. A
 * trunk that the list does not show is read with the first credential, and if that is rejected, with the second.
 */
async function swapped(
  { options }: RequestBuilder,
  answers: readonly Answer[],
  send: (read: OperationId | null, attempt: number, more: Variation) => Promise<Answer>,
): Promise<Recognition | null> {
  const isPossible = options.resources.trunk !== undefined && options.credentials.otherOrganization !== undefined;
  if (!isPossible || options.without.includes('getTrunk') || isListed(answers)) return null;
  const ours = await send('getTrunk', 0, {});
  if (ours.status !== 403 && ours.status !== 404) return null;
  const theirs = await send('getTrunk', 0, { credential: 'other-organization' });
  if (!isPlausible(theirs)) return null;
  const said = `PCS_OTHER_ORG_ACCESS_TOKEN reads ${TRUNK_SETTING}, and PCS_ACCESS_TOKEN does not (status ${ours.status})`;
  return { end: `${said}: swap the two credentials, or check ${TRUNK_SETTING}` };
}

/** Sends the first reads that the options allow; resolves with `null` if they allow no read. */
export async function recognition(
  builder: RequestBuilder,
  client: Pick<Client, 'send'>,
  hasGatewayHeader: boolean,
): Promise<Recognition | null> {
  const { options } = builder;
  const reads = firstReads(options);
  if (reads.length === 0) return null;
  const answers: Answer[] = [];
  const send = async (read: OperationId | null, attempt: number, more: Variation = {}): Promise<Answer> => {
    const variation = { role: 'preflight', about: 'a first look at the target', ...more } as const;
    const sequence = `preflight/${read ?? 'an undocumented route'}`;
    const answer = await client.send(builder.request(read, variation), { sequence, attempt });
    answers.push(answer);
    return answer;
  };
  try {
    const known = await preflight(reads, knownTargetOf(options, hasGatewayHeader), send);
    if ('end' in known) return known;
    // The list shows a trunk before any request needs one (model, section 0, rule 16).
    const isRead = answers.some(({ exchange }) => exchange.tag.operation === 'listTrunks');
    if (readsListedTrunk(options) && !isRead) await send('listTrunks', 0);
    return (await swapped(builder, answers, send)) ?? known;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    const { reason, remedy } = error.skip;
    return { end: remedy === undefined ? reason : `${reason}: ${remedy}` };
  }
}

/** What is known of the target besides its answers. */
export interface KnownTarget {
  /** The base URL as it may be shown. */
  readonly baseUrl: string;
  /** Whether header fields for a gateway are configured. */
  readonly hasGatewayHeader: boolean;
  /** How the target is reached, in the words of the conditions of a run. */
  readonly reach: readonly string[];
}

/** What the options say of the target. */
export const knownTargetOf = ({ baseUrl, reach = [] }: RunOptions, hasGatewayHeader: boolean): KnownTarget => ({
  baseUrl: shownUrl(baseUrl),
  hasGatewayHeader,
  reach,
});

/** A proxy answers http itself: with HTTP_PROXY set for all hosts, its 404 only led to advice on PCS_BASE_URL. */
function ofProxy(last: Answer, { baseUrl, reach }: KnownTarget): string {
  const through = reach.find((phrase) => phrase.startsWith(THROUGH_THE_PROXY));
  const isFromTarget = isHttps(baseUrl) || last.status === null || isEnveloped(last);
  return through === undefined || isFromTarget
    ? ''
    : `; what was sent went ${through}, so check HTTP_PROXY and NO_PROXY, too`;
}

/** Statuses with which a gateway rejects a caller. */
const GATEWAY_REJECTIONS: readonly (number | null)[] = [401, 403, 407];

/** A page that is not JSON: PHP labels its output `text/html`, and such a service was taken for a web site. */
const isHtml = ({ exchange }: Answer): boolean =>
  /html/i.test(headerOf(exchange, 'content-type') ?? '') && bodyOf(exchange)?.json !== 'valid';
const isEndless = ({ exchange }: Answer): boolean => bodyOf(exchange)?.cut === true;

function isEnveloped({ exchange }: Answer): boolean {
  const body = bodyOf(exchange);
  return body?.json === 'valid' && envelopeFault(body) === null;
}

/** Whether something that may be the service accepted a read. */
const isPlausible = (answer: Answer): boolean => answer.accepted && !isHtml(answer) && !isEndless(answer);

/** How a read failed; equal failures have equal symptoms. */
function readFailure(answer: Answer): string {
  if (answer.status === null) return answer.exchange.failure?.kind ?? 'no answer';
  // A broken target may report its failure in any form.
  if (answer.status >= 500 && ![503, 505].includes(answer.status)) return '5xx';
  // Tested before pages: servers describe a redirect in HTML.
  if (answer.status >= 300 && answer.status < 400) return 'redirect';
  if (isHtml(answer)) return 'html';
  return isEndless(answer) ? 'endless' : String(answer.status);
}

/** The target's own message, in brackets that are still open. */
function quotedWords({ exchange }: Answer): string {
  const message = messageOf(exchange);
  return message === null ? '' : `; it says "${message}"`;
}

/** The sentence, without a full stop, for a target whose reads all fail in this way. */
function diagnose(answer: Answer, { baseUrl, hasGatewayHeader }: KnownTarget): string {
  const symptom = readFailure(answer);
  const detail = answer.exchange.failure?.detail ?? '';
  const gateway = hasGatewayHeader ? 'check the value of --header' : 'give the header that it needs with --header';
  // A middleware of the service may answer in its own format, or with a page.
  if (
    answer.status === 401 &&
    /\bbearer\b/i.test(headerOf(answer.exchange, 'www-authenticate') ?? '') &&
    !isEnveloped(answer)
  ) {
    return `every read got 401 with a Bearer challenge: most likely PCS_ACCESS_TOKEN is wrong; if a gateway answers, ${gateway}${withDoubledPath(baseUrl)}`;
  }
  if (symptom === 'malformed' && detail.includes('section')) {
    return `to every read ${detail}: fix the target, or the gateway in front of it`;
  }
  switch (symptom) {
    case '401':
    case '407':
      return isEnveloped(answer)
        ? `the target rejects the credential (status ${symptom} to every read${quotedWords(answer)}): check PCS_ACCESS_TOKEN${withDoubledPath(baseUrl)}`
        : `something in front of the service, or another service, rejects every read (status ${symptom}, not in the error format of the interface): check PCS_BASE_URL ${baseUrl} and PCS_ACCESS_TOKEN; if it is a gateway, ${gateway}`;
    case '403':
      return `the target rejects the credential or the caller (status 403 to every read${quotedWords(answer)}): check PCS_ACCESS_TOKEN; if a gateway stands in front of it, ${gateway}, and let it allow the address of this machine${withDoubledPath(baseUrl)}`;
    case '404':
    case '405':
      return `the target knows none of the paths (status ${symptom}): check PCS_BASE_URL ${baseUrl}${withDoubledPath(baseUrl)}`;
    case '400':
    case '422':
      return isEnveloped(answer)
        ? `the target rejects every read as invalid (status ${symptom}${quotedWords(answer)}): ${gateway}, or set PCS_AVAILABLE_NUMBERS_QUERY to a query that the number search accepts`
        : `every read fails with status ${symptom}: ${baseUrl} does not look like this service; check PCS_BASE_URL${scheme(baseUrl)}; if a gateway answers, ${gateway}`;
    case '426':
    case '505':
      return `the target does not accept HTTP/1.1 (status ${symptom}): ${THROUGH_PROXY}`;
    case 'html':
      if (GATEWAY_REJECTIONS.includes(answer.status)) {
        return `a gateway, or a web site at ${baseUrl}, rejects every read with an HTML page (status ${answer.status}): check PCS_BASE_URL; if it is a gateway, ${gateway}, and let it allow the address of this machine`;
      }
      // A gateway without its header field answers so, and a port that speaks TLS, and Django to an unlisted host.
      if (answer.status === 400) {
        return `the target answers with HTML pages (status 400): check PCS_BASE_URL, use the host name there that the target expects${scheme(baseUrl)}; if a gateway answers, ${gateway}`;
      }
      return `the target answers with HTML pages: ${baseUrl} is a web site, not this service; check PCS_BASE_URL`;
    case 'endless':
      return `the target answers every read with a body that exceeds the limit of 4 MiB: ${baseUrl} does not look like this service; check PCS_BASE_URL`;
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

const withDoubledPath = (baseUrl: string): string =>
  /\/v1$/.test(baseUrl) ? '; the base URL ends in /v1, which the suite adds itself: leave it out' : '';

/** Servers that expect TLS say so with a 400 in text or HTML, or in TLS. */
const scheme = (baseUrl: string): string =>
  isHttps(baseUrl) ? '' : ', and write https there if the target speaks TLS';

/** Another origin to which the target redirects, as a URL parser writes it. */
function elsewhere(answer: Answer, baseUrl: string): string {
  try {
    const { origin } = new URL(headerOf(answer.exchange, 'location') ?? '', `${baseUrl}/`);
    return origin === 'null' || origin === new URL(baseUrl).origin ? '' : `; it redirects to ${origin}`;
  } catch {
    return '';
  }
}

/** Other possible reasons why a connection just ends, or brings something other than HTTP/1.1. */
function otherwise(symptom: string, baseUrl: string): string {
  if (symptom !== 'reset' && symptom !== 'malformed') return '; check PCS_BASE_URL';
  const tls = isHttps(baseUrl)
    ? 'it asks for a client certificate (--cert)'
    : 'it speaks TLS (write https in PCS_BASE_URL)';
  return `, or ${tls}; ${THROUGH_PROXY}`;
}

function remedyForTls(detail: string): string {
  if (/unknown authority/.test(detail))
    return 'name its certificate authority with --ca, and in the same file any intermediate that the target does not send';
  if (/another name/.test(detail)) return 'check the host name of PCS_BASE_URL';
  if (/expired|not valid yet/.test(detail)) return 'the target needs a certificate that is valid today';
  if (/HTTP\/1\.1/.test(detail)) return THROUGH_PROXY;
  return 'check the scheme and port of PCS_BASE_URL, or give a client certificate with --cert';
}
