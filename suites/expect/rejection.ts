/** How an invalid credential must be rejected: with a 4xx, and without data from the record (section 5). */

import { listed } from '../../src/contract/lists.ts';
import { percentDecoded } from '../../src/contract/path-text.ts';
import type { Exchange, RecordedMember } from '../../src/exchange/exchange.ts';
import { isOrdinary } from '../../src/exchange/redaction.ts';
import {
  answerPhrase,
  headerOf,
  isAccepted,
  isAsUnknown,
  isError,
  isOfOthers,
  isOfTheParser,
  isOurs,
  isRejected,
  isRetryable,
  isSameTarget,
  routeOf,
  statusOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import {
  found,
  inconclusive,
  LATER,
  lawfullyNone,
  none,
  type Opinion,
  PASS,
  RUN_AGAIN,
} from '../../src/verdict/opinion.ts';
import { LOCK_OUT_REMEDY } from '../../src/verdict/opinions.ts';
import { jsonOf } from '../../src/verdict/sibling.ts';
import { once } from './configured-credentials.ts';
import { laterOrMend, remedyForLoss, remedyForSame, said } from './remedy.ts';

/** What a finding expects of the response to an invalid credential. */
export const REJECTION = 'rejection with a 4xx';

/** The request was accepted, which its credential does not justify. */
export const foundAccess = (exchange: Exchange): Opinion => found('the status', REJECTION, answerPhrase(exchange));

const hasSlash = (exchange: Exchange): boolean => routeOf(exchange).endsWith('/');

/** The undocumented routes with the same ending. */
export const unknownRoutesLike = (exchange: Exchange, { unknownRoutes }: Evidence): readonly Exchange[] =>
  unknownRoutes.filter((route) => hasSlash(route) === hasSlash(exchange));

/** Whether such a route got the same: a web site answers everyone with its page for unknown paths. */
export const isAsAnyRoute = (exchange: Exchange, evidence: Evidence): boolean =>
  unknownRoutesLike(exchange, evidence).some((route) => isAsUnknown(exchange, route));

/** What the status alone shows: a finding, an open question, or `null` for a 4xx. */
export function fromStatus(exchange: Exchange): Opinion | null {
  if (isAccepted(exchange)) return foundAccess(exchange);
  if (isRejected(exchange) && !isRetryable(exchange)) return null;
  const isTooMany = statusOf(exchange) === 429;
  const remedy = isTooMany ? 'set --credential-pause, or raise --max-wait' : laterOrMend(exchange) + said(exchange);
  return inconclusive(`${answerPhrase(exchange)} to an invalid credential`, remedy);
}

/** Members that any response may contain about itself or the request. */
const ABOUT_THE_ANSWER = /^(?:success|code|message|error|type|object|version|.*id)$/i;

const lastSegment = ({ pointer }: RecordedMember): string => pointer.split('/').at(-1) ?? '';

/** The strings of a body: member names by name and digest. */
type Texts = ReadonlyMap<string, string>;

function textsOf({ response }: Exchange): Texts {
  const telling = (response?.body?.members ?? []).filter(
    (member) => member.type === 'string' && member.digest !== undefined && !ABOUT_THE_ANSWER.test(lastSegment(member)),
  );
  return new Map(telling.map((member) => [`${lastSegment(member)} ${member.digest}`, lastSegment(member)]));
}

/** The texts that the valid credential read with the same operation at the same path. */
function recordsRead({ tag, request }: Exchange, exchanges: readonly Exchange[]): readonly Texts[] {
  const reads = exchanges.filter((read) => isOurs(read) && read.tag.operation === tag.operation && isAccepted(read));
  return reads.filter((read) => read.request.path === request.path).map(textsOf);
}

/**
 * A rejection that contains the record is not a rejection. Texts that errors to the valid credential contain as well,
 * such as a region or a link to the manual, are not part of the record.
 */
function fromBody(exchange: Exchange, { exchanges }: Evidence): Opinion | null {
  if (exchange.request.method !== 'GET') return null;
  const texts = textsOf(exchange);
  if (texts.size === 0) return null;
  const records = recordsRead(exchange, exchanges);
  const shared = [...texts].filter(([key]) => records.some((record) => record.has(key)));
  if (shared.length === 0) return null;
  const errors = exchanges.filter((exchange) => isOurs(exchange) && isError(exchange)).map(textsOf);
  const shown = shared.flatMap(([key, name]) => (errors.some((error) => error.has(key)) ? [] : [name]));
  if (shown.length === 0) return null;
  const actual = `the ${listed([...new Set(shown)])} of the record`;
  return found('the body of the rejection', 'no data from the record', actual);
}

/** Members whose values an organization chooses; other words may occur in any message. */
const OWN_TEXTS = [
  ...(['name', 'caller_id', 'voice_url', 'callback_url', 'username', 'realm', 'from', 'to'] as const),
  'carrier_connection_id',
] as const;

function textsWritten(exchange: Exchange): readonly string[] {
  const body = Object(jsonOf(exchange));
  return OWN_TEXTS.map((name) => body[name]).filter((text) => typeof text === 'string' && text.length >= 5);
}

/** Texts of accepted updates with the valid credential. */
const writtenIn = once(({ exchanges }: Evidence) => {
  const ours = exchanges.filter((sent) => isOurs(sent) && isAccepted(sent) && sent.request.body !== null);
  return ours.flatMap((sent) => textsWritten(sent).map((text) => [sent.seq, text] as const));
});

/** The request's own text, raw and parsed: a response that repeats it discloses nothing. */
const saidIn = (exchange: Exchange): readonly string[] => [
  exchange.request.path,
  percentDecoded(exchange.request.path),
  ...exchange.request.headers.map(([, value]) => value),
  exchange.request.body?.text ?? '',
  ...textsWritten(exchange),
];

/**
 * Whether an error quotes a text that its request does not contain, in any letter case: an id in capitals is returned
 * in its stored form. A shorter text of the request does not explain a longer one.
 */
const isQuoted = (written: string, exchange: Exchange): boolean =>
  exchange.response?.body?.text?.includes(written) === true &&
  !saidIn(exchange).some((text) => text.toLowerCase().includes(written.toLowerCase()));

/** The members of a JSON body that hold a text, by name. */
function membersWith(written: string, { response }: Exchange): readonly string[] {
  const names: string[] = [];
  try {
    JSON.parse(response?.body?.text ?? '', (name, value) => {
      if (typeof value === 'string' && value.includes(written)) names.push(name);
      return value;
    });
  } catch {
    // A body that is not JSON has no members.
  }
  return names;
}

/**
 * A rejection quotes nothing that this organization wrote, unless the rejected request contains it. A user name such as
 * `carrier` also occurs in "carrier connection not found", and a realm in a link to the manual: an error at another
 * path, to the valid credential or an invalid one, shows that. A run's random mark never does.
 */
export function quotes(exchange: Exchange, evidence: Evidence): Opinion | null {
  const texts = writtenIn(evidence).filter(([at, written]) => at < exchange.seq && isQuoted(written, exchange));
  if (texts.length === 0) return null;
  const elsewhere = evidence.exchanges.filter(
    (sent) => !isOfOthers(sent) && sent.request.path !== exchange.request.path,
  );
  const isTheirWord = (text: string): boolean => isOrdinary(text) && elsewhere.some((sent) => isQuoted(text, sent));
  const ours = texts.flatMap(([, written]) => (isTheirWord(written) ? [] : [written]));
  if (ours.length === 0) return null;
  const places = [...new Set(ours.flatMap((written) => membersWith(written, exchange)))].sort();
  const actual = `a text that it wrote${places.length === 0 ? '' : `, in ${listed(places)}`}`;
  return found('the body of the rejection', 'nothing that this organization wrote', actual);
}

/** All that a rejection discloses, in one finding: a second place after a known one was not reported as new. */
export function discloses(exchange: Exchange, evidence: Evidence): Opinion | null {
  const [shown, quoted] = [fromBody(exchange, evidence), quotes(exchange, evidence)];
  if (shown?.kind !== 'finding' || quoted?.kind !== 'finding') return shown ?? quoted;
  const { where, expected, actual } = shown.finding;
  return found(where, expected, `${actual}, and ${quoted.finding.actual}`);
}

/** Whether the answer contains texts of our record that the answer to a made-up id does not contain. */
function showsRecord(exchange: Exchange, madeUp: Exchange, { exchanges }: Evidence): boolean {
  const records = recordsRead(exchange, exchanges);
  const elsewhere = textsOf(madeUp);
  return [...textsOf(exchange).keys()].some((key) => !elsewhere.has(key) && records.some((record) => record.has(key)));
}

/** Whether the answer says nothing about the id: a retry is requested (423 with `Retry-After`), or nothing answered. */
export const isLost = (exchange: Exchange): boolean =>
  isRetryable(exchange) ||
  headerOf(exchange, 'retry-after') !== undefined ||
  [null, 502, 504].includes(statusOf(exchange));

/** Judges a 2xx for another organization's resource: access, unless a made-up id gets the same without its data. */
export function accessed(exchange: Exchange, madeUp: Exchange | undefined, evidence: Evidence): Opinion {
  if (madeUp === undefined) return inconclusive('no made-up id was sent with the same credential');
  if (isLost(madeUp)) return inconclusive('the answer to a made-up id was lost', LATER);
  if (statusOf(madeUp) !== statusOf(exchange) || showsRecord(exchange, madeUp, evidence)) return foundAccess(exchange);
  return none(`a made-up id got ${answerPhrase(madeUp)} too, with the same credential`);
}

/**
 * Judges the rejection of a write without a body; `null` for other requests. Read-only writes have none, and made-up
 * ids, and so have create calls once no more may be placed: only 401 and 403 show that the credential was checked.
 */
function ofBlindWrite(exchange: Exchange, { facts }: Evidence): Opinion | null {
  const { request, tag } = exchange;
  const isReadOnly = facts.profile === 'read-only';
  if (request.method === 'GET' || !(isReadOnly || (tag.operation === 'createCall' && request.body === null)))
    return null;
  const status = statusOf(exchange);
  if (status === 401 || status === 403) return PASS;
  // A full run that could not hang up a call was advised to run with --profile full.
  const remedy = facts.profile === 'full' ? `${RUN_AGAIN} once a call can be placed` : 'run with --profile full';
  return none(`${answerPhrase(exchange)} may be about the missing body or the unknown id`, remedy);
}

/** The place of a finding if the same request is rejected on a connection that no valid credential has used. */
export const ON_USED_CONNECTION = 'the status, on a connection that the valid credential had used';

/** Whether the same request is rejected on a new connection: a service may keep fields for the next request. */
const isOfConnection = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchange.tag.fresh !== true &&
  exchanges.some(
    (sent) =>
      sent.tag.fresh === true &&
      sent.request.credential === exchange.request.credential &&
      isSameTarget(sent, exchange) &&
      isRejected(sent),
  );

/** The valid credential's answers to the same request: statuses, and the next answer that asks for no retry. */
export function answersToOurs(
  exchange: Exchange,
  evidence: Evidence,
): { readonly statuses: ReadonlySet<number>; readonly next: Exchange | undefined } {
  const same = evidence.sameRequests(exchange);
  const statuses = new Set(same.map(statusOf).filter((status) => status !== null));
  const isNext = (next: Exchange): boolean =>
    next.seq > exchange.seq && !isRetryable(next) && !evidence.isSuperseded(next);
  return { statuses, next: same.find(isNext) };
}

/** Expects an invalid credential to be rejected where the valid one gets another status for the same request. */
export function rejected(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange) && isOfConnection(exchange, evidence))
    return found(ON_USED_CONNECTION, REJECTION, answerPhrase(exchange));
  const opinion = fromStatus(exchange) ?? discloses(exchange, evidence) ?? ofBlindWrite(exchange, evidence);
  if (opinion !== null) return opinion;
  if (!evidence.isAcceptedAfter(exchange))
    return inconclusive('the valid credential was not accepted afterwards', remedyForLoss(exchange, evidence));
  const { statuses, next } = answersToOurs(exchange, evidence);
  if (statuses.size === 0) return none('the same request was not sent with the valid credential', LATER);
  if (!statuses.has(statusOf(exchange) ?? 0)) return PASS;
  // The valid credential was accepted right after it; a different answer earlier or later was about the state.
  if (next !== undefined && isAccepted(next)) return PASS;
  // Without its query a search answers 400 to everyone, and a parser answers 400 to a credential that is too long.
  if (isOfTheParser(exchange))
    return lawfullyNone(`the valid credential got ${answerPhrase(exchange)} too`, remedyForSame(exchange, evidence));
  // If each such answer to the valid credential was superseded, it was put off, and so was this sender.
  const isPutOff = evidence
    .sameRequests(exchange)
    .every((same) => statusOf(same) !== statusOf(exchange) || evidence.isSuperseded(same));
  const remedy = isPutOff ? LOCK_OUT_REMEDY : remedyForSame(exchange, evidence);
  return none(`the valid credential got ${answerPhrase(exchange)} too${isPutOff ? ' for a while' : ''}`, remedy);
}
