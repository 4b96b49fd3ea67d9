/** What a write changes and what a trunk shows (sections 3 and 4; RFC 9110, section 9.2.2). */

import type { Answer } from '../src/client/request.ts';
import type { Ask, Exchange } from '../src/exchange/exchange.ts';
import type { JsonObject } from '../src/generate/json.ts';
import { asking } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence, Session } from '../src/run/sequence.ts';
import {
  answerPhrase,
  bodyOf,
  isAccepted,
  isError,
  isOurs,
  isRejected,
  isRetryable,
  isSameTarget,
  statusOf,
} from '../src/verdict/answer.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { found, foundRejection, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { asksFor } from '../src/verdict/requirement.ts';
import { Sibling } from '../src/verdict/sibling.ts';
import { baseOf, fieldsOf, objectBase, typicalFields } from './bodies.ts';
import {
  changesBefore,
  holds,
  isReadAgain,
  keepsUnnamed,
  rejectedUpdate,
  shownName,
  writtenName,
} from './expect/effect.ts';
import { APPLICATION, TRUNK } from './operations.ts';
import { onNamed, PAIR, sendTo, sendValid, twoOf } from './sequences/sending.ts';
import { noteLag, readRecord, restoreField, type Shown, settled, shownState, untilShown } from './sequences/shown.ts';
import type { DEVIATIONS_ADVICE, UPDATES_ADVICE } from './updates.ts';

type Id = (typeof RECORDS_ADVICE | typeof UPDATES_ADVICE | typeof DEVIATIONS_ADVICE)[number]['id'];

const ask = asking<Id>();

/** Judged by the read after a change: the name is the one that was written. */
function visible(exchange: Exchange, evidence: Evidence): Opinion {
  if (isReadAgain(exchange, evidence)) return none('the trunk was read again');
  const change = changesBefore(exchange, evidence).findLast((one) => !isRejected(one));
  if (change === undefined || !isAccepted(change)) return none('the change was not accepted');
  if (statusOf(change) === 202) return none('the change was accepted with 202 and may take effect later');
  const shown = shownName(exchange);
  if (shown === undefined) return none(`${answerPhrase(exchange)}, without a name`);
  if (shown === writtenName(change)) return PASS;
  return found('/name of the trunk', 'the name that was written', 'another name');
}

/**
 * Judged by the read after two updates at the same moment: the name that one of them wrote was not lost to the other,
 * which left it out. Where reads come from a cache, the name of a single update after them is not shown at once either.
 */
function bothKept(exchange: Exchange, evidence: Evidence): Opinion {
  if (isReadAgain(exchange, evidence)) return none('the trunk was read again');
  const changes = changesBefore(exchange, evidence);
  const written = changes.map(writtenName).find((name) => name !== undefined);
  if (changes.length < 2 || !changes.every((one) => isAccepted(one) && statusOf(one) !== 202)) {
    return none('the two updates were not both accepted at once');
  }
  const shown = shownName(exchange);
  if (shown === undefined) return none(`${answerPhrase(exchange)}, without a name`);
  if (shown === written) return PASS;
  const alone = evidence.exchanges.findLast((one) => one.seq < exchange.seq && asksFor<Id>('UPDATE-VISIBLE')(one));
  const isShownAlone = alone !== undefined && visible(alone, evidence).kind === 'pass' && shownName(alone) === shown;
  if (!isShownAlone || !showsAtOnce(exchange, evidence)) {
    return none('a single update is not shown either');
  }
  return found('/name of the trunk', 'the name that one of two updates at once wrote', 'the previous name');
}

/** Whether the single update that followed was shown by the read right after it. */
function showsAtOnce(exchange: Exchange, evidence: Evidence): boolean {
  const later = evidence.siblings(exchange).filter((one) => one.seq > exchange.seq);
  const change = later.find(({ tag }) => tag.role === 'change');
  const reading = later.find(({ tag }) => tag.role === 'after');
  return change !== undefined && reading !== undefined && shownName(reading) === writtenName(change);
}

/** Pointers of the objects that have a member of that name. */
function placesOf(exchange: Exchange, name: string): readonly string[] {
  const pointers = bodyOf(exchange)?.members.map(({ pointer }) => pointer) ?? [];
  return pointers.filter((one) => one.endsWith(`/${name}`)).map((one) => one.slice(0, -name.length - 1));
}

/** The interface does not say where in the response the record is, so any place with both counts. */
function showsState(exchange: Exchange): Opinion {
  const body = bodyOf(exchange);
  if (body !== null && body.json === 'invalid') return none('the body is not JSON');
  const withStatus = placesOf(exchange, 'status');
  const withDirection = placesOf(exchange, 'direction');
  if (withStatus.some((place) => withDirection.includes(place))) return PASS;
  const missing = ['status', 'direction'].filter((name) => placesOf(exchange, name).length === 0);
  const actual = missing.length === 0 ? 'status and direction in different objects' : `no ${missing.join(' and no ')}`;
  const where =
    body === null ? `the ${statusOf(exchange)}, which has no body` : `the body of the ${statusOf(exchange)}`;
  return found(where, 'a record with status and direction', actual);
}

/** A PUT equal to the last accepted one changes nothing, so it is accepted as well. */
function repeatedPut(exchange: Exchange, evidence: Evidence): Opinion {
  const before = evidence.exchanges.filter((one) => one.seq < exchange.seq && isSameTarget(one, exchange));
  const last = before.findLast(isAccepted);
  if (last?.request.body?.digest !== exchange.request.body?.digest)
    return none('the last accepted PUT was a different one');
  if (isAccepted(exchange)) return PASS;
  const status = statusOf(exchange) ?? 0;
  const isElse = isRetryable(exchange) || !isError(exchange) || status >= 500 || [401, 402, 403].includes(status);
  const sibling = last === undefined ? null : Sibling.accepted(exchange, [last], 'the first time');
  if (isElse || sibling === null) return none(`${answerPhrase(exchange)} to a repeated PUT`);
  return foundRejection(exchange, 'acceptance, as when it was first sent', sibling);
}

/** At the documented path with the valid credential. */
const isPlainOurs = (exchange: Exchange): boolean => exchange.tag.documented && isOurs(exchange);

/** A valid request with the documented media type: another label has a requirement of its own. */
const isPlainControl = (exchange: Exchange): boolean =>
  isPlainOurs(exchange) && exchange.tag.control && !asksFor<Id>('CONTENT-TYPE-CHARSET')(exchange);

/** Reads the trunk until it shows the name of the change: a replica or a cache may be behind, so the last read decides. */
async function readName(session: Session, asks: readonly Ask[], change: Answer, about: string): Promise<void> {
  let looks = 0;
  const read = (): Promise<Answer> => {
    looks += 1;
    return sendValid(session, 'getTrunk', { asks, role: 'after', about: looks > 1 ? `${about}, again` : about });
  };
  const isOld = ({ exchange }: Answer): boolean => {
    const shown = shownName(exchange);
    return change.accepted && shown !== undefined && shown !== writtenName(change.exchange);
  };
  const last = await settled(session, read, isOld);
  // Where six looks do not show it, later reads are not waited for: a target a minute behind had cost 152 seconds.
  if (looks > 1 && !isOld(last)) noteLag(session, change, last);
}

const FALSY = 'a name of 0';

/** A name that many languages take for false, after a plain one. */
export function falsyName(): Sequence {
  const asks = [ask('UPDATE-VISIBLE', FALSY)];
  return onNamed(TRUNK, `read after ${FALSY}`, { asks }, async (session) => {
    const json = { ...objectBase(session, TRUNK), name: '0' };
    const change = await sendTo(session, TRUNK, { json, role: 'change', about: FALSY });
    if (!change.accepted) return session.settled(asks, 'the name was rejected', 'occasion');
    await untilShown(session);
    await readName(session, asks, change, `the trunk after ${FALSY}`);
  });
}

/** A change of the trunk's name, and the read that shows it. */
function visibleChange(): Sequence {
  const nameAlone = ask('UPDATE-FIELD-ALONE', '/name');
  const asks = [ask('UPDATE-VISIBLE')];
  const placed = { asks: [...asks, nameAlone], mayAsk: [ask('UPDATES-AT-ONCE')] };
  return onNamed(TRUNK, 'read after it', placed, async (session) => {
    const { builder } = session;
    const name = `${builder.mark} visible`;
    const change = { role: 'change', about: 'nothing but /name' } as const;
    let answer = await sendTo(session, TRUNK, { json: { name }, asks: [nameAlone], ...change });
    if (!answer.accepted) {
      const json = { ...Object(baseOf(session, TRUNK)), name };
      answer = await sendTo(session, TRUNK, { json, ...change, about: 'another name' });
    }
    await readName(session, asks, answer, 'the trunk after a change');
  });
}

/** Two updates at the same moment, of different fields of a trunk: what both were accepted for, a read then shows. */
function updatesAtOnce(): Sequence {
  const asks = [ask('UPDATES-AT-ONCE')];
  return onNamed(TRUNK, 'two at once', { asks: [...asks, ...PAIR.asks] }, async (session) => {
    const { builder } = session;
    const [field, value] = shownState(session);
    const [about, other] = twoOf('updates');
    const json = { ...objectBase(session, TRUNK), name: `${builder.mark} at once` };
    const [first] = await session.together([
      builder.request(TRUNK, { json, role: 'change', about, ...PAIR }),
      builder.request(TRUNK, { json: { [field]: value }, role: 'change', about: other, ...PAIR }),
    ]);
    const read = (when: string, asked = asks) =>
      sendTo(session, 'getTrunk', { role: 'after', asks: asked, about: when });
    const isLost = ({ exchange }: Answer): boolean =>
      first !== undefined && shownName(exchange) !== writtenName(first.exchange);
    // A replica may be a moment behind: the second read decides.
    if (!isLost(await read('the trunk after both')) || !isLost(await read('the trunk after both, again'))) return;
    // A single update tells a lost one from reads that come from a cache.
    const alone = { json: { ...json, name: `${builder.mark} after both` }, role: 'change' } as const;
    await sendTo(session, TRUNK, { ...alone, about: 'a single update after two at once' });
    await read('the trunk after the single update', []);
  });
}

/** An update that the target has to reject, with a name that no other update writes, and a read after it. */
function updateToReject(): Sequence {
  const asks = [ask('UPDATE-REJECTED-NO-EFFECT')];
  return onNamed(TRUNK, 'rejected update', { asks }, async (session) => {
    const { builder } = session;
    const [field, value] = shownState(session);
    const json = { ...objectBase(session, TRUNK), name: `${builder.mark} rejected`, [field]: [value] };
    const about = `another name, and a ${field} that is an array`;
    const { accepted } = await sendTo(session, TRUNK, { json, role: 'change', about });
    if (accepted) await restoreField(session, TRUNK, field, value);
    await untilShown(session);
    const reading = { role: 'after', asks, about: `the trunk after an update to ${about}` } as const;
    await sendValid(session, 'getTrunk', reading);
  });
}

/** The requirement that judges an update of one field. */
const KEPT = {
  updateTrunk: 'UPDATE-UNNAMED-KEPT',
  updateVoiceApplication: 'APPLICATION-UNNAMED-KEPT',
} as const satisfies Record<Shown, string>;

/**
 * Updates of one field each. All fields hold a value before them, since a target that clears what an update does not name has
 * cleared it long before: three real services passed where no read stood between two such updates.
 */
function oneFieldAtATime(id: Shown): Sequence {
  const fields = fieldsOf(id);
  const asksOf = (names: readonly string[]): readonly Ask[] => names.map((field) => ask(KEPT[id], `/${field}`));
  return onNamed(id, 'one field at a time', { asks: asksOf(fields) }, async (session) => {
    const { builder } = session;
    const values: JsonObject = { ...typicalFields(id, session), name: `${builder.mark} kept` };
    const whole = await sendTo(session, id, { json: values, role: 'change', about: 'all fields' });
    const before = await readRecord(session, id, { role: 'before', about: 'the record with all fields' });
    const shown = fields.filter((field) => holds((before ?? whole).exchange.response?.learned?.fields?.[field]));
    const other = fields.find((field) => field !== 'name' && field in values);
    const rounds = [
      { named: 'name', kept: shown.filter((field) => field !== 'name') },
      { named: other, kept: other === undefined ? [] : shown.filter((field) => field === 'name') },
    ];
    const judged = rounds.flatMap(({ kept }) => kept);
    const lacking = asksOf(fields.filter((field) => !judged.includes(field)));
    if (lacking.length > 0) session.settled(lacking, 'no answer shows the field', 'occasion');
    for (const { named, kept } of rounds) {
      if (named === undefined || kept.length === 0) continue;
      const json = { [named]: named === 'name' ? `${builder.mark} alone` : (values[named] ?? null) };
      const asks = asksOf(kept);
      const about = `nothing but /${named}`;
      await sendTo(session, id, { json, role: 'change', about, ...(before === null && { asks }) });
      await readRecord(session, id, { asks, role: 'after', about: `the record after ${about}` });
    }
  });
}

const OF_TRUNK = { level: 'should', operations: ['updateTrunk'] } as const;

export const RECORDS_ADVICE = [
  {
    ...OF_TRUNK,
    id: 'UPDATE-VISIBLE',
    section: '4',
    statement: 'A read after an update shows the new value.',
    opportunistic: 'no accepted change (other than with 202) was of a member that getTrunk shows',
    send: { sequences: () => [visibleChange()] },
    expect: visible,
  },
  {
    ...OF_TRUNK,
    id: 'UPDATES-AT-ONCE',
    section: 'RFC 5789, 2',
    statement: 'Of two updates at once that name different fields and are both accepted, neither is lost.',
    opportunistic: 'no two updates of a trunk that shows its name were accepted at once',
    send: { sequences: () => [updatesAtOnce()] },
    expect: bothKept,
  },
  {
    ...OF_TRUNK,
    id: 'UPDATE-REJECTED-NO-EFFECT',
    section: 'RFC 9110, 15.5',
    statement: 'An update that is rejected with 400 or 422 changes nothing.',
    opportunistic: 'no update of a trunk that shows its name was rejected with 400 or 422',
    send: { sequences: () => [updateToReject()] },
    expect: rejectedUpdate,
  },
  {
    id: 'TRUNK-SHOWS-STATE',
    level: 'should',
    section: '3',
    statement: 'The record of a trunk shows its status and its direction.',
    operations: ['getTrunk'],
    reading: 'R13',
    invariant: true,
    traffic: 'body',
    opportunistic: 'no trunk named in the settings was read',
    concerns: (exchange) =>
      exchange.tag.operation === 'getTrunk' &&
      exchange.tag.ids === 'named' &&
      isPlainOurs(exchange) &&
      isAccepted(exchange),
    expect: showsState,
  },
  {
    ...OF_TRUNK,
    id: 'UPDATE-UNNAMED-KEPT',
    section: 'RFC 5789, 2',
    statement: 'What an update of a trunk does not name stays as it was.',
    opportunistic: 'no accepted update left out a field that a read had shown',
    send: { sequences: () => [oneFieldAtATime(TRUNK)] },
    expect: keepsUnnamed('trunk'),
  },
  {
    id: 'APPLICATION-UNNAMED-KEPT',
    level: 'should',
    operations: [APPLICATION],
    section: 'RFC 5789, 2',
    statement: 'What an update of a voice application does not name stays as it was.',
    opportunistic: 'no answer shows the voice application after an accepted update that left out a field',
    send: { sequences: () => [oneFieldAtATime(APPLICATION)] },
    expect: keepsUnnamed('voice application'),
  },
  {
    id: 'PUT-REPEATED',
    level: 'should',
    section: 'RFC 9110, 9.2.2',
    statement: 'An accepted PUT is accepted again when it is repeated.',
    operations: ['setInboundAuth', 'assignNumber'],
    invariant: true,
    readsHistory: true,
    opportunistic: 'no accepted PUT was sent a second time',
    explainedBy: ['SUCCESS-STATUS', 'PATH-SERVED', 'AUTH-CREDENTIAL-ACCEPTED'],
    concerns: (exchange) => exchange.request.method === 'PUT' && isPlainControl(exchange),
    expect: repeatedPut,
  },
] as const satisfies readonly Requirement[];
