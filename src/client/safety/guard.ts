/**
 * The checks that every request passes before it leaves: the admission of the target, where a write may go (documented
 * operations, our own or made-up ids), and what a create call may name (conformance model, sections 5 and 7).
 */

import { operationById, SAFE_METHODS } from '../../contract/operations.ts';
import { decodings, hasNoDotSegment, isDotSegment, segmentsOf, withoutQuery } from '../../contract/path-text.ts';
import { readUuid } from '../../contract/uuid.ts';
import type { CredentialForm } from '../../exchange/exchange.ts';
import type { Header, WireRequest } from '../../exchange/message.ts';
import type { Dialling, DialNumbers, GuardContext } from '../client-options.ts';
import {
  type Blocked,
  type FoundOperation,
  foundOperation,
  GuardRefusal,
  Skipped,
  type SuiteRequest,
} from '../request.ts';
import { type IdRegister, uuidsWithin } from './id-register.ts';
import { type DialRole, dialRoles, hidesFormField, hidesMember, type Scan, scanJson } from './json-scan.ts';

/** Why a request with a made-up id is not sent. */
export const CLAIMED = 'a response of the target names the made-up id as one of its own';

/** What a guard checks: `path` is below the base URL, exactly as it is sent; headers and body are those sent. */
export type Guarded = Omit<WireRequest, 'timeout'>;

/** Throws `GuardRefusal` for what the suite must never send, `Skipped` where the target claims a made-up id. */
export function guard(request: Guarded, credential: CredentialForm, context: GuardContext): void {
  const dialling = credential === 'other-organization' ? context.ofOthers : context.ours;
  const refusal = writeGuard(request, context.register) ?? dialGuard(request, dialling);
  if (refusal?.isClaimed === true) throw new Skipped(CLAIMED, { why: 'claimed' });
  if (refusal !== null) throw new GuardRefusal(refusal);
}

const blocked = (rule: string, sentence: string): Blocked => ({ rule, sentence });

/** How far a target is admitted: only first reads until it is known to be the service, only clean-up after the end. */
export class Admission {
  #isOpen = false;
  /** Why the run has ended; `null` while it goes on. Once it has ended, only clean-up is sent. */
  stopped: string | null = null;

  /** Ends the run; the first reason counts. */
  stop(reason: string): void {
    this.stopped ??= reason;
  }

  /** The target is the service: every request may be sent from now on. */
  open(): void {
    this.#isOpen = true;
  }

  /** Throws `Skipped` for everything but a first read, clean-up included, until the target was admitted. */
  demand({ method, role }: SuiteRequest): void {
    if (this.#isOpen || (method === 'GET' && role === 'preflight')) return;
    const reason = this.stopped ?? 'no read has shown yet that the target is the service';
    throw new Skipped(reason, { why: 'stopped' });
  }
}

/** Why this request must not leave, or `null` if it may. */
export function writeGuard({ method, path, body }: Omit<Guarded, 'headers'>, ids: IdRegister): Blocked | null {
  const wrongPath = judgePath(SAFE_METHODS.has(method) ? path.replace(/^\/\/v1\//, '/v1/') : path);
  if (wrongPath !== null || SAFE_METHODS.has(method)) return wrongPath;
  if (path.includes('?')) return blocked('write-query', 'A write must not carry a query string.');
  const found = foundOperation(method, path) ?? withSlashesAroundOurs(method, path, ids);
  const rule = 'Only GET, HEAD and OPTIONS may go to a path and method that no documented operation has.';
  if (found === null) return blocked('undocumented-write', rule);
  const wrong = judgeIds(found, body, ids);
  if (wrong === null) return null;
  return judgeIds(found, body, ids.withoutSeen()) === null ? { ...wrong, isClaimed: true } : wrong;
}

function judgePath(path: string): Blocked | null {
  const rule = 'A path must begin with one slash and hold only printable ASCII characters and no fragment.';
  if (!/^\/(?![/\\])[!-~]*$/.test(path) || path.includes('#')) return blocked('path-form', rule);
  if (hasNoDotSegment(withoutQuery(path))) return null;
  return blocked('path-leaves-base', 'A path must not have a dot segment, however often it is decoded.');
}

/** The operation at a path with two slashes around an id of ours: a target that merges them finds our resource. */
function withSlashesAroundOurs(method: string, path: string, ids: IdRegister): FoundOperation | null {
  if (!/^\/v1\/[^/]/.test(path)) return null;
  const found = foundOperation(method, path.replaceAll('//', '/'));
  if (found === null || found.ids.length === 0) return null;
  const { resources } = operationById(found.operation);
  return resources.every((kind, at) => ids.owns(kind, found.ids[at] ?? '')) ? found : null;
}

/** An assignment writes to the connection that its body names, too. */
function judgeIds(found: FoundOperation, body: Uint8Array | null, ids: IdRegister): Blocked | null {
  const { operation, ids: segments } = found;
  const wrong = operationById(operation).resources.find((kind, at) => !ids.allows(kind, segments[at] ?? ''));
  if (wrong !== undefined) return wrongId('path', wrong);
  if (operation !== 'assignNumber' || body === null) return null;
  const scan = scanJson(body);
  const isAllowed =
    scan === null
      ? ids.allowsUnread('carrierConnection', Buffer.from(body).toString('latin1'))
      : scan.texts.every(({ text }) => ids.allowsAssignment(text));
  return isAllowed ? null : wrongId('body', 'carrierConnection');
}

function wrongId(where: 'path' | 'body', kind: string): Blocked {
  const sentence = `The ${where} must name only a ${kind} that is reserved for testing, made up at random, or malformed.`;
  return blocked(`foreign-id-in-${where}`, sentence);
}

/** Why this request must not leave, or `null` if it may. Without `numbers` no `to` and no `from` leaves. */
export function dialGuard(request: Guarded, { numbers, ids }: Dialling): Blocked | null {
  if (request.headers.some((header) => OVERRIDES.has(plainName(header))))
    return blocked('override-header', 'No header field may replace the method or the path of a request.');
  if (request.path !== '/v1/calls/' && request.path !== '/v1/calls') {
    // Some server could take it for a create call.
    const isAlike = decodings(withoutQuery(request.path))?.some(endsInCalls) ?? true;
    return isAlike ? blocked('create-path', 'The path of create call must be exactly /v1/calls/ or /v1/calls.') : null;
  }
  const body = request.body ?? new Uint8Array();
  return judgeHeaders(request.headers, body, numbers) ?? judgeBody(body, numbers, ids);
}

/** Ignores a decoded query, a path parameter and a file suffix, and resolves dot segments, as some servers do. */
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
const plainName = ([name]: Header): string => name.trim().toLowerCase().replaceAll('_', '-');

function judgeHeaders(headers: readonly Header[], body: Uint8Array, numbers: DialNumbers | null): Blocked | null {
  const named = (name: string) => headers.flatMap((header) => (plainName(header) === name ? [header[1]] : []));
  if (named('content-encoding').length + named('transfer-encoding').length > 0) return wrongHeaders('has no coding');
  if (named('content-length').some((length) => length !== String(body.length))) {
    return wrongHeaders('is as long as Content-Length says');
  }
  const [type = '', ...more] = named('content-type');
  if (more.length > 0) return wrongHeaders('has at most one Content-Type');
  const media = type.replace(/;.*/s, '').trim().toLowerCase();
  if (!MEDIA_TYPE.test(media)) return wrongHeaders('has a media type whose parsers are known');
  const charsets = type.toLowerCase().split('charset').length - 1;
  const utf8 = type.match(/;\s*charset=(?:utf-?8|"utf-?8")\s*(?=;|$)/gi)?.length ?? 0;
  if (charsets !== utf8) return wrongHeaders('is declared as UTF-8 or not at all');
  const isForm = !JSON_TYPE.test(media) && hasEqualsSign(body, numbers);
  return isForm ? wrongHeaders('holds no equals sign unless it is declared as JSON') : null;
}

/** The parameters of a configured SIP URI do not count: form fields are searched for in the whole body anyway. */
function hasEqualsSign(body: Uint8Array, numbers: DialNumbers | null): boolean {
  const configured: readonly string[] = Object.values(numbers ?? {}).flat();
  const text = Buffer.from(body).toString('latin1');
  return configured.reduce((rest, number) => rest.replaceAll(JSON.stringify(number), '""'), text).includes('=');
}

const wrongHeaders = (rule: string): Blocked => blocked('create-headers', `A create-call body ${rule}.`);

function judgeBody(body: Uint8Array, numbers: DialNumbers | null, allowedIds: Dialling['ids']): Blocked | null {
  const scan = scanJson(body);
  if (scan === null) return blocked('create-unreadable', 'A create-call body must read the same to every JSON parser.');
  if (hidesMembers(scan))
    return blocked(
      'create-hidden-member',
      'No string in a create-call body may read as a member named "to" or "from".',
    );
  return judgeNumbers(scan, numbers) ?? judgeList(scan, numbers) ?? judgeDialledIds(scan, allowedIds);
}

const hidesMembers = ({ text, texts }: Scan): boolean =>
  hidesFormField(text) || texts.some((within) => hidesMember(within.text));

const holdersOf = (role: DialRole, { members }: Scan): Scan['members'] =>
  members.filter(({ name }) => dialRoles(name).includes(role));

/** The texts within the members of that role. */
function heldBy(role: DialRole, scan: Scan): Scan['texts'] {
  const holders = holdersOf(role, scan);
  return scan.texts.filter(({ start }) => holders.some((member) => start >= member.start && start < member.end));
}

function judgeNumbers(scan: Scan, numbers: DialNumbers | null): Blocked | null {
  for (const role of ['from', 'to'] as const) {
    const allowed = role === 'to' ? [numbers?.to] : [numbers?.from, ...(numbers?.callers ?? [])];
    if (holdersOf(role, scan).every(({ raw }) => allowed.some((number) => isHarmless(raw, number)))) continue;
    const rule = numbers === null ? 'be absent while no number is configured' : 'hold the configured number or none';
    return blocked(`create-${role}`, `Every "${role}" member of a create-call body must ${rule}.`);
  }
  return null;
}

/** Some decoders assign the strings of a list to the members, in order. */
function judgeList({ text, texts }: Scan, numbers: DialNumbers | null): Blocked | null {
  if (!/^\s*\[/.test(text)) return null;
  const known = [numbers?.from, numbers?.to];
  const listed = texts.filter(({ text }) => LIKE_A_NUMBER.test(text) || known.includes(text));
  if (listed.every((entry, at) => entry.text === known[at])) return null;
  return blocked('create-list', 'A create-call body that is a list may name the configured numbers alone.');
}

/** A country code never begins with 0, and a JSON number of more than 15 digits may become another number. */
const EXACT_DIGITS = /^\+?([1-9][0-9]{0,14})$/;

/** Values of `to` that name no number. */
const NO_NUMBER = /^(?:null|true|false|\[[ \t\r\n]*\]|\{[ \t\r\n]*\})$/;
/** A value that some reader could take for a number to dial. */
const LIKE_A_NUMBER = /^\s*(?:\+|sips?:|tel:)|^[\s().-]*\d[\d\s().-]{2,}$/i;

/** Whether nothing can ring if the target accepts this body; what cannot be read with certainty may name a number. */
export function dialsNothing(body: Uint8Array | null): boolean {
  if (body === null) return true;
  const scan = scanJson(body);
  if (scan === null || hidesMembers(scan)) return false;
  const ofCaller = heldBy('from', scan);
  return (
    holdersOf('to', scan).every(({ raw }) => NO_NUMBER.test(raw)) &&
    scan.texts.every((read) => !LIKE_A_NUMBER.test(read.text) || ofCaller.includes(read))
  );
}

function isHarmless(raw: string, number: string | undefined): boolean {
  if (number === undefined) return false;
  const quoted = JSON.stringify(number);
  if (raw === quoted || raw === EXACT_DIGITS.exec(number)?.[1] || NO_NUMBER.test(raw)) return true;
  // A list of the number: nothing else that can be scanned has a text at offset 1.
  return raw.slice(1, -1).trim() === quoted;
}

/**
 * A deployed service dials first and looks up the application or trunk afterwards: a call with our trunk's id as its
 * application rang, then got 500. So neither a made-up id nor one of another kind is a safe probe.
 */
function judgeDialledIds(scan: Scan, ids: Dialling['ids']): Blocked | null {
  for (const kind of ['application', 'trunk'] as const) {
    const allowed: ReadonlySet<string | null> = new Set([null, ...ids[kind].map(readUuid)]);
    const held = heldBy(kind, scan);
    if (held.every(({ text }) => [readUuid(text), ...uuidsWithin(text)].every((id) => allowed.has(id)))) continue;
    return blocked('create-id', `A create-call body may name only the configured ${kind} in ${kind}_id.`);
  }
  return null;
}
