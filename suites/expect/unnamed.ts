/** What an update of a trunk does to the fields that it does not name (RFC 5789, section 2). */

import type { Exchange, RecordedMember } from '../../src/exchange/exchange.ts';
import { isAccepted, isOurs, isRejected, statusOf } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import { shownMember, TRUNK_FIELDS } from './effect.ts';

/** Fields that nothing but an update changes; a status may change by itself. */
const STEADY: readonly string[] = ['name', 'direction'];

/** What the reads and updates of the trunk say so far. */
interface History {
  /** Fields as the last read showed them, unless an update has named them since. */
  readonly shown: Map<string, RecordedMember>;
  /** Values that were shown or written: a stale replica may show one of them again. */
  readonly known: Set<string>;
  isUpdated: boolean;
}

const keyOf = (field: string, { digest }: RecordedMember): string => JSON.stringify([field, digest]);

const isTrunk = ({ tag }: Exchange, operation: string): boolean => tag.operation === operation && tag.ids === 'named';

/** Whether a read shows the trunk to its owner. */
export const showsTrunk = (exchange: Exchange): boolean =>
  isTrunk(exchange, 'getTrunk') &&
  isOurs(exchange) &&
  isAccepted(exchange) &&
  TRUNK_FIELDS.some((field) => shownMember(exchange, field) !== undefined);

function noteRead(read: Exchange, history: History): void {
  history.isUpdated = false;
  history.shown.clear();
  for (const field of TRUNK_FIELDS) {
    const member = shownMember(read, field);
    if (member === undefined) continue;
    history.shown.set(field, member);
    history.known.add(keyOf(field, member));
  }
}

function noteUpdate(update: Exchange, history: History): void {
  if (isRejected(update)) return;
  history.isUpdated = true;
  const { body } = update.request;
  // It may have changed every field: its body cannot be read, its outcome is not known, or it comes later.
  if (body?.json !== 'valid' || update.response === null || statusOf(update) === 202) history.shown.clear();
  for (const field of TRUNK_FIELDS) {
    const written = body?.members.find(({ pointer }) => pointer === `/${field}`);
    if (written === undefined) continue;
    history.shown.delete(field);
    history.known.add(keyOf(field, written));
  }
}

function historyBefore(read: Exchange, { exchanges }: Evidence): History {
  const history: History = { shown: new Map(), known: new Set(), isUpdated: false };
  for (const exchange of exchanges) {
    if (exchange.seq >= read.seq) break;
    if (isTrunk(exchange, 'updateTrunk')) noteUpdate(exchange, history);
    else if (showsTrunk(exchange)) noteRead(exchange, history);
  }
  return history;
}

/** Compares a read with the one before the updates that came last, in the fields that none of them named. */
export function keepsUnnamed(read: Exchange, evidence: Evidence): Opinion {
  const { shown, known, isUpdated } = historyBefore(read, evidence);
  const before = [...shown].filter(([, { type }]) => type !== 'null');
  if (!isUpdated || before.length === 0) return none('no update left out a field that the read before it had shown');
  for (const [field] of before) {
    const now = shownMember(read, field);
    const isCleared = now === undefined || now.type === 'null';
    if (!isCleared && (!STEADY.includes(field) || known.has(keyOf(field, now)))) continue;
    const actual = isCleared ? 'no value' : 'another value';
    return found('content', `/${field} of the trunk`, 'the value before an update that did not name it', actual);
  }
  return PASS;
}
