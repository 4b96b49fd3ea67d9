/** Requests and responses as lines of text, as they were recorded; a writer escapes them. */

import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf, grouped } from '../contract/lists.ts';
import type { Exchange, RecordedBody, RecordedHeader } from '../exchange/exchange.ts';
import { shownFields } from '../exchange/header-fields.ts';
import { bodyPhrases } from './model.ts';
import { cut } from './text.ts';

/** How much of a message is shown: on a screen the relevant fields and the body's beginning, on a page all of it. */
export type MessageExtent = 'short' | 'long';

const FIELDS_SHOWN = { request: shownFields('in requests'), response: shownFields('in responses') } as const;
const MESSAGE_LIMITS = {
  short: { value: SHOWN.line, lines: SHOWN.lines, body: SHOWN.paragraph },
  long: { value: SHOWN.paragraph, lines: SHOWN.body, body: SHOWN.body },
} as const satisfies Record<MessageExtent, object>;

function fieldLines(
  headers: readonly RecordedHeader[],
  of: keyof typeof FIELDS_SHOWN,
  extent: MessageExtent,
): readonly string[] {
  const most = MESSAGE_LIMITS[extent].value;
  const shown = headers.filter(([name]) => extent === 'long' || FIELDS_SHOWN[of].has(name.toLowerCase()));
  const rest = shown.length - SHOWN.entries;
  const lines = shown.slice(0, SHOWN.entries).map(([name, value]) => `${cut(name, most)}: ${cut(value, most)}`);
  return rest > 0 ? [...lines, `… (${counted(rest, 'more field')})`] : lines;
}

/** A success body is recorded without values, so that no customer's data is reported: only its members are shown. */
function bodyLines(body: RecordedBody | null, extent: MessageExtent): readonly string[] {
  if (body === null) return ['(no body)'];
  const limits = MESSAGE_LIMITS[extent];
  const members = body.members.map(({ pointer, type }) => `${pointer || 'top'} ${type}`);
  const shown = body.text !== undefined || members.length === 0 ? '' : `: ${firstOf(members, SHOWN.lines)}`;
  const facts = cut(`(${bodyPhrases(body).join(', ')}${shown})`, limits.body);
  if (body.text === undefined) return [facts];
  const isTold = extent === 'long' || !body.utf8 || body.byteOrderMark;
  const all = cut(body.text, limits.body).split(/\r\n|\n/);
  const rest = all.length - limits.lines;
  const lines = all.slice(0, limits.lines);
  return [...(isTold ? [facts] : []), ...lines, ...(rest > 0 ? [`… (${grouped(rest)} more lines)`] : [])];
}

/** The request: its line, the credential, the header fields and the body. */
export function requestLines({ request }: Exchange, extent: MessageExtent): readonly string[] {
  const { method, path, credential, headers, body } = request;
  return [
    `${method} ${cut(path, SHOWN.paragraph)}`,
    ...(credential === 'valid' && extent === 'short' ? [] : [`credential: ${credential}`]),
    ...fieldLines(headers, 'request', extent),
    ...(body === null ? [] : bodyLines(body, extent)),
  ];
}

/** The response, or what came in its place. */
export function responseLines(exchange: Exchange, extent: MessageExtent): readonly string[] {
  const { response } = exchange;
  if (response === null) return [outcomeLine(exchange)];
  return [
    String(response.status),
    ...fieldLines(response.headers, 'response', extent),
    ...(response.headersCut === true ? ['… (some fields were not kept)'] : []),
    ...bodyLines(response.body, extent),
    ...response.leaks.map(({ secret, encoding, where }) => `leaks the ${secret} (${encoding}) in the ${where}`),
  ];
}

/** A request on one line: method, path, and the beginning of its body. */
export function requestLine({ request: { method, path, body } }: Exchange): string {
  const text = body?.text === undefined ? '' : ` ${cut(body.text, SHOWN.line)}`;
  return `${method} ${cut(path, SHOWN.line)}${text}`;
}

/** The outcome of a request, in a few words. */
export function outcomeLine({ response, failure }: Exchange): string {
  if (response !== null) return `status ${response.status}`;
  const status = failure?.status === undefined ? '' : ` after status ${failure.status}`;
  return `no complete response${status}${failure === null ? '' : `: ${failure.detail}`}`;
}

/** A response on one line: its status, and the beginning of its body. */
export function responseLine(exchange: Exchange): string {
  const text = exchange.response?.body?.text;
  return `${outcomeLine(exchange)}${text === undefined ? '' : ` ${cut(text, SHOWN.line)}`}`;
}
