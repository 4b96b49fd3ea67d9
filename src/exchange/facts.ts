/** Facts about a body, which checks judge instead of its content. */

import { createHmac } from 'node:crypto';
import { KEPT } from '../contract/limits.ts';
import type { JsonType, RecordedBody, RecordedMember } from './exchange.ts';
import { type DecodedText, decodeText, isObject, jsonFault, jsonOfBytes, parsedJson } from './json-text.ts';

/** Sixteen hexadecimal digits for some bytes, or for a text's UTF-8 bytes. */
export type Digest = (data: Uint8Array | string) => string;

/** HMAC-SHA-256 under the run's random key, so that a phone number cannot be found by trying all of them. */
export function keyedDigest(key: Uint8Array): Digest {
  const known = new Map<string, string>();
  const compute: Digest = (data) => createHmac('sha256', key).update(data).digest('hex').slice(0, 16);
  return (data) => {
    if (typeof data !== 'string' || data.length > KEPT.rememberedText) return compute(data);
    const digest = known.get(data) ?? compute(data);
    if (known.size < KEPT.rememberedTexts) known.set(data, digest);
    return digest;
  };
}

/** How a body is recorded. */
export interface FactOptions {
  /** `false`: no text, and member names that look like data are folded (success bodies). */
  readonly keepText: boolean;
  /** `true`: a kept text is never shortened (requests, and success bodies for `doctor`). */
  readonly keepWhole?: boolean;
  /** `true`: an error answer, whose wording is compared. */
  readonly isError?: boolean;
  /** Redacts the text of the body, even where it is not recorded, since it may leak a secret, and each member name. */
  readonly redact: (text: string) => string;
  readonly digest: Digest;
  /** Ids of resources and calls, each with its label in `mentions`; short ids are not listed. */
  readonly watch: ReadonlyMap<string, string>;
  /** `true`: the body goes on beyond the bytes that were read. */
  readonly cut?: boolean;
}

type Parsed = { readonly valid: true; readonly value: unknown } | { readonly valid: false; readonly reason: string };

/** A truncated body cannot be judged as JSON. */
const UNREAD = { valid: false, reason: 'it exceeds the size limit' } as const;

/** The text as JSON. `JSON.parse` accepts exactly the grammar of RFC 8259, with any value at the top. */
function parsedBody(bytes: Uint8Array, { text, utf8 }: DecodedText): Parsed {
  if (/^\s*</.test(text)) return { valid: false, reason: 'markup' };
  const value = utf8 ? jsonOfBytes(bytes) : parsedJson(text);
  return value === undefined ? { valid: false, reason: jsonFault(text) ?? '' } : { valid: true, value };
}

function mentionedIn(text: string, watch: FactOptions['watch']): readonly string[] {
  if (watch.size === 0) return [];
  const sought = [...watch].filter(([id]) => id.length >= KEPT.unmistakable);
  const lower = text.toLowerCase();
  return [...new Set(sought.flatMap(([id, label]) => (lower.includes(id.toLowerCase()) ? [label] : [])))].sort();
}

/** A map may have phone numbers or ids for names: a name with seven digits or past 64 characters is data. */
function isData(name: string): boolean {
  return name.length > KEPT.plainName || /(?:[0-9][^0-9]*){7}/.test(name);
}

/** What is kept of a member of a long error: a scalar, strings cut short; for a list or object only its kind. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  if (typeof value !== 'string' || value.length <= KEPT.name) return value;
  // Half a surrogate pair would be a character that the target did not send.
  return `${value.slice(0, KEPT.name).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The envelope of a long error, or the beginning of another text. */
function shortText(text: string, parsed: Parsed): string {
  const { success, error } = Object(parsed.valid ? parsed.value : null);
  if (success === undefined && error === undefined) return `${text.slice(0, KEPT.text)}…`;
  const { code, message } = Object(error);
  const kept = isObject(error) ? { code: shortened(code), message: shortened(message) } : shortened(error);
  return JSON.stringify({ success: shortened(success), error: kept });
}

/** The JSON type of a parsed value; a number without a fraction is an integer, as JSON Schema has it. */
function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  return 'object';
}

/** What the record holds of a value outside arrays. */
function shownOf(value: unknown, digest: Digest): Pick<RecordedMember, 'value' | 'digest'> {
  if (typeof value === 'boolean') return { value };
  return typeof value === 'object' && value !== null ? {} : { digest: digest(JSON.stringify(value)) };
}

/** A place in a body: the types of the values found there, and the places inside it by pointer segment. */
interface BodyPlace {
  readonly pointer: string;
  readonly types: JsonType[];
  inside?: Map<string, BodyPlace>;
}

function placeIn(outer: BodyPlace, segment: string): BodyPlace {
  outer.inside ??= new Map();
  const known = outer.inside.get(segment);
  if (known !== undefined) return known;
  const place: BodyPlace = { pointer: `${outer.pointer}/${segment}`, types: [] };
  outer.inside.set(segment, place);
  return place;
}

/** Pointers to the members of the envelope. */
const ENVELOPE = [['success'], ['error'], ['error', 'code'], ['error', 'message']] as const;

/**
 * At most 200 members of a parsed body, 32 levels deep, in the order of the document: the body itself first (pointer
 * `''`), array indices written `-`, each pair of pointer and type once. `isCut`: there are more; then those of an
 * envelope come last if they have not come before, four at most.
 */
function recordedMembers(
  body: unknown,
  shownName: (name: string) => string,
  digest: Digest,
): { readonly members: readonly RecordedMember[]; readonly isCut: boolean } {
  const members: RecordedMember[] = [];
  const segments = new Map<string, string>();
  const segmentOf = (name: string): string => {
    const known = segments.get(name);
    if (known !== undefined) return known;
    const shown = shownName(name);
    const segment = /[~/]/.test(shown) ? shown.replaceAll('~', '~0').replaceAll('/', '~1') : shown;
    segments.set(name, segment);
    return segment;
  };
  let room = KEPT.text;
  let isCut = false;
  const visit = (place: BodyPlace, depth: number, inArray: boolean, value: unknown): void => {
    const { pointer, types } = place;
    const type = jsonTypeOf(value);
    if (!types.includes(type)) {
      isCut ||= members.length === KEPT.members || pointer.length > room;
      if (isCut) return;
      room -= pointer.length;
      members.push({ pointer, type, ...(inArray ? {} : shownOf(value, digest)) });
      types.push(type);
    }
    if (depth === KEPT.levels) return;
    if (Array.isArray(value)) {
      const items = placeIn(place, '-');
      // A list with one item is a record in another shape.
      const isShared = inArray || value.length !== 1;
      // A list of a million numbers has one member: only what is new or can hold something new is looked at.
      for (const item of value) {
        if (isCut) return;
        if (typeof item === 'object' || !items.types.includes(jsonTypeOf(item)))
          visit(items, depth + 1, isShared, item);
      }
    } else if (isObject(value)) {
      // Of a million members only few are examined, so they are not put into a list.
      for (const name in value) {
        if (isCut) return;
        visit(placeIn(place, segmentOf(name)), depth + 1, inArray, value[name]);
      }
    }
  };
  visit({ pointer: '', types: [] }, 0, false, body);
  // An error is judged by its envelope, wherever it stands.
  for (const names of isCut ? ENVELOPE : []) {
    const inside = (holder: unknown, name: string): unknown =>
      isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
    const value = names.reduce(inside, body);
    const pointer = `/${names.join('/')}`;
    if (value !== undefined && !members.some((known) => known.pointer === pointer))
      members.push({ pointer, type: jsonTypeOf(value), ...shownOf(value, digest) });
  }
  return { members, isCut };
}

/** Options for reading a recorded body again: it is redacted already, and the key of its digests is gone. */
export const AS_RECORDED: FactOptions = {
  keepText: true,
  keepWhole: true,
  redact: (text) => text,
  digest: () => '',
  watch: new Map(),
};

/** What the record says of a body apart from its text and its digests; `null` where a placeholder hides the bytes. */
export function plainFacts(body: RecordedBody): unknown {
  const { text, mentions: _, digest: __, length, members, ...rest } = body;
  const shown = members.map(({ digest: ___, ...member }) => member);
  return { ...rest, length: text?.includes('⟦') === true ? null : length, members: shown };
}

/** What differs between responses: ids and long numbers. */
const IDS_AND_NUMBERS = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}/gi;

/** What an error says, without what differs between responses. */
export const withoutIds = (text: string): string => text.replace(IDS_AND_NUMBERS, '…');

/** The key for comparing errors: from the response itself, so that masking cannot make them equal or different. */
function wordingOf(text: string, parsed: Parsed, digest: Digest): string {
  const { code, message } = Object(Object(parsed.valid ? parsed.value : null).error);
  // A code nested 200,000 levels deep cannot be serialized.
  const isNested = [code, message].some((part) => typeof part === 'object' && part !== null);
  return digest(withoutIds(message === undefined || isNested ? text : JSON.stringify([code, message])));
}

/**
 * The facts of a body's bytes. JSON behind a byte order mark is `invalid` (RFC 8259, section 8.1), but its members are
 * listed: the mark is then the only thing wrong with it.
 */
export function bodyFacts(bytes: Uint8Array, options: FactOptions): RecordedBody {
  const { keepText, redact, digest } = options;
  const decoded = decodeText(bytes);
  const { text, utf8, byteOrderMark } = decoded;
  // A truncated body is hardly ever JSON, and never the whole.
  const parsed =
    options.cut === true ? UNREAD : parsedBody(bytes, { ...decoded, text: byteOrderMark ? text.slice(1) : text });
  const shownName = (name: string): string =>
    redact(name.length > KEPT.name || (!keepText && isData(name)) ? '⟦name⟧' : name);
  const isWhole = keepText && (options.keepWhole === true || bytes.length <= KEPT.text);
  if (!isWhole) redact(text);
  const kept: Pick<RecordedBody, 'text'> = keepText ? { text: redact(isWhole ? text : shortText(text, parsed)) } : {};
  const { members, isCut } =
    utf8 && parsed.valid ? recordedMembers(parsed.value, shownName, digest) : { members: [], isCut: false };
  const faults = [
    options.cut === true && UNREAD.reason,
    !utf8 && 'it is not UTF-8',
    bytes.length === 0 && 'it is empty',
    byteOrderMark && 'it begins with a byte order mark',
    !parsed.valid && parsed.reason,
  ];
  const reason = faults.find((fault) => fault !== false);
  return {
    length: bytes.length,
    digest: digest(bytes),
    utf8,
    byteOrderMark,
    json: reason === undefined ? 'valid' : 'invalid',
    ...(reason === undefined ? {} : { reason }),
    members,
    ...(isCut ? { membersCut: true as const } : {}),
    mentions: mentionedIn(text, options.watch),
    ...kept,
    ...(options.isError === true ? { wording: wordingOf(text, parsed, digest) } : {}),
    ...(keepText && !isWhole ? { pruned: true as const } : {}),
    ...(options.cut === true ? { cut: true as const } : {}),
  };
}
