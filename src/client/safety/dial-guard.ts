/** Decides what may leave as a create call: nothing but the configured numbers can be dialled (conformance model, section 7). */

import type { Header, WireRequest } from '../../exchange/message.ts';
import type { Blocked } from '../request.ts';
import { decodings, isDotSegment, segmentsOf, withoutQuery } from '../request-path.ts';
import { readUuid, uuidsWithin } from './id-register.ts';
import { type Scan, scanJson } from './json-scan.ts';
import { dialRoles, hidesFormField, hidesMember } from './name-fold.ts';

/** The only numbers that may be dialled from and to, exactly as configured. */
export interface DialNumbers {
  readonly from: string;
  readonly to: string;
  /** Further callers: of calls with a trunk, and of the organization whose credential a request has. */
  readonly callers?: readonly string[];
}

/** The ids that a create call may name, by their kind. */
export interface CallIds {
  readonly application: readonly string[];
  readonly trunk: readonly string[];
}

/** What the guard looks at: `path` is below the base URL, headers and body are those that leave. */
export type DialRequest = Omit<WireRequest, 'timeout'>;

/**
 * Why this request must not leave, or `null` if it may. If `numbers` is `null`, none are configured, and no body with a
 * `to` or `from` member leaves.
 */
export function dialGuard(request: DialRequest, numbers: DialNumbers | null, allowedIds: CallIds): Blocked | null {
  if (request.headers.some((header) => OVERRIDES.has(plainName(header)))) {
    return { rule: 'override-header', sentence: 'No header field may replace the method or the path of a request.' };
  }
  const path = createPath(request.path);
  if (path === 'other') return null;
  if (path === 'alike') {
    return { rule: 'create-path', sentence: 'The path of create call must be exactly /v1/calls/ or /v1/calls.' };
  }
  const body = request.body ?? new Uint8Array();
  return judgeHeaders(request.headers, body, numbers) ?? judgeBody(body, numbers, allowedIds);
}

/** `exact`: one of the two slash forms to the letter; `alike`: some server could take it for one; otherwise `other`. */
function createPath(path: string): 'exact' | 'alike' | 'other' {
  if (path === '/v1/calls/' || path === '/v1/calls') return 'exact';
  const layers = decodings(withoutQuery(path));
  return layers === null || layers.some(endsInCalls) ? 'alike' : 'other';
}

/** A decoded query, a path parameter and a file suffix are ignored, and dot segments resolved, as some servers do. */
function endsInCalls(layer: string): boolean {
  const kept: string[] = [];
  for (const segment of segmentsOf(withoutQuery(layer))) {
    const name = segment
      .replace(/[;.].*$/s, '')
      .replace(/[\p{C}\s]/gu, '')
      .toLowerCase();
    if (!isDotSegment(segment)) kept.push(...(name === '' ? [] : [name]));
    else if (segment.length > 1) kept.pop();
  }
  return kept.at(-1) === 'calls';
}

/** Fields with which gateways and frameworks replace the method or the path of a request. */
const OVERRIDES: ReadonlySet<string> = new Set([
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-override-url',
]);

/** Media types whose parsers either read JSON or find no member in a JSON text. */
const MEDIA_TYPE =
  /^$|^(?:application|text)\/(?:json|[a-z0-9.-]+\+json|xml)$|^text\/(?:plain|html)$|^application\/(?:octet-stream|x-www-form-urlencoded)$|^multipart\/form-data$/;
const JSON_TYPE = /^(?:application|text)\/(?:json|[a-z0-9.-]+\+json)$/;

/** Servers that pass fields on as environment variables read an underscore as a hyphen. */
function plainName([name]: Header): string {
  return name.trim().toLowerCase().replaceAll('_', '-');
}

function judgeHeaders(headers: readonly Header[], body: Uint8Array, numbers: DialNumbers | null): Blocked | null {
  const named = (name: string) => headers.flatMap((header) => (plainName(header) === name ? [header[1]] : []));
  if (named('content-encoding').length + named('transfer-encoding').length > 0) return wrongHeaders('has no coding');
  if (named('content-length').some((length) => length !== String(body.length))) {
    return wrongHeaders('is as long as Content-Length says');
  }
  const [type = '', ...more] = named('content-type');
  if (more.length > 0) return wrongHeaders('has at most one Content-Type');
  const media = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (!MEDIA_TYPE.test(media)) return wrongHeaders('has a media type whose parsers are known');
  const charsets = type.toLowerCase().split('charset').length - 1;
  const utf8 = type.match(/;\s*charset=(?:utf-?8|"utf-?8")\s*(?=;|$)/gi)?.length ?? 0;
  if (charsets !== utf8) return wrongHeaders('is declared as UTF-8 or not at all');
  const isForm = !JSON_TYPE.test(media) && hasEqualsSign(body, numbers);
  return isForm ? wrongHeaders('holds no equals sign unless it is declared as JSON') : null;
}

/** The parameters of a configured SIP URI do not count: the body as a whole is searched for form fields all the same. */
function hasEqualsSign(body: Uint8Array, numbers: DialNumbers | null): boolean {
  const configured = Object.values(numbers ?? {})
    .flat()
    .map((number) => JSON.stringify(number));
  const text = Buffer.from(body).toString('latin1');
  return configured.reduce((rest, number) => rest.replaceAll(number, '""'), text).includes('=');
}

function wrongHeaders(rule: string): Blocked {
  return { rule: 'create-headers', sentence: `A create-call body ${rule}.` };
}

function judgeBody(body: Uint8Array, numbers: DialNumbers | null, allowedIds: CallIds): Blocked | null {
  const scan = scanJson(body);
  if (scan === null) {
    return { rule: 'create-unreadable', sentence: 'A create-call body must read the same to every JSON parser.' };
  }
  if (hidesFormField(scan.text) || scan.texts.some(({ text }) => hidesMember(text))) {
    return {
      rule: 'create-hidden-member',
      sentence: 'No string in a create-call body may read as a member named "to" or "from".',
    };
  }
  return judgeNumbers(scan, numbers) ?? judgeList(scan, numbers) ?? judgeIds(scan, allowedIds);
}

function judgeNumbers({ members }: Scan, numbers: DialNumbers | null): Blocked | null {
  for (const { name, raw } of members) {
    for (const role of dialRoles(name)) {
      if (role === 'application' || role === 'trunk') continue;
      if (numbers !== null && allowed(role, numbers).some((number) => isHarmless(raw, number))) continue;
      const rule = numbers === null ? 'be absent while no number is configured' : 'hold the configured number or none';
      return { rule: `create-${role}`, sentence: `Every "${role}" member of a create-call body must ${rule}.` };
    }
  }
  return null;
}

const allowed = (role: 'from' | 'to', { from, to, callers = [] }: DialNumbers): readonly string[] =>
  role === 'to' ? [to] : [from, ...callers];

/** Some decoders take the texts of a list for the members, in their order. */
function judgeList({ text, texts }: Scan, numbers: DialNumbers | null): Blocked | null {
  if (!/^\s*\[/.test(text)) return null;
  const known = [numbers?.from, numbers?.to];
  const listed = texts.filter((text) => LIKE_A_NUMBER.test(text.text));
  if (listed.every((entry, at) => entry.text === known[at])) return null;
  return { rule: 'create-list', sentence: 'A create-call body that is a list may name the configured numbers alone.' };
}

/** A country code never begins with 0, and a JSON number of more than 15 digits may become another number. */
const EXACT_DIGITS = /^\+?([1-9][0-9]{0,14})$/;

/** Values of `to` that name no number. */
const NO_NUMBER = /^(?:null|true|false|\[[ \t\r\n]*\]|\{[ \t\r\n]*\})$/;
/** What some reader could take for a number to dial. */
const LIKE_A_NUMBER = /^\s*(?:\+|sips?:|tel:)|^[\s().-]*\d[\d\s().-]{2,}$/i;

/**
 * Whether nothing can ring if the target accepts this body: every reader finds it without a number to call. A body that
 * cannot be read with certainty may name one.
 */
export function dialsNothing(body: Uint8Array | null): boolean {
  if (body === null) return true;
  const scan = scanJson(body);
  if (scan === null || hidesFormField(scan.text) || scan.texts.some(({ text }) => hidesMember(text))) return false;
  const callers = scan.members.filter(({ name }) => dialRoles(name).includes('from'));
  const isOfCaller = (start: number): boolean => callers.some((caller) => start >= caller.start && start < caller.end);
  return (
    scan.members.every(({ name, raw }) => !dialRoles(name).includes('to') || NO_NUMBER.test(raw)) &&
    scan.texts.every(({ text, start }) => !LIKE_A_NUMBER.test(text) || isOfCaller(start))
  );
}

function isHarmless(raw: string, number: string): boolean {
  const quoted = JSON.stringify(number);
  if (raw === quoted || raw === EXACT_DIGITS.exec(number)?.[1]) return true;
  if (NO_NUMBER.test(raw)) return true;
  return raw.startsWith('[') && raw.endsWith(']') && raw.slice(1, -1).trim() === quoted;
}

/**
 * A deployed service dials first and looks an application or a trunk up afterwards: a call with our trunk's id as its
 * application rang, and then got 500. So neither a made-up id is a safe probe, nor one of another kind.
 */
function judgeIds({ members, texts }: Scan, ids: CallIds): Blocked | null {
  for (const kind of ['application', 'trunk'] as const) {
    const allowed: ReadonlySet<string | null> = new Set([null, ...ids[kind].map(readUuid)]);
    const holders = members.filter(({ name }) => dialRoles(name).includes(kind));
    const held = texts.filter(({ start }) => holders.some((member) => start >= member.start && start < member.end));
    if (held.every(({ text }) => [readUuid(text), ...uuidsWithin(text)].every((id) => allowed.has(id)))) continue;
    return { rule: 'create-id', sentence: `A create-call body may name only the configured ${kind} in ${kind}_id.` };
  }
  return null;
}
