/**
 * What an accepted change does to a record, as a read right after it shows: the change is visible, neither of two is
 * lost, and fields that an update does not name stay as they were (section 4; RFC 5789, section 2).
 */

import type { Answer, SuiteRequest } from '../src/client/request.ts';
import { listed } from '../src/contract/lists.ts';
import { type Ask, type Exchange, endOf } from '../src/exchange/exchange.ts';
import { nthForm } from '../src/exchange/message.ts';
import type { JsonObject } from '../src/generate/json.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import { areOthersRenamed } from '../src/run/written.ts';
import { answerPhrase, isAccepted, statusOf } from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { jsonOf } from '../src/verdict/sibling.ts';
import { ALONE_IN_TURN, asksAlone, sendAlone } from './accepted-bodies.ts';
import { ask } from './ask.ts';
import { baseOf, fieldsOf, objectBase, typicalFields, valueFor, valuesFor } from './bodies.ts';
import { changeOf, fieldIn, holds, isRecord, shownName, showsTrunk, unchanged, writtenName } from './expect/shown.ts';
import { APPLICATION, TRUNK } from './operations.ts';
import { onNamed, PAIR, sendTo } from './sequences/sending.ts';
import {
  NO_STATE_SHOWN,
  readRecord,
  readTrunk,
  readTrunkLate,
  type Shown,
  settled,
  untilShown,
} from './sequences/shown.ts';

const OF_TRUNK = { level: 'should', operations: [TRUNK] } as const;

const UPDATE_VISIBLE = {
  ...OF_TRUNK,
  id: 'UPDATE-VISIBLE',
  section: '4',
  statement: 'A read after an update shows the new value.',
  opportunistic: 'no accepted change (other than with 202) was of a member that getTrunk shows',
  send: { sequences: () => [visibleChange(), falsyName()] },
} as const satisfies Requirement;

/** Whether an accepted change is not visible yet, because a replica or a cache is behind. */
function isOld({ accepted, exchange: change }: Answer, { exchange: reading }: Answer): boolean {
  const shown = shownName(reading);
  return accepted && shown !== undefined && shown !== writtenName(change);
}

/** Reads the trunk until it shows the name of the change, and judges by the last read. */
async function sayVisible(session: Session, asked: Ask, change: Answer, about: string): Promise<void> {
  let looks = 0;
  const read = (): Promise<Answer> => {
    looks += 1;
    return readTrunk(session, looks > 1 ? `${about}, again` : about);
  };
  const last = await settled(session, read, (reading) => isOld(change, reading));
  // If six reads do not show it, later reads are not waited for: a target a minute behind cost 152 seconds.
  if (looks > 1 && !isOld(change, last)) session.state.note({ readsLag: last.exchange.at - endOf(change.exchange) });
  session.say(asked, last, () => seen(change.exchange, last.exchange));
}

/** Whether the read shows the name that the change wrote. */
export function seen(change: Exchange | undefined, reading: Exchange): Opinion {
  if (change === undefined || !isAccepted(change)) return none('the change was not accepted');
  if (statusOf(change) === 202) return none('the change was accepted with 202 and may take effect later');
  const shown = shownName(reading);
  if (shown === undefined) return none(`${answerPhrase(reading)}, without a name`);
  return shown === writtenName(change)
    ? PASS
    : found('/name of the trunk', 'the name that was written', 'another name');
}

/** A change of the trunk's name, and the read that shows it. */
function visibleChange(): Sequence {
  const visible = ask('UPDATE-VISIBLE');
  const placed = { asks: [visible, ...asksAlone('name'), ask('UPDATES-AT-ONCE')] };
  return onNamed(TRUNK, 'read after it', placed, async (session) => {
    const name = `${session.builder.mark} visible`;
    let answer = await sendAlone(session, TRUNK, 'name', name);
    if (!answer.accepted) {
      const json = { ...Object(baseOf(session, TRUNK)), name };
      answer = await sendTo(session, TRUNK, { json, role: 'change', about: 'another name' });
    }
    await sayVisible(session, visible, answer, 'the trunk after a change');
  });
}

const FALSY = 'a name of 0';

/** A name that many languages treat as false, after a plain one. */
function falsyName(): Sequence {
  const visible = ask('UPDATE-VISIBLE', FALSY);
  const placed = { asks: [visible], otherwise: { reason: 'the name was rejected', why: 'occasion' } } as const;
  return onNamed(TRUNK, `read after ${FALSY}`, placed, async (session) => {
    const json = { ...objectBase(session, TRUNK), name: '0' };
    const change = await sendTo(session, TRUNK, { json, role: 'change', about: FALSY });
    if (!change.accepted) return;
    await untilShown(session);
    await sayVisible(session, visible, change, `the trunk after ${FALSY}`);
  });
}

const UPDATES_AT_ONCE = {
  ...OF_TRUNK,
  id: 'UPDATES-AT-ONCE',
  section: 'RFC 5789, 2',
  statement: 'Of two updates at once that name different fields and are both accepted, neither is lost.',
  opportunistic: 'no two updates of a trunk that shows its name were accepted at once',
  send: { sequences: () => [updatesAtOnce()] },
} as const satisfies Requirement;

/** Whether an earlier read showed the name of a single update, so that reads of this target show updates. */
function wasShownAlone(name: string, first: Exchange, { exchanges }: Evidence): boolean {
  const before = exchanges.filter(({ seq }) => seq < first.seq);
  const isWritten = before.some((sent) => sent.tag.role === 'change' && isAccepted(sent) && writtenName(sent) === name);
  return isWritten && shownName(before.findLast(showsTrunk)) === name;
}

/**
 * Of two simultaneous updates, the name that one wrote was not lost to the other, which left it out. If reads come from
 * a cache, the name of a later single update is not shown at once either.
 */
export function bothKept(
  changes: readonly Exchange[],
  reading: Exchange,
  single: Opinion,
  evidence: Evidence,
): Opinion {
  const [first] = changes;
  if (first === undefined || !changes.every((change) => isAccepted(change) && statusOf(change) !== 202)) {
    return none('the two updates were not both accepted at once');
  }
  const shown = shownName(reading);
  if (shown === undefined) return none(`${answerPhrase(reading)}, without a name`);
  if (shown === writtenName(first)) return PASS;
  if (single.kind !== 'pass' || !wasShownAlone(shown, first, evidence)) {
    return none('a single update is not shown either');
  }
  return found('/name of the trunk', 'the name that one of two updates at once wrote', 'the previous name');
}

/**
 * Simultaneous updates of different fields of a trunk: a read then shows which took effect. Two of them write the name,
 * since a mapper skips a value that is already there: a service with a version column, which answered 500 to the slower
 * of two, passed. If no read shows the trunk's state, only 5xx and lost answers are judged.
 */
function updatesAtOnce(): Sequence {
  const kept = ask('UPDATES-AT-ONCE');
  const alone = asksAlone('status');
  const placed = {
    asks: [kept, ...PAIR.asks, ...alone],
    otherwise: { reason: NO_STATE_SHOWN, why: 'occasion' },
  } as const;
  return onNamed(TRUNK, 'at once', placed, async (session) => {
    const { builder } = session;
    const values = valuesFor(session, TRUNK);
    const field = ['status', 'direction'].find((one) => values[one] !== undefined);
    const base = objectBase(session, TRUNK);
    let times = 0;
    const requests = async (): Promise<readonly SuiteRequest[]> => {
      times += 1;
      const json = { ...base, name: `${builder.mark} at once ${times}` };
      const other = field === undefined ? json : { [field]: valueFor(values, field) };
      const asks = [...PAIR.asks, ...(field === 'status' ? alone : [])];
      return [
        { json, ...PAIR },
        { json, ...PAIR },
        { json: other, asks, form: nthForm(0) },
      ].map((sent, at) => builder.request(TRUNK, { ...sent, role: 'change', about: `update ${at + 1} of 3 at once` }));
    };
    const [first, second, third] = (await session.together(await requests(), requests)) as [Answer, Answer, Answer];
    if (field === undefined) return session.say(kept, first, () => none(NO_STATE_SHOWN));
    const answers = [first.accepted ? first : second, third];
    const changes = answers.map(({ exchange }) => exchange);
    const isLost = ({ exchange }: Answer): boolean => shownName(exchange) !== writtenName(changes[0] as Exchange);
    let reading = await readTrunk(session, 'the trunk after both');
    if (isLost(reading)) {
      // A replica may be behind, so the second read decides: at 2 s, slow answers showed only the single update.
      reading = await readTrunkLate(session, 'the trunk after both, again');
    }
    let single: Opinion = none('no single update followed');
    session.say(kept, reading, (evidence) => bothKept(changes, reading.exchange, single, evidence));
    if (!isLost(reading)) return;
    // A single update distinguishes a lost update from reads that come from a cache.
    const json = { ...base, name: `${builder.mark} after both` };
    const change = await sendTo(session, TRUNK, { json, role: 'change', about: 'a single update after two at once' });
    single = seen(change.exchange, (await readTrunk(session, 'the trunk after the single update')).exchange);
  });
}

const UPDATE_UNNAMED_KEPT = {
  ...OF_TRUNK,
  id: 'UPDATE-UNNAMED-KEPT',
  section: 'RFC 5789, 2',
  statement: 'What an update of a trunk does not name stays as it was.',
  opportunistic: 'no accepted update left out a field that a read had shown',
  send: { sequences: () => [oneFieldAtATime(TRUNK)] },
} as const satisfies Requirement;

const APPLICATION_UNNAMED_KEPT = {
  id: 'APPLICATION-UNNAMED-KEPT',
  level: 'should',
  operations: [APPLICATION],
  section: 'RFC 5789, 2',
  statement: 'What an update of a voice application does not name stays as it was.',
  opportunistic: 'no answer shows the voice application after an accepted update that left out a field',
  send: { sequences: () => [oneFieldAtATime(APPLICATION)] },
} as const satisfies Requirement;

/** The requirement that judges an update of one field, and what it calls the record. */
const KEPT_FIELD = {
  updateTrunk: ['UPDATE-UNNAMED-KEPT', 'trunk'],
  updateVoiceApplication: ['APPLICATION-UNNAMED-KEPT', 'voice application'],
} as const satisfies Record<Shown, readonly [string, string]>;

/** An update of one field, with the answers before and after it that may show the record. */
interface Looks {
  readonly before: Exchange;
  readonly change: Exchange;
  readonly reading: Exchange;
  /** The previous update, of another field, and an answer before that. */
  readonly last?: { readonly before: Exchange; readonly change: Exchange };
}

const FORGOTTEN = 'the value before the last update of it';

/** A field still has its value from before the last update, which wrote it: a service that stored no update passed. */
function isForgotten(field: string, { reading, last }: Looks): boolean {
  if (last === undefined || !isAccepted(last.change) || statusOf(last.change) === 202) return false;
  const [shown, written] = [fieldIn(reading, field), Object(jsonOf(last.change))[field]];
  return shown === fieldIn(last.before, field) && typeof written === 'string' && shown !== written;
}

/** Compares the answers before and after an update of one field, in these other fields and in other trunks. */
export function keptUnnamed(record: string, fields: readonly string[], looks: Looks, evidence: Evidence): Opinion {
  const { before, change, reading, last } = looks;
  if (!isAccepted(change) || statusOf(change) === 202)
    return none('the update of one field was not accepted, or may take effect later');
  // A service with `UPDATE trunks SET name = $1 WHERE organization = $2` passed as conformant, without a warning.
  if (record === 'trunk' && areOthersRenamed(evidence.exchanges))
    return found('/name of another trunk', 'the name before the updates of ours', 'the name that was written to ours');
  const shown = fields.filter((field) => holds(fieldIn(before, field)));
  if (!isAccepted(reading) || !isRecord(reading) || shown.length === 0)
    return none('the answers before and after the update do not both show the record');
  const changes = shown.flatMap((field) => {
    const actual = isForgotten(field, looks) ? FORGOTTEN : changeOf(field, before, reading);
    return actual === null ? [] : [{ field: `/${field}`, actual }];
  });
  const [first] = changes;
  // A replica that is behind shows values of earlier updates.
  const since = first?.actual === FORGOTTEN && last !== undefined ? last.change : change;
  const timely = reading === since ? PASS : unchanged(reading, since, evidence);
  if (first === undefined || timely.kind !== 'pass') return timely;
  const alike = changes.filter(({ actual }) => actual === first.actual).map(({ field }) => field);
  return found(`${listed(alike)} of the ${record}`, 'the value before an update that did not name it', first.actual);
}

/**
 * Updates of one field each. Every field has a value first, since a target that clears unnamed fields has already
 * cleared them otherwise: three real services passed because no read came between two such updates.
 */
function oneFieldAtATime(id: Shown): Sequence {
  const [requirement, record] = KEPT_FIELD[id];
  const fields = fieldsOf(id);
  const keeps = (names: readonly string[]) => names.map((field) => ask(requirement, `/${field}`));
  const asks = [...keeps(fields), ...ALONE_IN_TURN[id].flatMap(asksAlone)];
  const placed = { asks, otherwise: { reason: 'no answer shows the field', why: 'occasion' } } as const;
  return onNamed(id, 'one field at a time', placed, async (session) => {
    const { builder } = session;
    const values: JsonObject = { ...typicalFields(id, session), name: `${builder.mark} kept` };
    const whole = await sendTo(session, id, { json: values, role: 'change', about: 'all fields' });
    let before = (await readRecord(session, id, { role: 'before', about: 'the record with all fields' })) ?? whole;
    let last: Looks['last'];
    const shown = fields.filter((field) => holds(fieldIn(before.exchange, field)));
    const rounds = [
      { named: 'name', kept: shown.filter((field) => field !== 'name') },
      { named: ALONE_IN_TURN[id][1], kept: shown.filter((field) => field === 'name') },
    ];
    for (const { named, kept } of rounds) {
      const value = named === 'name' ? `${builder.mark} alone` : valueFor(valuesFor(session, id), named);
      const change = await sendAlone(session, id, named, value);
      if (shown.length === 0) continue;
      const about = `the record after nothing but /${named}`;
      const reading = (await readRecord(session, id, { role: 'after', about })) ?? change;
      const around = { before: before.exchange, change: change.exchange };
      const looks = { ...around, reading: reading.exchange, ...(id === APPLICATION && last && { last }) };
      session.say(keeps(kept), reading, (evidence) => keptUnnamed(record, kept, looks, evidence));
      before = reading;
      last = around;
    }
  });
}

export const ACCEPTED_CHANGES = [
  UPDATE_VISIBLE,
  UPDATES_AT_ONCE,
  UPDATE_UNNAMED_KEPT,
  APPLICATION_UNNAMED_KEPT,
] as const;
