/**
 * What changes do to a record, as reads show it: a rejected one does nothing (section 5), and an update of a trunk leaves
 * alone what it does not name (RFC 5789, section 2).
 */

import { plainPath } from '../../src/client/request-path.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import { listed } from '../../src/contract/lists.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import { CREDENTIAL_FORMS } from '../../src/exchange/credential-forms.ts';
import {
  type CredentialForm,
  describedIn,
  type Exchange,
  endOf,
  type RecordedMember,
  type ShownFields,
} from '../../src/exchange/exchange.ts';
import {
  answerPhrase,
  isAccepted,
  isOfOthers,
  isOurs,
  isRejected,
  isRetryable,
  statusOf,
  symptomOf,
} from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import type { Expectation } from '../../src/verdict/requirement.ts';
import { jsonOf } from '../../src/verdict/sibling.ts';
import { isOneOf } from '../operations.ts';
import { foundAccess } from './rejection.ts';

/** The fields of a trunk that an update may name. */
const TRUNK_FIELDS = ['name', 'direction', 'status'] as const;

/** A field of the trunk's own record in a response, if the response contains it. */
function shownMember(exchange: Exchange | undefined, field: string): RecordedMember | undefined {
  const members = exchange?.response?.body?.members ?? [];
  return members.find(({ pointer }) => /^(?:\/(?:data|trunk|result|items?|-))*\/([^/]+)$/.exec(pointer)?.[1] === field);
}

/** The digest of the trunk's own name in a response, if the response contains it. */
export const shownName = (exchange: Exchange | undefined): string | undefined => shownMember(exchange, 'name')?.digest;

/** A field that a request writes. */
const writtenMember = ({ request }: Exchange, field: string): RecordedMember | undefined =>
  request.body?.members.find(({ pointer }) => pointer === `/${field}`);

/** The digest of the name that a request writes. */
export const writtenName = (exchange: Exchange): string | undefined => writtenMember(exchange, 'name')?.digest;

/** The changes that its sequence sent before a read. */
export const changesBefore = (reading: Exchange, evidence: Evidence): readonly Exchange[] =>
  evidence.siblings(reading).filter(({ tag, seq }) => tag.role === 'change' && seq < reading.seq);

/** Whether its sequence read the trunk again before it changed it again: the last read decides. */
export function isReadAgain(reading: Exchange, evidence: Evidence): boolean {
  const later = evidence.siblings(reading).filter(({ seq }) => seq > reading.seq);
  return later.find(({ tag }) => tag.role === 'after' || tag.role === 'change')?.tag.role === 'after';
}

/** The trunk shows a name that it should not have. */
const foundName = (actual: string): Opinion => found('/name of the trunk', 'the previous name', actual);

/**
 * In a walk each change has a name of its own, so that a read which shows the name of a rejected one shows its effect,
 * whatever came between.
 */
function showsRejected(reading: Exchange, evidence: Evidence, isMeant: (change: Exchange) => boolean): Opinion {
  const shown = shownName(reading);
  const changes = changesBefore(reading, evidence).filter((one) => writtenName(one) === shown);
  const isRejectedName =
    shown !== undefined && changes.length > 0 && changes.every(isRejected) && changes.some(isMeant);
  if (!isRejectedName) return none('the trunk does not show the name of a rejected change');
  return foundName('the rejected name');
}

/** Names that the trunk had, or that we wrote, before the rejected changes: a stale replica may still show one. */
function earlierNames(changes: readonly Exchange[], { exchanges }: Evidence): ReadonlySet<string | undefined> {
  const first = Math.min(...changes.map(({ seq }) => seq));
  const earlier = exchanges.filter(
    ({ seq, tag }) => seq < first && isOneOf(['getTrunk', 'updateTrunk'], tag.operation),
  );
  return new Set([...earlier.filter(isOurs).map(writtenName), ...earlier.map(shownName)]);
}

/** The variation of the read after a change with that credential. */
export const afterChange = (form: CredentialForm): string => `after ${form}`;
const AFTER_CHANGES: ReadonlySet<string> = new Set(CREDENTIAL_FORMS.map(afterChange));

/**
 * The longest time in milliseconds after which a read still showed the trunk without an accepted change; a read that comes
 * no later shows nothing. -1 if each read showed its change, infinite if the last read after some change did not.
 */
function longestStale(evidence: Evidence): number {
  const staleness = evidence.exchanges.filter(showsTrunk).map((reading) => {
    const change = changesBefore(reading, evidence).at(-1);
    if (change === undefined || !isOurs(change) || !isAccepted(change)) return -1;
    const [written, shown] = [writtenName(change), shownName(reading)];
    const isStale = written !== undefined && written !== shown && earlierNames([change], evidence).has(shown);
    if (!isStale) return -1;
    return isReadAgain(reading, evidence) ? reading.at - endOf(change) : Number.POSITIVE_INFINITY;
  });
  return Math.max(-1, ...staleness);
}

/** Judges a read that shows no effect: it passes if it came late enough to show one. */
const unchanged = (reading: Exchange, last: Exchange, evidence: Evidence): Opinion =>
  reading.at - endOf(last) > longestStale(evidence) ? PASS : none('reads of this target are as far behind as this one');

/** Compares the read after rejected changes with the one before. */
function judgeReading(reading: Exchange, evidence: Evidence): Opinion {
  const siblings = evidence.siblings(reading);
  const changes = siblings.filter(({ tag }) => tag.role === 'change');
  const sent = changes.map(({ request }) => afterChange(request.credential));
  const asked = reading.tag.asks.filter(({ variation }) => AFTER_CHANGES.has(variation));
  const missing = asked.find(({ variation }) => !sent.includes(variation));
  if (missing !== undefined) return none(`no change was sent before the read ${missing.variation}`);
  const unread = [evidence.sibling(reading, 'before'), reading].find((one) => one !== undefined && !isAccepted(one));
  if (unread !== undefined) return none(`${answerPhrase(unread)} to ${describedIn(unread.tag)}`);
  const before = shownName(evidence.sibling(reading, 'before'));
  const after = shownName(reading);
  if (before === undefined || after === undefined) return none('the trunk does not show its name');
  const isRejectedName = changes.some((change) => writtenName(change) === after);
  // An accepted change explains the new name. A 2xx to another organization may be mere politeness: the name shows more.
  const isPolite = changes.every(isOfOthers) && isRejectedName;
  if (!changes.every(isRejected) && !isPolite) return none('a change with an invalid credential was not rejected');
  if (before === after) return unchanged(reading, changes.at(-1) ?? reading, evidence);
  if (!isRejectedName && earlierNames(changes, evidence).has(after)) {
    return none('the trunk shows a name that it had before');
  }
  return foundName(isRejectedName ? 'the name that was written' : 'another name');
}

/** Judged by the read after an update that was rejected as invalid: it does not show what the update wrote. */
export function rejectedUpdate(reading: Exchange, evidence: Evidence): Opinion {
  const isInvalid = (one: Exchange): boolean => isOurs(one) && [400, 422].includes(one.response?.status ?? 0);
  if (reading.tag.origin !== undefined) return showsRejected(reading, evidence, isInvalid);
  const change = evidence.sibling(reading, 'change');
  const status = change?.response?.status ?? 0;
  if (change === undefined || ![400, 422].includes(status)) return none('the update was not rejected with 400 or 422');
  const after = shownName(reading);
  if (after === undefined) return none('the trunk does not show its name');
  const isShown = after === writtenName(change) || showsNameOf(reading, change);
  return isShown ? foundName('the rejected name') : unchanged(reading, change, evidence);
}

/** Each change asks a variation, and the read after them asks one for each; a finding belongs to the read. */
export const noEffect =
  (isMeant: (form: CredentialForm) => boolean): Expectation =>
  (exchange, evidence) =>
    exchange.tag.origin === undefined
      ? judgeChange(exchange, evidence)
      : showsRejected(exchange, evidence, ({ request }) => isMeant(request.credential));

/** Forms that no mistake in the settings makes valid. */
const NEVER_VALID: readonly CredentialForm[] = ['none', 'wrong-secret'];

/** Whether the change was accepted, which another request with such a credential may not have been. */
const isAccess = (change: Exchange): boolean =>
  change.tag.role === 'change' && NEVER_VALID.includes(change.request.credential) && isAccepted(change);

/** Whether a made-up id was rejected with the other organization's credential: then the target looks ids up. */
const looksUp = ({ tag }: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some(
    (one) =>
      one.tag.role === 'made-up-id' && one.tag.operation === tag.operation && isOfOthers(one) && isFinalRejection(one),
  );

const isFinalRejection = (one: Exchange): boolean => isRejected(one) && !isRetryable(one);

function judgeChange(exchange: Exchange, evidence: Evidence): Opinion {
  if (exchange.tag.role === 'after') return judgeReading(exchange, evidence);
  const isOthers = isOfOthers(exchange) && isAccepted(exchange) && looksUp(exchange, evidence);
  if (isAccess(exchange) || isOthers) return foundAccess(exchange);
  const reading = evidence.sibling(exchange, 'after');
  if (reading === undefined) return none('the trunk was not read after the change');
  const opinion = judgeReading(reading, evidence);
  return opinion.kind === 'finding' ? none('the read after the change shows its effect') : opinion;
}

/** The name of the voice application or of the trunk that an answer shows. */
export const nameIn = ({ response }: Exchange): unknown => response?.learned?.fields?.['name'];

/** Whether an answer shows the name that a change wrote, also with something added: no other update of the run writes it. */
function showsNameOf(reading: Exchange, change: Exchange): boolean {
  const [shown, written] = [nameIn(reading), Object(jsonOf(change)).name];
  return typeof shown === 'string' && typeof written === 'string' && shown.includes(written);
}

function judgeApplication(reading: Exchange, evidence: Evidence): Opinion {
  const changes = evidence.siblings(reading).filter(({ tag }) => tag.role === 'change');
  const [first] = changes;
  if (first === undefined || !changes.every(isRejected))
    return none('a change with an invalid credential was not rejected');
  if (typeof nameIn(reading) !== 'string') return none('the response does not show the name of the voice application');
  if (!showsNameOf(reading, first)) return unchanged(reading, changes.at(-1) ?? first, evidence);
  return found('/name of the voice application', 'the previous name', 'the name that was written');
}

/** Judged by what a later answer to the valid credential shows, to which a finding belongs. */
export function applicationUnchanged(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccess(exchange)) return foundAccess(exchange);
  const reading = evidence.sibling(exchange, 'after');
  if (reading === undefined) return none('nothing was read after the change');
  const opinion = judgeApplication(reading, evidence);
  const isElsewhere = opinion.kind === 'finding' && exchange !== reading;
  return isElsewhere ? none('a later answer shows the effect of the change') : opinion;
}

const isHangUp = ({ tag }: Exchange): boolean =>
  tag.operation === 'hangUpCall' && tag.documented && tag.ids === 'named';

/** The call that a hang-up is for, in any spelling of its path. */
const callOf = ({ request }: Exchange): string => plainPath(request.path);

/** Whether our hang-up of that call was accepted, then or later: until then it was open. */
const isHungUpByUs = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some((one) => isHangUp(one) && isOurs(one) && isAccepted(one) && callOf(one) === callOf(exchange));

/** The hang-up that ended each call, if nothing else can have ended it first: the accepted one, otherwise the first. */
function untouchedHangUps(evidence: Evidence): readonly Exchange[] {
  const byCall = new Map<string, Exchange>();
  // Another credential may have ended a call, and so may another method that was accepted.
  const mayEnd = (one: Exchange): boolean => (isHangUp(one) || one.tag.role === 'before') && !isRetryable(one);
  for (const one of evidence.exchanges.filter(mayEnd)) {
    const before = byCall.get(callOf(one));
    // Of two hang-ups at once only one may be accepted, and a call may be known late.
    if (before === undefined || (isOurs(before) && !isAccepted(before) && isAccepted(one)))
      byCall.set(callOf(one), one);
  }
  return [...byCall.values()].filter((one) => isHangUp(one) && isOurs(one));
}

/**
 * What our own hang-up right behind a rejected one says: if it finds the call ended, although no other call of the run
 * ended by itself, the rejection came after the effect. `null` if it was still open, or nothing was sent.
 */
export function endedBefore(own: Exchange | undefined, evidence: Evidence): Opinion | null {
  if (own === undefined || isHungUpByUs(own, evidence)) return null;
  // A gateway that loses the answer of our hang-up says nothing about the call.
  if (symptomOf(own) !== null && !evidence.isConfirmed(own)) return none('the answer to our own hang-up was lost');
  const others = untouchedHangUps(evidence);
  const areLasting = others.length >= TRIALS.rule && others.every(isAccepted);
  if (!areLasting) return none('calls of this target may end by themselves');
  return found('our own hang-up right behind it', 'a call that is still open', answerPhrase(own));
}

/** Whether each hang-up of a call that was hung up before was rejected: only then an accepted one found the call open. */
function areEndedCallsRejected(evidence: Evidence): boolean {
  const hangUps = evidence.exchanges.filter((one) => isHangUp(one) && isOurs(one) && !isRetryable(one));
  const isAgain = (one: Exchange): boolean =>
    hangUps.some(
      (first) => isAccepted(first) && callOf(first) === callOf(one) && endOf(first) <= one.at && first !== one,
    );
  const again = hangUps.filter(isAgain);
  return again.length > 0 && again.every(isRejected);
}

/** Whether our hang-up of another call, in the same sequence, found that one ended, too. */
const isEndedAgain = (own: Exchange, evidence: Evidence): boolean =>
  evidence
    .siblings(own)
    .some((one) => isHangUp(one) && isOurs(one) && callOf(one) !== callOf(own) && !isHungUpByUs(one, evidence));

/** What our own hang-up says of a request before it that must not end the call. */
export function leavesCallOpen(own: Exchange | undefined, evidence: Evidence): Opinion {
  if (own === undefined) return none('our own hang-up was not sent');
  const ended = endedBefore(own, evidence);
  if (ended?.kind === 'finding' && !isEndedAgain(own, evidence)) return none('the call may have ended by itself');
  if (ended !== null) return ended;
  return areEndedCallsRejected(evidence) ? PASS : none('no answer of this target tells an ended call from an open one');
}

/** Judged by our own hang-up right behind a rejected one. */
export function callUnchanged(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isFinalRejection(exchange)) return none(answerPhrase(exchange));
  const own = evidence.sibling(exchange, 'control');
  const isHungUp = (one: Exchange): boolean =>
    one.tag.operation === 'hangUpCall' && callOf(one) === callOf(exchange) && isAccepted(one);
  const isOver = evidence.exchanges.some((one) => one.seq < (own?.seq ?? 0) && isHungUp(one));
  return isOver ? none('another hang-up of the call was accepted') : leavesCallOpen(own, evidence);
}

const connectionIn = (exchange: Exchange): unknown => {
  const id: unknown = Object(jsonOf(exchange)).carrier_connection_id;
  return typeof id === 'string' ? id.toLowerCase() : id;
};
const shownConnection = ({ response }: Exchange): string | null | undefined =>
  response?.learned?.assignment?.toLowerCase() ?? response?.learned?.assignment;

/**
 * Judged by a list after rejected assignments: it shows the connection of the last accepted one, as an earlier list of the
 * run did. A list that lags shows a connection that the number had before, which proves nothing.
 */
export function assignmentUnchanged(reading: Exchange, evidence: Evidence): Opinion {
  const { exchanges } = evidence;
  const before = exchanges.filter(({ seq }) => seq < reading.seq);
  const assignments = before.filter(({ tag }) => tag.operation === 'assignNumber' && tag.ids === 'named');
  const last = assignments.findLast((one) => isOurs(one) && isAccepted(one));
  const since = assignments.filter(({ seq }) => last !== undefined && seq > last.seq);
  if (last === undefined || since.length === 0 || !since.every(isRejected)) {
    return none('no assignment was rejected after an accepted one');
  }
  if (since.every((one) => connectionIn(one) === connectionIn(last))) {
    return none('no rejected assignment named another carrier connection');
  }
  const shown = shownConnection(reading);
  if (shown === undefined) return none('the list does not show the carrier connection of the number');
  const earlier = before.map(shownConnection);
  if (!earlier.some((one) => one === connectionIn(last))) {
    return none('no earlier list showed the carrier connection that was assigned');
  }
  if (shown === connectionIn(last)) return unchanged(reading, since.at(-1) ?? last, evidence);
  if (earlier.includes(shown)) return none('the list shows a carrier connection that the number had before');
  const actual = shown === null ? 'none' : 'another one';
  return found('/carrier_connection_id of the number', 'the connection that was assigned', actual);
}

const isTrunk = ({ tag }: Exchange, operation: string): boolean => tag.operation === operation && tag.ids === 'named';

/** Whether a read shows the trunk to its owner. */
const showsTrunk = (exchange: Exchange): boolean =>
  isTrunk(exchange, 'getTrunk') &&
  isOurs(exchange) &&
  isAccepted(exchange) &&
  TRUNK_FIELDS.some((field) => shownMember(exchange, field) !== undefined);

type Value = ShownFields[string] | undefined;

/** A field of the trunk or voice application that an answer shows. */
const fieldIn = ({ response }: Exchange, field: string): Value => response?.learned?.fields?.[field];

/** Whether a field holds a value; many services write an empty text where another one writes null. */
export const holds = (value: Value): boolean => value !== undefined && value !== null && value !== '';

/** Whether an answer shows the record: that to an update may repeat what was sent, unless it also shows the id. */
const isRecord = ({ request, response }: Exchange): boolean =>
  request.method === 'GET' || response?.body?.mentions.includes(SETTING_OF.voiceApplication) === true;

/** What became of a field that an update did not name; `null` where it is as before, or the answer does not show it. */
function changeOf(field: string, before: Exchange, reading: Exchange): string | null {
  const [was, now] = [fieldIn(before, field), fieldIn(reading, field)];
  if (now === was || (now === undefined && reading.request.method !== 'GET')) return null;
  if (!holds(now)) return 'no value';
  // A status may change by itself.
  return field === 'status' ? null : 'another value';
}

/** Compares the answer behind an update of one field with the one before it, in the fields that it asks about. */
export const keepsUnnamed =
  (record: string): Expectation =>
  (reading, evidence) => {
    const siblings = evidence.siblings(reading);
    const change = siblings.findLast(({ tag, seq }) => tag.role === 'change' && seq <= reading.seq);
    const before = siblings.findLast(({ seq }) => seq < (change?.seq ?? 0));
    if (change === undefined || before === undefined || !isAccepted(change) || statusOf(change) === 202) {
      return none('the update of one field was not accepted, or may take effect later');
    }
    const asked = reading.tag.asks.map(({ variation }) => variation.slice(1));
    const shown = asked.filter((field) => holds(fieldIn(before, field)));
    if (!isAccepted(reading) || !isRecord(reading) || shown.length === 0) {
      return none('the answers before and after the update do not both show the record');
    }
    const changes = shown.flatMap((field) => {
      const actual = changeOf(field, before, reading);
      return actual === null ? [] : [{ field: `/${field}`, actual }];
    });
    const [first] = changes;
    // A replica that is behind shows values of earlier updates.
    const timely = reading === change ? PASS : unchanged(reading, change, evidence);
    if (first === undefined || timely.kind !== 'pass') return timely;
    const alike = changes.filter(({ actual }) => actual === first.actual).map(({ field }) => field);
    return found(`${listed(alike)} of the ${record}`, 'the value before an update that did not name it', first.actual);
  };
