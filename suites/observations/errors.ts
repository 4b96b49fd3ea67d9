/** What errors and rejected credentials show, and what responses say of limits (sections 5, 7 and 8). */

import { TIME } from '../../src/contract/limits.ts';
import { groupBy } from '../../src/contract/lists.ts';
import type { CredentialForm, Exchange } from '../../src/exchange/exchange.ts';
import { parsedJson } from '../../src/exchange/json-text.ts';
import { bodyOf, isError, statusOf } from '../../src/verdict/answer.ts';
import { RIGHTFUL } from '../operations.ts';
import { outcomePhrase } from './choices.ts';

/** A code is a word that the target chose; text that looks like data is not repeated. */
const WORD = /^(?!.*\d{7})[A-Za-z0-9][A-Za-z0-9_.: -]{0,63}$/;

/** The error code of the answer in a phrase: `code not_found`, `no body`, `a body without a code`. */
export function codeOf(exchange: Exchange): string {
  const body = bodyOf(exchange);
  if (body === null) return 'no body';
  const code: unknown = Object(Object(parsedJson(body.text ?? '')).error).code;
  if (typeof code !== 'string') return 'a body without a code';
  return WORD.test(code) ? `code ${code}` : 'a code that is not a word';
}

const ENVELOPE: ReadonlySet<string> = new Set(['', '/success', '/error', '/error/code', '/error/message']);

/** Member names other than the envelope's own, at the top level and within `error`. */
export function furtherMembers(exchange: Exchange): string | null {
  const members = bodyOf(exchange)?.members;
  if (members === undefined || !members.some(({ pointer }) => pointer === '/error/code')) return null;
  const names = members
    .map(({ pointer }) => pointer)
    .filter((pointer) => !ENVELOPE.has(pointer) && /^(?:\/error)?\/[^/]+$/.test(pointer))
    .map((pointer) => pointer.slice(1).replace('/', '.'));
  return names.length === 0 ? 'none' : [...new Set(names)].sort().join(', ');
}

/** Whether an answer at a documented path is an error. */
export const isDocumentedError = (exchange: Exchange): boolean => exchange.tag.documented && isError(exchange);
/** What an answer tells, behind its status. */
export const withStatus = (tell: (exchange: Exchange) => string) => (exchange: Exchange) =>
  `${statusOf(exchange)}: ${tell(exchange)}`;

/** Whether an invalid credential was sent to a documented path. */
export const isInvalidCredential = ({ tag, request }: Exchange): boolean =>
  tag.documented && !RIGHTFUL.includes(request.credential);
/** Whether it was rejected. */
export const isRejectedCredential = (exchange: Exchange): boolean => isInvalidCredential(exchange) && isError(exchange);
/** Whether a credential of that form was sent to a documented path. */
export const withForm =
  (form: CredentialForm) =>
  ({ tag, request }: Exchange): boolean =>
    tag.documented && request.credential === form;

/** What an operation answers to forms of the credential: each phrase with the forms that get it. */
const byForm = (own: readonly Exchange[], phraseOf: (exchange: Exchange) => string): readonly string[] =>
  [...groupBy(own, phraseOf)].map(([phrase, exchanges]) => {
    const forms = [...new Set(exchanges.map(({ request }) => request.credential))];
    return `${phrase} for ${forms.sort().join(', ')}`;
  });

/** The outcome if all forms get the same one, otherwise each outcome with its forms. */
export function outcomes(own: readonly Exchange[]): readonly string[] {
  const [only, ...more] = new Set(own.map(outcomePhrase));
  return only !== undefined && more.length === 0 ? [only] : byForm(own, outcomePhrase);
}

/** Standard HTTP fields, which say nothing about the rejection. */
const EVERYWHERE: readonly string[] = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** Names of the header fields; of the challenge also its scheme. */
export function headers({ response }: Exchange): string {
  const names = (response?.headers ?? []).map(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'www-authenticate' ? `${lower}: ${value.split(' ')[0]}` : lower;
  });
  const own = [...new Set(names)].filter((name) => !EVERYWHERE.includes(name)).sort();
  return own.length === 0 ? 'none' : own.join(', ');
}

/** What a wrong prefix and a wrong secret get. */
export const wrongPrefix = (own: readonly Exchange[]): readonly string[] =>
  byForm(own, (exchange) => `${outcomePhrase(exchange)}, ${codeOf(exchange)}`);

const RATE = /rate-?limit|^retry-after$/;

/** Header fields about rates, and whether a limit was met. */
export function rates(own: readonly Exchange[]): readonly string[] {
  const names = own.flatMap(({ response }) => response?.headers.map(([name]) => name.toLowerCase()) ?? []);
  const telling = [...new Set(names)].filter((name) => RATE.test(name)).sort();
  const enforced = own.some((exchange) => statusOf(exchange) === 429) ? ['429 seen'] : [];
  return [telling.length === 0 ? 'no header field' : `header fields: ${telling.join(', ')}`, ...enforced];
}

/** Whether any response was late. */
export const lateness = (own: readonly Exchange[]): readonly string[] => [
  own.some(({ took }) => took > TIME.late) ? 'over 10 s' : 'within 10 s',
];
