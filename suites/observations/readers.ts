/** What the rows of the gap register examine, and what they read: mostly the status by the request's label. */

import { foundOperation as operationAt } from '../../src/client/request.ts';
import { TIME } from '../../src/contract/limits.ts';
import { groupBy } from '../../src/contract/lists.ts';
import { otherSlashForm } from '../../src/contract/operations.ts';
import { UUID } from '../../src/contract/uuid.ts';
import type { CredentialForm, Exchange, RecordedBody } from '../../src/exchange/exchange.ts';
import { parsedJson } from '../../src/exchange/json-text.ts';
import type { Reader } from '../../src/run/choices.ts';
import {
  bodyOf,
  headerOf,
  headersOf,
  isAccepted,
  isError,
  isOurs,
  isRetryable,
  operationOf,
  routeOf,
  statusOf,
} from '../../src/verdict/answer.ts';
import { ACTIONS, isOneOf, RIGHTFUL } from '../operations.ts';
import type { RequirementId } from '../report-order.ts';

/** Exchanges: a phrase, and a predicate. */
type ExchangeSource = readonly [probe: string, has: (exchange: Exchange) => boolean];
type Phrase = (exchange: Exchange) => string | null;

/** The valid credential was sent and recognized: the answer is about the request itself. */
const isHeard = (exchange: Exchange): boolean => isOurs(exchange) && statusOf(exchange) !== 401;
const isOrdinaryAnswer = (exchange: Exchange): boolean => isHeard(exchange) && exchange.tag.documented;

/** Every documented request. */
export const ALL: ExchangeSource = ['all responses', ({ tag }) => tag.documented];
/** Those with an error. */
export const ERRORS: ExchangeSource = ['all errors', (sent) => sent.tag.documented && isError(sent)];
/** Those with the valid credential that were accepted. */
export const SUCCESSES: ExchangeSource = [
  'the responses to accepted requests',
  (sent) => isOrdinaryAnswer(sent) && isAccepted(sent),
];
/** The valid and ordinary requests. */
export const CONTROLS: ExchangeSource = [
  'the ordinary, valid requests',
  (sent) => isOrdinaryAnswer(sent) && sent.tag.control,
];
/** Those without the credential or with an invalid one. */
export const INTRUDERS: ExchangeSource = [
  'the responses to missing and invalid credentials on each operation',
  ({ tag, request }) => tag.documented && !RIGHTFUL.includes(request.credential),
];
/** Those with one of these forms of the credential. */
export const credentials = (...forms: readonly CredentialForm[]): ExchangeSource => [
  `the responses to this credential: ${forms.join(' or ')}`,
  ({ tag, request }) => tag.documented && forms.includes(request.credential),
];
/** Valid requests at the other slash form of their path. */
export const OTHER_SLASH_FORMS: ExchangeSource = [
  'each path in that form',
  (exchange) => isHeard(exchange) && operationAt(exchange.request.method, exchange.request.path)?.documented === false,
];

/** The answer in a phrase: `accepted (200)`, `rejected (404)`, `redirected (308) to the other slash form`. */
export function outcome(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status === null) return `no complete response (${exchange.failure?.kind ?? 'unknown'})`;
  if (isAccepted(exchange)) return `accepted (${status})`;
  if (isRetryable(exchange)) return `retryable (${status})`;
  if (status >= 500) return `failed (${status})`;
  if (status >= 400) return `rejected (${status})`;
  const path = headerOf(exchange, 'location')?.replace(/[?#].*$/s, '');
  const isHere = path?.endsWith(otherSlashForm(routeOf(exchange))) === true;
  return `redirected (${status}) to ${isHere ? 'the other slash form' : 'elsewhere'}`;
}

/**
 * The status by the label of each request that asks the gap or the requirements, and what else the answer says. An
 * acceptance counts for everything that the request asks; a rejection does not show which question caused it.
 */
export const sent = (
  probe: string,
  also: readonly RequirementId[] = [],
  more: (exchange: Exchange, exchanges: readonly Exchange[]) => string = () => '',
): Reader => ({
  probe,
  also,
  read: ({ exchanges, asksOf }, gap) =>
    exchanges.filter(isHeard).flatMap((exchange) => {
      const asks = asksOf(exchange);
      if (asks.length > 1 && !isAccepted(exchange)) return [];
      const labels = asks.flatMap((ask) => (ask.gap === gap ? [ask.label] : []));
      return labels.map((label) => [exchange, `${label}: ${outcome(exchange)}${more(exchange, exchanges)}`] as const);
    }),
});

/** Beside the length of an ordinary answer; a small difference such as a timestamp does not count. */
export function length(exchange: Exchange, exchanges: readonly Exchange[]): string {
  const plain = chosen(exchanges, CONTROLS, [operationOf(exchange)]).find(isAccepted);
  if (plain === undefined || !isAccepted(exchange)) return '';
  const share = (bodyOf(exchange)?.length ?? 0) / (bodyOf(plain)?.length ?? 0);
  if (share < 0.8) return ', shorter than without it';
  return `, ${share > 1.2 ? 'longer than' : 'about as long as'} without it`;
}

/** The methods of the header field Allow, in order. */
export function allow(exchange: Exchange): string {
  const names = headersOf(exchange, 'allow').flatMap((value) => value.split(',').map((method) => method.trim()));
  return `, ${names.length === 0 ? 'no Allow' : `Allow: ${names.sort().join(', ')}`}`;
}

const chosen = (exchanges: readonly Exchange[], [, has]: ExchangeSource, operations: readonly string[]) =>
  exchanges.filter((sent) => has(sent) && (operations.length === 0 || isOneOf(operations, sent.tag.operation)));

/** What each response says, unless it says nothing; of these operations if any are named. */
export const answers = (source: ExchangeSource, phraseOf: Phrase, ...operations: readonly string[]): Reader => ({
  probe: source[0],
  also: [],
  read: ({ exchanges }) =>
    chosen(exchanges, source, operations).flatMap((exchange) => {
      const phrase = phraseOf(exchange);
      return phrase === null ? [] : [[exchange, phrase] as const];
    }),
});

/** A code is a word that the target chose; text that looks like data is not repeated. */
const CODE = /^(?!.*\d{7})[A-Za-z0-9][A-Za-z0-9_.: -]{0,63}$/;

/** The outcome, with the code of an error: `rejected (404), code not_found`. */
export function withCode(exchange: Exchange): string {
  if (!isError(exchange)) return outcome(exchange);
  const code: unknown = Object(Object(parsedJson(bodyOf(exchange)?.text ?? '')).error).code;
  const word = typeof code === 'string' ? (CODE.test(code) ? `code ${code}` : 'a code that is not a word') : 'no code';
  return `${outcome(exchange)}, ${word}`;
}

/** The outcome by the form of the credential. */
export const byForm: Phrase = (exchange) => `${exchange.request.credential}: ${withCode(exchange)}`;

/** The outcome by the non-null members of the body; only these members if any are named. */
export const byMembers =
  (...among: readonly string[]) =>
  (exchange: Exchange): string => {
    const set = (exchange.request.body?.members ?? []).filter(({ type }) => type !== 'null');
    const names = set.map(({ pointer }) => pointer.slice(1)).filter((name) => name !== '' && !name.includes('/'));
    const told = names.filter((name) => among.length === 0 || among.includes(name)).sort();
    return `${told.join(', ') || 'neither'}: ${outcome(exchange)}`;
  };

/** The outcomes of actions on a call or participant by the previous accepted action; only those with that beginning. */
export const courses = (beginning: string): Reader => ({
  probe: 'the actions on each call and participant, in their order',
  also: [],
  read: ({ exchanges }) => {
    const last = new Map<string, string>();
    const onNamed = exchanges.filter((exchange) => isOrdinaryAnswer(exchange) && exchange.tag.ids === 'named');
    const actions = onNamed.filter(({ tag }) => isOneOf(ACTIONS, tag.operation));
    const told = actions.map((exchange) => {
      const on = routeOf(exchange).replace(/\/[^/]+$/, '');
      const course = `${operationOf(exchange)} ${last.has(on) ? `after ${last.get(on)}` : 'first'}`;
      if (isAccepted(exchange)) last.set(on, operationOf(exchange));
      return [exchange, `${course}: ${outcome(exchange)}`] as const;
    });
    return told.filter(([, phrase]) => phrase.startsWith(beginning));
  },
});

/** The form of the ids in the path. */
export function idForm({ request, tag }: Exchange): string | null {
  const ids = operationAt(request.method, request.path)?.ids ?? [];
  if (ids.length === 0 || tag.ids !== 'named') return null;
  return ids.every((id) => UUID.test(id)) ? 'UUIDs' : 'other than UUIDs';
}

/** Standard HTTP fields, which say nothing about a rejection. */
const STANDARD: readonly string[] = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

const fieldNames = ({ response }: Exchange): readonly string[] => [
  ...new Set(response?.headers.map(([name]) => name.toLowerCase()).sort()),
];

/** The names of the header fields. */
export function headers(exchange: Exchange): string {
  const names = fieldNames(exchange).filter((name) => !STANDARD.includes(name));
  return `${outcome(exchange)}: ${names.join(', ') || 'none'}`;
}

/** The header fields about rates, and whether a limit was met. */
export function rates(exchange: Exchange): string {
  const names = fieldNames(exchange).filter((name) => /rate-?limit|^retry-after$/.test(name));
  const told = names.length === 0 ? 'no header field' : `header fields: ${names.join(', ')}`;
  return statusOf(exchange) === 429 ? `429 seen, ${told}` : told;
}

/** Whether the response was late; an exact time is never recorded as a choice. */
export const lateness: Phrase = ({ took }) => (took > TIME.late ? 'over 10 s' : 'within 10 s');

/** A Link header, which may lead to the next page. */
export const link: Phrase = (exchange) => (headerOf(exchange, 'link') === undefined ? null : 'a Link header');

/** A place in a body: in words, and its pointer. */
type NamedPlace = readonly [words: string, pointerIn: (body: RecordedBody) => string | undefined];

/**
 * The members directly below a place with their types, for all responses of an operation in one line: `codecs array,
 * codecs[] string, trunk_id null|string`. Values are never examined.
 */
export const members = (
  source: ExchangeSource,
  [words, placeIn]: NamedPlace,
  ...operations: readonly string[]
): Reader => ({
  probe: `names and types of the members of ${words} in ${source[0]}`,
  also: [],
  read: ({ exchanges }) =>
    [...groupBy(chosen(exchanges, source, operations), operationOf).values()].map((sent) => {
      const bodies = sent.map(bodyOf).filter((body) => body !== null);
      const found = bodies.flatMap((body) => membersBelow(placeIn(body), body));
      const types = [...groupBy(found, ({ name }) => name)];
      const told = types.map(([name, all]) => `${name} ${[...new Set(all.map(({ type }) => type))].sort().join('|')}`);
      return [sent[0], told.sort().join(', ') || 'no members shown'] as const;
    }),
});

/** The names and types of the members directly below the place; `name[]` for the items of a list there. */
const membersBelow = (place: string | undefined, { members }: RecordedBody) =>
  members.flatMap(({ pointer, type }) => {
    if (place === undefined || !pointer.startsWith(`${place}/`)) return [];
    const [, name] = /^\/?([^/]+)$/.exec(pointer.slice(place.length).replace(/\/-$/, '[]')) ?? [];
    return name === undefined ? [] : [{ name, type }];
  });

const parent = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));
const depth = (pointer: string): number => pointer.split('/').length;

/** The outermost member that meets the predicate, outside lists. */
function outermost({ members }: RecordedBody, isSuch: (pointer: string, type: string) => boolean): string | undefined {
  const found = members.filter(({ pointer, type }) => isSuch(pointer, type) && !/\/-(\/|$)/.test(pointer));
  return found.map(({ pointer }) => pointer).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))[0];
}

/** The pointer of the outermost list, with something before or behind. */
const listIn = (body: RecordedBody, toPlace: (list: string) => string): string | undefined => {
  const list = outermost(body, (_, type) => type === 'array');
  return list === undefined ? undefined : toPlace(list);
};

/** The body itself. */
export const body: NamedPlace = ['the body', () => ''];
/** The error of an envelope. */
export const inError: NamedPlace = ['the error', () => '/error'];
/** An item of the outermost list. */
export const item: NamedPlace = ['the items of the list', (body) => listIn(body, (list) => `${list}/-`)];
/** The object that holds the outermost list. */
export const besideList: NamedPlace = ['what holds the list', (body) => listIn(body, parent)];

/** The record: the outermost object with an id, or else with any plain member. */
export const record: NamedPlace = [
  'the record',
  (body) => {
    const plain = (name: RegExp) => outermost(body, (pointer, type) => type !== 'object' && name.test(pointer));
    const member = plain(/[/_]id$/) ?? plain(/\/(?!success$)[^/]+$/);
    return member === undefined ? undefined : parent(member);
  },
];
