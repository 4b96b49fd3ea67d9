/** One rule for each kind of value: the value it stands for, or a complaint. Nothing here knows a setting's name. */

import { type ExtraHeader, readHeaders } from './header-rule.ts';
import type { Setting, SettingKind } from './setting.ts';

/** What a value of each kind becomes. */
export interface KindValues {
  readonly url: string;
  readonly token: string;
  readonly phone: string;
  readonly id: string;
  readonly uuid: string;
  readonly text: string;
  readonly query: string;
  readonly path: string;
  readonly integer: number;
  readonly decimal: number;
  readonly boolean: boolean;
  readonly choice: string;
  readonly list: readonly string[];
  readonly file: string;
  readonly folder: string;
  readonly headers: readonly ExtraHeader[];
}

/** A value, or what is wrong with it (a clause after the value) and what to do (an imperative). */
export type Reading<Value> = { readonly value: Value } | { readonly wrong: string; readonly remedy: string };

type Rule<Kind extends SettingKind> = (text: string, setting: Setting) => Reading<KindValues[Kind]>;

/** The rules, by kind. `file` is judged as text only; whether the file can be read is the reader's question. */
export const VALUE_RULES: { readonly [Kind in SettingKind]: Rule<Kind> } = {
  url: (text) => readUrl(text),
  token: (text) =>
    /^[\x21-\x7e]+$/.test(text)
      ? { value: text }
      : {
          wrong: 'holds a space, a control character or a letter outside ASCII',
          remedy: 'give the credential alone, without "Bearer"',
        },
  phone: (text) =>
    /^\+\d{2,15}$/.test(text)
      ? { value: text }
      : { wrong: 'is no phone number', remedy: 'write + and 2 to 15 digits, as in +15550100' },
  id: (text) => readId(text),
  // Bodies name it too, and there it is a UUID (specification, section 4).
  uuid: (text) =>
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
      ? { value: text }
      : { wrong: 'is no UUID', remedy: 'give the id as bodies hold it, such as 550e8400-e29b-41d4-a716-446655440000' },
  text: (text) => plain(text, /[\p{Cc}]/u, 'holds a control character'),
  query: (text) => plain(text.replace(/^\?/, ''), /[\p{Cc}\s#]/u, 'holds a space, a control character or #'),
  path: (text) =>
    /^\d+(:\d+)*$/.test(text)
      ? { value: text }
      : { wrong: 'is no path', remedy: 'write numbers with colons between them, as the report prints it' },
  integer: (text, setting) => readNumber(text, setting, /^-?\d+$/, 'whole number'),
  decimal: (text, setting) => readNumber(text, setting, /^-?\d+(\.\d+)?$/, 'number'),
  boolean: (text) => readBoolean(text),
  choice: (text, { choices = [] }) =>
    choices.includes(text) ? { value: text } : { wrong: 'is not known', remedy: `choose one of ${choices.join(', ')}` },
  list: (text) => {
    const items = text.split(',').map((item) => item.trim());
    const named = [...new Set(items.filter((item) => item !== ''))];
    if (named.length > 0) return { value: named };
    return { wrong: 'names nothing', remedy: 'name one or more, with commas between them, or leave it out' };
  },
  file: (text) => plain(text, /\0/, 'holds a NUL character'),
  folder: (text) => plain(text, /\0/, 'holds a NUL character'),
  headers: readHeaders,
};

function plain(text: string, forbidden: RegExp, wrong: string): Reading<string> {
  if (text === '') return { wrong: 'is empty', remedy: 'give a value or leave it out' };
  return forbidden.test(text) ? { wrong, remedy: 'write it without' } : { value: text };
}

/** The suites send it for an id that is malformed, and the kernel lets nothing be both. */
const NO_ID = 'not-a-uuid';

function readId(text: string): Reading<string> {
  if (text === '.' || text === '..') return { wrong: 'is a dot segment', remedy: 'give the id alone' };
  if (text.toLowerCase() === NO_ID) {
    return { wrong: 'is what the suite sends for an id that is none', remedy: 'give the id of a resource' };
  }
  if (text.includes('/')) return { wrong: 'holds a slash', remedy: 'give the id alone, not a path' };
  return plain(text, /[\p{Cc}\s]/u, 'holds a space or a control character');
}

function readBoolean(text: string): Reading<boolean> {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return { value: true };
  if (['false', '0', 'no', 'off'].includes(word)) return { value: false };
  return { wrong: 'is neither true nor false', remedy: 'write true or false' };
}

function readNumber(text: string, { min, max }: Setting, shape: RegExp, noun: string): Reading<number> {
  const value = Number(text);
  const remedy = `write a ${noun} from ${min} to ${max}`;
  if (!shape.test(text)) return { wrong: `is no ${noun}`, remedy };
  if (min !== undefined && value < min) return { wrong: 'is too small', remedy };
  if (max !== undefined && value > max) return { wrong: 'is too large', remedy };
  return { value };
}

function readUrl(text: string): Reading<string> {
  if (/[\p{Cc}\s]/u.test(text)) return { wrong: 'holds a space or a control character', remedy: 'write it without' };
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return { wrong: 'has no scheme', remedy: 'write http:// or https:// first' };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return { wrong: 'is no URL', remedy: 'write it as in https://api.example.com' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { wrong: `has the scheme ${url.protocol.slice(0, -1)}`, remedy: 'use http or https' };
  }
  if (url.username !== '' || url.password !== '') {
    return { wrong: 'holds a user name or password', remedy: 'take it out and set PCS_ACCESS_TOKEN' };
  }
  if (/[?#]/.test(text)) return { wrong: 'has a query or a fragment', remedy: 'give the address up to the path only' };
  return { value: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}
