/** Rejected assignments have no effect on the number, as a list of numbers shows (section 5). */

import type { Answer } from '../src/client/request.ts';
import { TRIALS } from '../src/contract/limits.ts';
import { readUuid } from '../src/contract/uuid.ts';
import type { Ask, Exchange } from '../src/exchange/exchange.ts';
import type { RequestBuilder } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Session } from '../src/run/sequence.ts';
import { isAccepted, isOurs, isRejected, isRetryable } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, none, type Opinion } from '../src/verdict/opinion.ts';
import type { Judge } from '../src/verdict/record.ts';
import { jsonOf } from '../src/verdict/sibling.ts';
import { ofAnotherOrganization } from './expect/configured-credentials.ts';
import { foundAccess } from './expect/rejection.ts';
import { unchanged } from './expect/shown.ts';
import { ASSIGN } from './operations.ts';
import { sendTo } from './sequences/sending.ts';
import { untilShown } from './sequences/shown.ts';

/** A target may accept a UUID without dashes or in braces, and show it with dashes. */
const plain = (id: string): string => readUuid(id) ?? id.toLowerCase();
const connectionIn = (exchange: Exchange): unknown => {
  const id: unknown = Object(jsonOf(exchange)).carrier_connection_id;
  return typeof id === 'string' ? plain(id) : id;
};
const shownConnection = ({ response }: Exchange): string | null | undefined => {
  const id = response?.learned?.assignment;
  return typeof id === 'string' ? plain(id) : id;
};

/**
 * Whether at least three lists have shown the connection of the last accepted assignment since the number got it, and
 * none another: lists do not lag. A number without a connection at first lost it with each rejection, and passed.
 */
function isSettled(last: Exchange, accepted: readonly Exchange[], before: readonly Exchange[]): boolean {
  const previous = accepted.findLast((assignment) => connectionIn(assignment) !== connectionIn(last));
  const first = accepted.find(({ seq }) => seq > (previous?.seq ?? 0)) ?? last;
  const shown = before.filter(({ seq }) => seq > first.seq).map(shownConnection);
  const since = shown.filter((connection) => connection !== undefined);
  return since.length >= TRIALS.rule && since.every((connection) => connection === connectionIn(last));
}

/**
 * Judged by a list after rejected assignments: it has to show the connection of the last accepted one, like an earlier
 * list of the run. A list that lags shows the number's former connection, which proves nothing.
 */
export function assignmentUnchanged(reading: Exchange, evidence: Evidence): Opinion {
  const { exchanges } = evidence;
  const before = exchanges.filter(({ seq }) => seq < reading.seq);
  const assignments = before.filter(({ tag }) => tag.operation === 'assignNumber' && tag.ids === 'named');
  // A text that is not JSON names no other connection, although a parser that stops after the value accepts it.
  const isNaming = (assignment: Exchange): boolean => connectionIn(assignment) !== undefined;
  const accepted = assignments.filter((each) => isOurs(each) && isAccepted(each) && isNaming(each));
  const last = accepted.at(-1);
  const since = assignments.filter(({ seq }) => last !== undefined && seq > last.seq);
  // A service that puts off every eleventh request with 503 has not accepted those either.
  const isPutOff = (assignment: Exchange): boolean =>
    isRetryable(assignment) && (!isOurs(assignment) || evidence.isSuperseded(assignment));
  const isUnaccepted = since.every((assignment) => isRejected(assignment) || isPutOff(assignment));
  if (last === undefined || !since.some(isRejected) || !isUnaccepted) {
    return none('no assignment was rejected after an accepted one');
  }
  if (since.every((assignment) => connectionIn(assignment) === connectionIn(last))) {
    return none('no rejected assignment named another carrier connection');
  }
  const shown = shownConnection(reading);
  if (shown === undefined) return none('the list does not show the carrier connection of the number');
  const earlier = before.map(shownConnection);
  if (!earlier.some((connection) => connection === connectionIn(last))) {
    return none('no earlier list showed the carrier connection that was assigned');
  }
  if (shown === connectionIn(last)) return unchanged(reading, since.at(-1) ?? last, evidence);
  if (earlier.includes(shown) && !isSettled(last, accepted, before))
    return none('the list shows a carrier connection that the number had before');
  const actual = shown === null ? 'none' : 'another one';
  return found('/carrier_connection_id of the number', 'the connection that was assigned', actual);
}

/**
 * Judges the list after an assignment by another organization: the number was taken if this list, and no earlier one,
 * shows the connection. A service that ignored row counts answered 200 to any id, and gave our number away.
 */
export const assignedByOther =
  (assignment: Exchange, list: Exchange): Judge =>
  ({ exchanges }) => {
    const shows = (exchange: Exchange): boolean => shownConnection(exchange) === connectionIn(assignment);
    const isBefore = exchanges.some((exchange) => exchange.seq < assignment.seq && shows(exchange));
    return shows(list) && !isBefore ? foundAccess(assignment) : none('the list does not show that it took the number');
  };

/** Whether the run reads the list that may show the connection of the number. */
export const showsAssignments = ({ options }: RequestBuilder): boolean => !options.without.includes('listNumbers');

const readNumbers = async (session: Session, about: string, asks: readonly Ask[] = []): Promise<Answer> => {
  await untilShown(session);
  return sendTo(session, 'listNumbers', { role: 'after', asks, about });
};

/**
 * The lists that settle the number's connection if it had none, or another one, before the run. In 4 of 41 orders of a
 * certification only two lists showed ours, and a service that removed it again passed.
 */
export async function numbersBeforeRejection(session: Session): Promise<void> {
  const { assignment } = session.state.facts;
  const given = plain(session.builder.named('carrierConnection') ?? '');
  if (assignment === undefined || (assignment !== null && plain(assignment) === given)) return;
  for (let sent = 0; sent < TRIALS.rule; sent += 1)
    await readNumbers(session, 'the numbers before rejected assignments');
}

/** The list that shows whether rejected assignments had an effect. */
export const numbersAfterRejection = (session: Session, asks: readonly Ask[]): Promise<Answer> =>
  readNumbers(session, 'the numbers after rejected assignments', asks);

/** Judges the list after an assignment that was accepted from another organization. */
export async function sayAssigned(session: Session, asks: readonly Ask[], assignment: Answer): Promise<void> {
  const list = await readNumbers(session, 'the numbers after that assignment');
  session.say(asks, assignment, ofAnotherOrganization(assignedByOther(assignment.exchange, list.exchange)));
}

/** Read before the next valid assignment, which repairs what a rejected one did. */
export const AUTH_ASSIGNMENT_UNCHANGED = {
  id: 'AUTH-ASSIGNMENT-UNCHANGED',
  level: 'must',
  section: '5',
  statement:
    'An assignment that is rejected for its credential, or for the owner of the carrier connection, changes nothing.',
  operations: [ASSIGN],
  expect: assignmentUnchanged,
  opportunistic: 'the list of numbers does not show the carrier connection of the number',
  explainedBy: ['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SECRET', 'AUTH-SCHEME', 'ORG-ISOLATION'],
} as const satisfies Requirement;
