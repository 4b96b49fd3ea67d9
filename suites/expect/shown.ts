/** What answers show about a trunk or a voice application, and when a read that shows nothing new is evidence. */

import { TRUNK_FIELDS } from '../../src/client/learned.ts';
import { groupBy } from '../../src/contract/lists.ts';
import { SETTING_OF } from '../../src/contract/settings.ts';
import { type Exchange, endOf, type RecordedMember, type ShownFields } from '../../src/exchange/exchange.ts';
import { isAccepted, isOurs, statusOf } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import { jsonOf } from '../../src/verdict/sibling.ts';
import { isOneOf } from '../operations.ts';

/** The fields of a trunk that an update may name. */

/** A field of the trunk's own record, and the place of that record. */
const FIELD_OF_TRUNK = new RegExp(`^((?:/(?:data|trunk|result|items?|-))*)/(${TRUNK_FIELDS.join('|')})$`);

/**
 * A field of the trunk's own record in a response, if it contains that. Of several records, the first with the most of
 * these fields counts: an answer may begin with a name of its own, or a trunk may contain other records.
 */
function shownMember(exchange: Exchange | undefined, field: (typeof TRUNK_FIELDS)[number]): RecordedMember | undefined {
  const members = exchange?.response?.body?.members ?? [];
  const fields = members.filter(({ pointer }) => FIELD_OF_TRUNK.test(pointer));
  const records = groupBy(fields, ({ pointer }) => FIELD_OF_TRUNK.exec(pointer)?.[1]);
  const [record = []] = [...records.values()].sort((a, b) => b.length - a.length);
  return record.find(({ pointer }) => pointer.endsWith(`/${field}`));
}

/** The digest of the trunk's own name in a response, if the response contains it. */
export const shownName = (exchange: Exchange | undefined): string | undefined => shownMember(exchange, 'name')?.digest;

/** A field that a request writes. */
const writtenMember = ({ request }: Exchange, field: string): RecordedMember | undefined =>
  request.body?.members.find(({ pointer }) => pointer === `/${field}`);

/** The digest of the name that a request writes. */
export const writtenName = (exchange: Exchange): string | undefined => writtenMember(exchange, 'name')?.digest;

/** The other field of a trunk's state. */
const BESIDE = { direction: 'status', status: 'direction' } as const;

/**
 * The read after an update of the trunk shows each field that it wrote, or is no evidence: a read that shows the new
 * name is up to date. A field that the update's answer shows as written and the read as before was not stored:
 * `save(update_fields=["name"])`. The same holds for a word that the target accepted while it rejected an unknown one
 * (`isKnown`), and if the read shows the other field's value: an UPDATE that swapped status and direction passed.
 */
export function storedWhole(write: Exchange, reading: Exchange, before: ShownFields, isKnown = false): Opinion {
  if (writtenName(write) === undefined || shownName(reading) !== writtenName(write) || statusOf(write) === 202)
    return none('the read does not show the name that was written');
  for (const field of ['direction', 'status'] as const) {
    const written = writtenMember(write, field)?.digest;
    const shown = shownMember(reading, field)?.digest;
    if (written === undefined || shown === written) continue;
    const isTaken = isKnown || shownMember(write, field)?.digest === written;
    const isSwapped = shown !== undefined && shown === writtenMember(write, BESIDE[field])?.digest;
    const isPrevious = isTaken && fieldIn(reading, field) === before[field];
    if (!isPrevious && !isSwapped) continue;
    const actual = isPrevious ? 'the previous value' : `what was written to /${BESIDE[field]}`;
    return found(`/${field} of the trunk`, 'the value that was written', actual);
  }
  return PASS;
}

/** Whether a text is shown as written, or trimmed, cut or in the other letter case; invalid UTF-8 may be replaced. */
function isFormOf(shown: unknown, written: unknown): boolean {
  const plain = (text: string): string =>
    text
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[\s\p{C}?\ufffd]/gu, '');
  if (typeof shown !== 'string' || typeof written !== 'string' || written.includes('⟦')) return true;
  return plain(written).startsWith(plain(shown));
}

/**
 * After an update of the trunk, its answer and the read show a name that is neither the written one nor an earlier one.
 * Services that escaped it for a web page, or stored `?` for unsupported characters, passed.
 */
export function foundAltered(write: Exchange, reading: Exchange, evidence: Evidence): Opinion | null {
  const shown = shownName(reading);
  const isStored = shown !== undefined && shownName(write) === shown && !earlierNames([write], evidence).has(shown);
  if (!isStored || isFormOf(nameIn(reading), Object(jsonOf(write)).name)) return null;
  return found('/name of the trunk', 'the name that was written', 'another name');
}

/** Whether a read shows the trunk to its owner. */
export const showsTrunk = (exchange: Exchange): boolean =>
  exchange.tag.operation === 'getTrunk' &&
  exchange.tag.ids === 'named' &&
  isOurs(exchange) &&
  isAccepted(exchange) &&
  TRUNK_FIELDS.some((field) => shownMember(exchange, field) !== undefined);

type Value = ShownFields[string] | undefined;

/** A field of the trunk or voice application that an answer shows. */
export const fieldIn = ({ response }: Exchange, field: string): Value => response?.learned?.fields?.[field];

/** Whether a field has a value; many services write an empty text instead of null. */
export const holds = (value: Value): boolean => value !== undefined && value !== null && value !== '';

/** Whether an answer shows the record: that to an update may only repeat the request, unless it shows the id. */
export const isRecord = ({ request, response }: Exchange): boolean =>
  request.method === 'GET' || response?.body?.mentions.includes(SETTING_OF.voiceApplication) === true;

/** How a field that an update did not name changed; `null` if it did not, or the answer does not show it. */
export function changeOf(field: string, before: Exchange, reading: Exchange): string | null {
  const [was, now] = [fieldIn(before, field), fieldIn(reading, field)];
  if (now === was || (now === undefined && reading.request.method !== 'GET')) return null;
  if (!holds(now)) return 'no value';
  // A status may change by itself.
  return field === 'status' ? null : 'another value';
}

/** Names of the trunk, or written by us, before the rejected changes: a stale replica may still show one. */
export function earlierNames(changes: readonly Exchange[], { exchanges }: Evidence): ReadonlySet<string | undefined> {
  const first = Math.min(...changes.map(({ seq }) => seq));
  const isOfTrunk = ({ tag }: Exchange): boolean => isOneOf(['getTrunk', 'updateTrunk'], tag.operation);
  const earlier = exchanges.filter((sent) => sent.seq < first && isOfTrunk(sent));
  return new Set([...earlier.filter(isOurs).map(writtenName), ...earlier.map(shownName)]);
}

/**
 * The longest time in ms after which a read still did not show an accepted change of the trunk; a read no later than
 * that shows nothing. -1 if each read showed its change, infinite if the last read after some change did not.
 */
function longestStale(evidence: Evidence): number {
  // Other reads may come after a restore: a target with 204 for all updates had five cases open "as far behind".
  const isAround = ({ tag: { role } }: Exchange): boolean => role === 'before' || role === 'after';
  const staleness = evidence.exchanges
    .filter((reading) => showsTrunk(reading) && isAround(reading))
    .map((reading) => {
      const around = evidence.sameSequence(reading);
      const change = around.findLast(({ tag, seq }) => tag.role === 'change' && seq < reading.seq);
      if (change === undefined || !isOurs(change) || !isAccepted(change)) return -1;
      const [written, shown] = [writtenName(change), shownName(reading)];
      const isStale = written !== undefined && written !== shown && earlierNames([change], evidence).has(shown);
      if (!isStale) return -1;
      // If its sequence read the trunk again before changing it again, the last read decides.
      const next = around.find(({ tag, seq }) => seq > reading.seq && ['after', 'change'].includes(tag.role));
      return next?.tag.role === 'after' ? reading.at - endOf(change) : Number.POSITIVE_INFINITY;
    });
  return Math.max(-1, ...staleness);
}

/** Judges a read that shows no effect: passes if it came late enough to show one. */
export const unchanged = (reading: Exchange, last: Exchange, evidence: Evidence): Opinion =>
  reading.at - endOf(last) > longestStale(evidence) ? PASS : none('reads of this target are as far behind as this one');

/** The name of the voice application or of the trunk that an answer shows. */
export const nameIn = ({ response }: Exchange): unknown => response?.learned?.fields?.['name'];

/** Whether an answer shows the name of a change, even with an addition: no other update of the run writes that name. */
export function showsNameOf(reading: Exchange, change: Exchange): boolean {
  const [shown, written] = [nameIn(reading), Object(jsonOf(change)).name];
  return typeof shown === 'string' && typeof written === 'string' && shown.includes(written);
}
