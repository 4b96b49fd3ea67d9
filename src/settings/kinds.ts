/** Kinds of values: how each is read, and its placeholder in help. This file knows no setting by name. */

import { READ } from '../contract/limits.ts';
import { hasNoDotSegment } from '../contract/path-text.ts';
import { UsageError } from '../contract/usage-error.ts';
import { UUID } from '../contract/uuid.ts';

/** A value, or what is wrong with it (a clause after the value) and what to do (an imperative). */
type ParsedValue<Value> = { readonly value: Value } | { readonly wrong: string; readonly remedy: string };

/** A kind of value. */
export interface Kind<Value> {
  readonly read: (text: string) => ParsedValue<Value>;
  /** The default value. */
  readonly default?: Value;
  /** The placeholder for the value in help; a switch has none. */
  readonly placeholder?: string;
  /** The lowest and the highest number, as written. */
  readonly range?: readonly [min: number, max: number];
  /** The factor from the written unit to the stored unit. */
  readonly unit?: number;
  /** Joins the values of a repeated flag. */
  readonly separator?: string;
  /** The value names a file, which must be readable. */
  readonly isFile?: true;
  /** A shell expands the value. */
  readonly expands?: true;
  /** Recognizes a text that may hold a password or a key, besides a credential: a message does not quote it. */
  readonly secretIn?: RegExp;
}

type Preset<Value> = Kind<Value> & { readonly default: Value };

/** The kind with a default value. */
export function preset<Value>(kind: Kind<Value>, value: NoInfer<Value>): Preset<Value> {
  return { ...kind, default: value };
}

/** A user name and a password, a query, or a token in a path. */
const ADDRESS_SECRET = /[@?#]|[\w-]{16}/;

/** The kinds without parameters. */
export const KINDS = {
  /** The base URL of a target, kept without a final slash. */
  url: { placeholder: 'URL', secretIn: ADDRESS_SECRET, read: readUrl },
  token: { read: readToken },
  /** A phone number, a short number or a SIP URI, kept exactly as given. */
  phone: { read: readPhone },
  /** An id as it is written in a path. */
  id: { read: readId },
  /** An id that also appears in bodies, where it is a UUID (specification, section 4). */
  uuid: matching(
    UUID,
    'is not a UUID',
    'give an id such as 550e8400-e29b-41d4-a716-446655440000, as response bodies show it, or leave it out where the target has none',
  ),
  /** The place of a member in a JSON value (RFC 6901), or a header field. */
  pointer: matching(
    /^(?:\/(?:[^~/]|~[01])*)+$|^header:[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    'is neither a JSON Pointer nor a header field',
    'write it as in /data/call/id or header:Resource-ID',
  ),
  /** An address that the target calls, kept exactly as given. */
  webAddress: { secretIn: ADDRESS_SECRET, read: readWebAddress },
  text: { read: without(/\p{Cc}/u, 'contains a control character') },
  command: {
    placeholder: 'COMMAND',
    secretIn: /./s,
    expands: true,
    read: without(/\p{Cc}/u, 'contains a control character'),
  },
  /** The query of a URL, kept without its question mark. */
  query: {
    secretIn: /(?:auth|cred|key|pass|secret|sig|token)|[\w-]{16}/i,
    read: (text: string) =>
      inAscii(without(/[\p{Cc}\s#]/u, 'contains a space, a control character or #')(text.replace(/^\?/, ''))),
  },
  /** Where a random search found a value, as the report prints it. */
  searchPath: {
    placeholder: 'PATH',
    ...matching(/^\d+(:\d+)*$/, 'is not a path', 'copy it from the report: numbers separated by colons'),
  },
  file: {
    placeholder: 'FILE',
    isFile: true,
    secretIn: /-----|[A-Za-z0-9+=]{32}/,
    read: without(/\0/, 'contains a NUL character'),
  },
  folder: { placeholder: 'DIR', read: without(/\0/, 'contains a NUL character') },
  /** Header fields, one a line. */
  headers: { placeholder: 'FIELD', separator: '\n', default: [], read: readHeaders },
  /** A flag without a value. */
  switch: { default: false, read: readSwitch },
} as const satisfies Readonly<Record<string, Kind<unknown>>>;

/** Names with commas or line ends between them. */
export function nameList(placeholder: string): Preset<readonly string[]> {
  const read = (text: string): ParsedValue<readonly string[]> => {
    const names = [...new Set(text.split(/[,\n]/).map((item) => item.trim()))].filter((item) => item !== '');
    if (names.length > 0) return { value: names };
    return { wrong: 'names nothing', remedy: 'give one or more names, separated by commas, or leave it out' };
  };
  return { placeholder: `${placeholder},...`, separator: ',', default: [], read };
}

/** One word of a closed list. */
export function choice<const Word extends string>(placeholder: string, ...words: readonly Word[]): Kind<Word> {
  const read = (text: string): ParsedValue<Word> => {
    const value = words.find((word) => word === text);
    return value === undefined ? { wrong: 'is unknown', remedy: `use ${words.join(' or ')}` } : { value };
  };
  return { placeholder, read };
}

/** A whole number within bounds. */
export const integer = (min: number, max: number) => numberKind('whole number', /^-?\d+$/, min, max);

/** A number within bounds. */
export const decimal = (min: number, max: number) => numberKind('number', DECIMAL, min, max);

/** A time within bounds: written in seconds, kept in milliseconds. */
export function seconds(min: number, max: number): Kind<number> {
  return { ...numberKind('number', DECIMAL, min, max, 1_000), placeholder: 'SECONDS', unit: 1_000 };
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function numberKind(noun: string, shape: RegExp, min: number, max: number, unit = 1): Kind<number> {
  const remedy = `write a ${noun} from ${min} to ${max}`;
  const read = (text: string): ParsedValue<number> => {
    if (!shape.test(text)) return { wrong: `is not a ${noun}`, remedy };
    if (Number(text) < min) return { wrong: 'is too small', remedy };
    return Number(text) > max ? { wrong: 'is too large', remedy } : { value: Number(text) * unit };
  };
  return { placeholder: 'N', range: [min, max], read };
}

function matching(shape: RegExp, wrong: string, remedy: string): Kind<string> {
  return { read: (text) => (shape.test(text) ? { value: text } : { wrong, remedy }) };
}

function without(forbidden: RegExp, wrong: string): Kind<string>['read'] {
  return (text) => {
    if (text === '') return { wrong: 'is empty', remedy: 'give a value or leave it out' };
    return forbidden.test(text) ? { wrong, remedy: 'remove it' } : { value: text };
  };
}

/** A text for a request line, which is ASCII: the suite itself crashed on `city=Zürich`. */
function inAscii(reading: ParsedValue<string>): ParsedValue<string> {
  if ('wrong' in reading || /^[!-~]+$/.test(reading.value)) return reading;
  return { wrong: 'is not in ASCII', remedy: 'write it percent-encoded, ü as %C3%BC' };
}

function readSwitch(text: string): ParsedValue<boolean> {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return { value: true };
  if (['false', '0', 'no', 'off'].includes(word)) return { value: false };
  return { wrong: 'is neither true nor false', remedy: 'write true or false' };
}

/** A credential may contain any other printable character, whatever grammar RFC 6750 gives. */
function readToken(text: string): ParsedValue<string> {
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return {
      wrong: 'contains a space, a line end, a control character or a non-ASCII letter',
      remedy: 'give the credential alone, without "Bearer"',
    };
  }
  const pair = `${text[0]}${text.at(-1)}`;
  if (text.length > 1 && ['""', "''", '``', '<>'].includes(pair)) {
    return { wrong: `is written in ${pair === '<>' ? 'angle brackets' : 'quotes'}`, remedy: 'remove them' };
  }
  return { value: text };
}

/** The suites send it as a malformed id, so a setting cannot name it. */
const MALFORMED_ID = 'xyz';

function readId(text: string): ParsedValue<string> {
  if (text.toLowerCase() === MALFORMED_ID) {
    return { wrong: 'is what the suite sends as a malformed id', remedy: 'give the id of a resource' };
  }
  if (/[/\\]/.test(text)) return { wrong: 'contains a slash', remedy: 'give the id alone, not a path' };
  // The safety kernel stopped such an id in mid-run (exit 4).
  if (!hasNoDotSegment(text)) return { wrong: 'is a dot segment to some servers', remedy: 'give the id alone' };
  if (/[?#]/.test(text))
    return { wrong: 'contains ? or #', remedy: 'give the id alone, without a query or a fragment' };
  return inAscii(without(/[\p{Cc}\s]/u, 'contains a space or a control character')(text));
}

/** Quotes, percent-escapes and backslashes could be read as something else in the body of a create call. */
const DIALLED = /^[\w*#+.,:;@&=?/~!$()[\]-]{1,256}$/;
/** A reader could take the rest for a separate member, and the dial guard stops such a body. */
const LIKE_A_MEMBER = /(?:^|[^a-z0-9])(?:to|from)[^a-z0-9]*[:=]/i;

function readPhone(text: string): ParsedValue<string> {
  if (/^\+[^a-z]*$/i.test(text) && !/^\+\d{2,15}$/.test(text)) {
    return { wrong: 'is not a phone number', remedy: 'write + and 2 to 15 digits, as in +15550100' };
  }
  if (!DIALLED.test(text)) {
    return {
      wrong: 'is not a phone number or a SIP URI',
      remedy: 'write it as in +15550100, 112 or sip:test@example.com',
    };
  }
  if (!LIKE_A_MEMBER.test(text)) return { value: text };
  return { wrong: 'contains "to" or "from" before a colon or an equals sign', remedy: 'use another number or SIP URI' };
}

/** Throws `UsageError` for an emergency or short number, and says how to allow it. */
export function demandLongNumber(name: string, number: string, allow: string): void {
  if (!isShortNumber(number)) return;
  throw new UsageError(
    `${name} (${JSON.stringify(number)}) is an emergency or short number`,
    `set it to a number reserved for testing, or add ${allow}`,
  );
}

/**
 * Whether a number or URI may ring at an emergency service or another short number: 911, +112, tel:112,
 * sip:999;phone-context=+44@example.com.
 */
function isShortNumber(text: string): boolean {
  const [, dialled = ''] = /^(?:(?:sips?|tel):)?([^@:;?]*)/i.exec(text) ?? [];
  if (/[a-z]/i.test(dialled)) return false;
  const digits = dialled.replace(/\D/g, '').length;
  return digits > 0 && digits < (/^sips?:|@/i.test(text) ? READ.sipDigits : READ.phoneDigits);
}

function readWebAddress(text: string): ParsedValue<string> {
  const isUrl = /^https?:\/\//i.test(text) && !/[\p{Cc}\s]/u.test(text) && URL.canParse(text);
  return isUrl ? { value: text } : { wrong: 'is not a URL', remedy: 'write it as in https://example.com/voice' };
}

function readUrl(text: string): ParsedValue<string> {
  if (/[\p{Cc}\s]/u.test(text)) return { wrong: 'contains a space or a control character', remedy: 'remove it' };
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return { wrong: 'has no scheme', remedy: 'begin with http:// or https://' };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return { wrong: 'is not a URL', remedy: 'write it as in https://api.example.com' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { wrong: `has the scheme ${url.protocol.slice(0, -1)}`, remedy: 'use http or https' };
  }
  if (url.username !== '' || url.password !== '') {
    return { wrong: 'contains a user name or password', remedy: 'remove it and set PCS_ACCESS_TOKEN' };
  }
  if (/[?#]/.test(text)) return { wrong: 'has a query or a fragment', remedy: 'end the address with its path' };
  return { value: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}

type ExtraHeader = readonly [name: string, value: string];

/** Fields that the suite or HTTP itself sets. */
const TAKEN: ReadonlySet<string> = new Set(
  `authorization accept content-encoding content-length content-type expect host connection keep-alive te trailer
   transfer-encoding upgrade proxy-authorization proxy-connection traceparent x-conformance-case`.split(/\s+/),
);

/** Fields that make gateways replace the method or the path of a request: the guards only see what is sent. */
const OVERRIDE = /^x[-_](?:http[-_])?method|^x[-_](?:original|rewrite|override)[-_]ur[il]$/;

/** The header fields in a text, or what is wrong with it (a clause) and what to do (an imperative). */
export function readHeaders(text: string): ParsedValue<readonly ExtraHeader[]> {
  const headers: ExtraHeader[] = [];
  for (const line of text.split(/\r?\n/).filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\x20-\x7e\t]*?)\s*$/.exec(line) ?? [];
    if (value === '') {
      return { wrong: 'is not a header field', remedy: 'write it as in "X-Gateway-Key: value", in ASCII' };
    }
    const plain = name.toLowerCase();
    if (TAKEN.has(plain) || OVERRIDE.test(plain)) {
      return { wrong: `names the field ${name}, which is reserved`, remedy: 'remove that field' };
    }
    headers.push([name, value]);
  }
  return headers.length > 0 ? { value: headers } : { wrong: 'is empty', remedy: 'give a header field or leave it out' };
}
