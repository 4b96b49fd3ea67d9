/** A request and its answer, short, with nothing of the target raw. */

import type { Exchange, RecordedBody, RecordedHeader } from '../../exchange/exchange.ts';
import { cut, visible, visibleLines } from '../visible.ts';

const REQUEST_FIELDS: readonly string[] = ['content-type', 'content-length'];
const ANSWER_FIELDS: readonly string[] = [
  'content-type',
  'location',
  'www-authenticate',
  'retry-after',
  'allow',
  'x-request-id',
];

/** A body is cut after so many lines and characters. */
const BODY_LINES = 12;
const BODY_CHARACTERS = 600;
const FIELD_CHARACTERS = 160;
const SHOWN_MEMBERS = 8;

function fieldLines(headers: readonly RecordedHeader[], names: readonly string[]): readonly string[] {
  return headers
    .filter(([name]) => names.includes(name.toLowerCase()))
    .map(([name, value]) => visible(`${name}: ${cut(value, FIELD_CHARACTERS)}`));
}

/** What is known of a body whose text is not recorded. */
function bodyFacts(body: RecordedBody): string {
  const kind = body.json === 'valid' ? 'JSON' : `no JSON (${body.reason ?? 'unknown'})`;
  const shown = body.members.slice(0, SHOWN_MEMBERS).map(({ pointer, type }) => `${pointer || 'top'} ${type}`);
  const more = body.members.length > SHOWN_MEMBERS ? [`${body.members.length - SHOWN_MEMBERS} more`] : [];
  const members = shown.length === 0 ? '' : `: ${[...shown, ...more].join(', ')}`;
  return visible(cut(`(${body.length} bytes, ${kind}${members})`, BODY_CHARACTERS));
}

function bodyLines(body: RecordedBody | null): readonly string[] {
  if (body === null) return ['(no body)'];
  if (body.text === undefined) return [bodyFacts(body)];
  const marks = [
    ...(body.utf8 ? [] : ['(not UTF-8)']),
    ...(body.byteOrderMark ? ['(begins with a byte order mark)'] : []),
  ];
  return [...marks, ...visibleLines(body.text, BODY_LINES, BODY_CHARACTERS)];
}

/** Method and path, credential form, the fields that matter and the body, as recorded. */
export function requestLines({ request }: Exchange): readonly string[] {
  const credential = request.credential === 'valid' ? [] : [`credential: ${request.credential}`];
  const body = request.body === null ? [] : bodyLines(request.body);
  const path = visible(cut(request.path, BODY_CHARACTERS));
  return [`${request.method} ${path}`, ...credential, ...fieldLines(request.headers, REQUEST_FIELDS), ...body];
}

/** Status, the fields that matter and the body; or why there is no complete answer. */
export function answerLines({ response, failure }: Exchange): readonly string[] {
  if (response === null) {
    const status = failure?.status === undefined ? '' : ` after status ${failure.status}`;
    return [visible(`no complete answer${status}: ${failure?.detail ?? 'nothing is known'} (${failure?.kind ?? '?'})`)];
  }
  const leaks = response.leaks.map(
    ({ secret, encoding, where }) => `shows the ${secret} (${encoding}) in the ${where}`,
  );
  return [
    String(response.status),
    ...fieldLines(response.headers, ANSWER_FIELDS),
    ...bodyLines(response.body),
    ...leaks.map(visible),
  ];
}
