/** What an answer shows of a rejected hang-up, a rejected assignment, or an update stored in part (model, section 2). */

import { type Exchange, OTHER_NAME } from '../../../src/exchange/exchange.ts';
import type { Evidence } from '../../../src/verdict/evidence.ts';
import { none, type Opinion } from '../../../src/verdict/opinion.ts';
import { assignedByOther, assignmentUnchanged } from '../../../suites/assignments.ts';
import { ofAnotherOrganization } from '../../../suites/expect/configured-credentials.ts';
import { foundAltered, storedWhole } from '../../../suites/expect/shown.ts';
import { callUnchanged, staysSafe } from '../../../suites/open-calls.ts';
import { isolated } from '../../../suites/organizations.ts';
import { at, bodyOf, judgeRule, type Named, NO_JSON, type Said, that, those } from './exchanges.ts';

type Credential = 'valid' | 'none' | 'bare' | 'other-organization';

const hangUp = (call: number, status = 200, credential: Credential = 'valid', sequence = call): Said => {
  const isOurs = credential === 'valid';
  return {
    status,
    tag: { operation: 'hangUpCall', sequence: `call ${sequence}`, control: isOurs, role: isOurs ? 'control' : 'probe' },
    request: { method: 'POST', path: `/v1/calls/${call}/hangup`, credential },
  };
};
const LOST: Said = { status: null };
const AGAIN: Said = { ...hangUp(1), request: { method: 'POST', path: '/v1/calls/1/hangup/' } };
/** Three calls that our hang-up ended, and another hang-up of the last of them. */
const LASTING = { two: hangUp(2), three: hangUp(3), four: hangUp(4), again: hangUp(4, 409) };

/** What our hang-up behind the rejected one says; `ours` and `again` are those of each call that was tried. */
const unchanged =
  (own: string, ...all: readonly string[]) =>
  (row: Named, evidence: Evidence): Opinion =>
    callUnchanged(that(row, 'judged'), that(row, own), those(row, ...all), evidence);

judgeRule(unchanged('ours', 'ours'))('a rejected hang-up leaves the call open: ours ends it', {
  row: { ...LASTING, judged: hangUp(1, 401, 'none'), ours: hangUp(1), later: null },
  says: 'pass',
  but: [
    ['ours finds it ended, as no other call', { ours: at(409) }, 'none'],
    ['the answer to ours was lost', { ours: LOST }, 'none'],
    ['it was accepted', { judged: at(200) }, 'none'],
    ['it was put off', { judged: at(429) }, 'none'],
    ['ended calls are hung up as open ones', { again: at(200) }, 'none'],
    ['no ended call was hung up', { again: null }, 'none'],
    ['another hang-up of it was accepted', { two: hangUp(1, 200, 'none', 2) }, 'none'],
  ],
  still: [
    ['ours was accepted when it was sent again', { ours: at(409), later: AGAIN }],
    ['an answer to it was accepted', { two: { ...hangUp(1), tag: { operation: 'answerCall' } } }],
  ],
});

const TRIED = hangUp(3, 401, 'none');
const TWICE = { probe: hangUp(5, 401, 'none', 1), ours: hangUp(5, 409, 'valid', 1) };

judgeRule(unchanged('ours', 'first', 'ours'))(
  'two calls that ours finds ended show that the rejected ones ended them',
  {
    row: { ...LASTING, judged: hangUp(1, 401, 'none'), first: hangUp(1, 409), ...TWICE, later: null },
    says: 'finding',
    but: [
      ['there was only one', { first: null }, 'none'],
      ['ours ended the second', { ours: at(200) }, 'pass'],
      ['the answer to ours was lost', { ours: LOST }, 'none'],
      ['a call ended by itself', { three: at(409) }, 'none'],
      ['one of four did, and another credential tried it', { three: at(409), again: TRIED, later: hangUp(6) }, 'none'],
      ['only two others were hung up', { three: null }, 'none'],
      ['another credential had ended one of the others', { two: hangUp(3, 401, 'none', 3) }, 'none'],
    ],
    still: [['another hang-up was accepted after ours', { later: hangUp(5, 200, 'none', 9) }]],
  },
);

judgeRule(
  unchanged('ours', 'first', 'ours'),
  {},
  { confirmed: [8] },
)('a hang-up of ours that fails each time is not lost', {
  row: {
    ...LASTING,
    judged: hangUp(1, 401, 'none'),
    first: hangUp(1, 409),
    ...TWICE,
    ours: hangUp(5, 500, 'valid', 1),
  },
  says: 'finding',
  but: [['it failed once', { two: null, again: null }, 'none']],
});

const trunk = (credential: Credential, status: number): Said => ({
  status,
  tag: { operation: 'getTrunk', control: credential === 'valid' },
  request: { method: 'GET', credential },
});

const byOther = ({ judged, hangUp }: Named, evidence: Evidence): Opinion =>
  ofAnotherOrganization((all) => isolated(judged as Exchange, { hangUp }, all))(evidence);

judgeRule(byOther)('a hang-up of another organization that is rejected after its effect is found by ours', {
  row: {
    ...{ first: null, two: hangUp(2), three: hangUp(3), four: hangUp(4) },
    judged: hangUp(1, 404, 'other-organization'),
    hangUp: hangUp(1, 409),
    theirs: trunk('other-organization', 404),
    trunk: trunk('valid', 200),
  },
  says: 'finding',
  but: [
    ['a call ended by itself', { two: at(409) }, 'none'],
    ['only two others were hung up', { two: null }, 'none'],
    ['they tried another call, too', { first: hangUp(2, 403, 'other-organization') }, 'none'],
    ['the answer to ours was lost', { hangUp: LOST }, 'none'],
    ['ours was of another spelling', { hangUp: { request: { path: '/v1/calls/%31/hangup' } } }, 'inconclusive'],
  ],
  still: [['they were put off there', { first: hangUp(2, 429, 'other-organization') }]],
});

const get = (call: number): Said => ({
  tag: { operation: null, role: 'before', sequence: 'call 1', control: false },
  request: { method: 'GET', path: `/v1/calls/${call}/hangup` },
});

const safe = (row: Named, evidence: Evidence): Opinion =>
  staysSafe(that(row, 'more'), that(row, 'judged'), those(row, 'first', 'judged'), evidence);

judgeRule(safe)('a GET on the path of a hang-up does not end the call', {
  row: {
    ...LASTING,
    get: get(1),
    first: hangUp(1, 409),
    more: get(5),
    judged: { ...TWICE.ours, tag: { ...TWICE.ours.tag, control: true } },
  },
  says: 'finding',
  but: [
    ['ours ends it', { judged: at(200) }, 'pass'],
    ['the GET was rejected', { more: at(405) }, 'none'],
    ['the GET was rejected, and ours ends it', { more: at(405), judged: at(200) }, 'pass'],
    ['the first call was ended by ours', { first: at(200) }, 'none'],
    ['a call ended by itself', { three: at(409) }, 'none'],
  ],
});

const assign = (id: string, status = 200, credential: Credential = 'valid'): Said => ({
  status,
  tag: { operation: 'assignNumber', control: credential === 'valid' },
  request: { method: 'PUT', path: '/v1/numbers/1', credential, body: bodyOf({ carrier_connection_id: id }) },
});
const numbers = (assignment?: string | null): Said => ({
  tag: { operation: 'listNumbers', control: true },
  request: { method: 'GET', path: '/v1/numbers/' },
  learned: assignment === undefined ? {} : { assignment },
});

/** The list shows a connection that the number had at first. */
const BACK = { old: numbers('b'), judged: numbers('b') };

const UUID = 'f3aa30a6-20b2-4a64-87ba-9d38116b3e08';
const LISTED = numbers(UUID);
const SPELLED = {
  ...{ old: numbers(null), ours: assign(UUID.replaceAll('-', '')), second: LISTED, third: assign(UUID) },
  ...{ earlier: LISTED, more: LISTED, judged: numbers(null) },
};
const UNREAD: Said = { ...assign(UUID), request: { method: 'PUT', path: '/v1/numbers/1', body: NO_JSON } };
const BETWEEN = {
  ...{ first: numbers(null), old: assign(UUID), list: LISTED, ours: UNREAD, second: LISTED, third: assign(UUID) },
  ...{ earlier: LISTED, judged: numbers(null) },
};

/** Our assignment to a connection of another organization, which was put off first; the list shows that connection. */
const SENT_AGAIN = {
  second: assign('b', 503),
  third: { ...assign('b', 404), tag: { operation: 'assignNumber', control: true, replaces: 2 } },
  ...{ rejected: null, judged: numbers('b') },
} as const satisfies Readonly<Record<string, Said | null>>;

judgeRule((row, evidence) => assignmentUnchanged(that(row, 'judged'), evidence))(
  'a rejected assignment leaves the number where it is',
  {
    row: {
      ...{ first: null, old: null, list: null },
      ours: assign('a'),
      ...{ second: null, third: null },
      earlier: numbers('a'),
      rejected: assign('b', 401, 'none'),
      more: null,
      judged: numbers('A'),
    },
    says: 'pass',
    but: [
      ['the list shows another one', { judged: numbers('b') }, 'finding'],
      ['the list shows none', { judged: numbers(null) }, 'finding'],
      ['the list shows one that it had before', { old: numbers('b'), judged: numbers('b') }, 'none'],
      [
        'three lists showed that this was over',
        { ...BACK, ...{ second: numbers('A'), third: numbers('a') } },
        'finding',
      ],
      ['two lists showed that', { ...BACK, second: numbers('a') }, 'none'],
      [
        'one of these was behind',
        { ...BACK, ...{ second: numbers('b'), third: numbers('a'), more: numbers('a') } },
        'none',
      ],
      ['three showed it since it was first assigned, without dashes', SPELLED, 'finding'],
      ['three showed it, and text that is not JSON was accepted in between', BETWEEN, 'finding'],
      ['another was accepted in between', { ...BETWEEN, ours: assign('b') }, 'none'],
      ['the list does not show it', { judged: { learned: {} } }, 'none'],
      ['no earlier list showed it', { earlier: null }, 'none'],
      ['the assignment was accepted', { rejected: at(200) }, 'none'],
      ['a later one was accepted', { more: assign('c', 200, 'bare') }, 'none'],
      ['a later one was put off', { more: assign('c', 503, 'bare'), judged: numbers('b') }, 'finding'],
      ['a later one of ours was put off', { more: assign('c', 503), judged: numbers('b') }, 'none'],
      ['one of ours was put off, and rejected when it was sent again', SENT_AGAIN, 'finding'],
      ['all were put off', { rejected: assign('b', 503, 'bare'), judged: numbers('b') }, 'none'],
      ['none was accepted before', { ours: at(409) }, 'none'],
      ['none was rejected', { rejected: null }, 'none'],
      ['it named the same connection', { rejected: assign('A', 401, 'none') }, 'none'],
    ],
    still: [['another was rejected as well', { more: assign('a', 401, 'bare') }]],
  },
);

judgeRule((row, evidence) => assignedByOther(that(row, 'judged'), that(row, 'list'))(evidence))(
  'another organization took the number where the list shows its connection',
  {
    row: { earlier: numbers('a'), judged: assign('b', 200, 'other-organization'), list: numbers('B') },
    says: 'finding',
    but: [
      ['the list shows ours', { list: numbers('a') }, 'none'],
      ['it shows none', { list: numbers(null) }, 'none'],
      ['it does not show it', { list: { learned: {} } }, 'none'],
      ['an earlier list showed it, too', { earlier: numbers('b') }, 'none'],
    ],
  },
);

/** An update of the name and the direction of a trunk, or an answer that shows them. */
const record = (name: string, direction: string, also: Said = {}): Said => {
  const shown = { name, direction };
  return { ...also, body: bodyOf({ data: shown }), learned: { fields: shown } };
};
const WRITING: Said = { tag: { role: 'probe' }, request: { body: bodyOf({ name: 'b', direction: 'out' }) } };

const stored = (row: Named): Opinion =>
  storedWhole(that(row, 'write'), that(row, 'judged'), { name: 'a', direction: 'in' });

judgeRule(stored)('an update is stored as a whole: a read that shows its name shows its direction', {
  row: { write: record('b', 'out', WRITING), judged: record('b', 'out') },
  says: 'pass',
  but: [
    ['the direction is as before', { judged: record('b', 'in') }, 'finding'],
    ['the read is behind', { judged: record('a', 'in') }, 'none'],
    ['the update may take effect later', { write: { status: 202 } }, 'none'],
    ['it wrote no name', { write: { request: { body: bodyOf({ direction: 'out' }) } } }, 'none'],
  ],
  still: [
    ['the direction is stored in another form', { judged: record('b', 'OUT') }],
    ['the answer shows what was ignored', { write: record('b', 'in'), judged: record('b', 'in') }],
    ['it wrote no direction', { write: { request: { body: bodyOf({ name: 'b' }) } }, judged: record('b', 'in') }],
  ],
});

const STATE: Said = { request: { body: bodyOf({ name: 'b', direction: 'out', status: 'on' }) } };

judgeRule(stored)('a field does not show what was written to the one beside it', {
  row: { write: record('b', 'out', STATE), judged: record('b', 'on') },
  says: 'finding',
  but: [
    ['the read shows it', { judged: record('b', 'out') }, 'pass'],
    ['the read shows another value', { judged: record('b', 'off') }, 'pass'],
    [
      'both were written alike',
      { write: { request: { body: bodyOf({ name: 'b', direction: 'on', status: 'on' }) } } },
      'pass',
    ],
  ],
});

const storedKnown = (row: Named): Opinion =>
  storedWhole(that(row, 'write'), that(row, 'judged'), { name: 'a', direction: 'in' }, true);

judgeRule(storedKnown)('so is a word that the target knows, whatever its answer shows', {
  row: { write: record('b', 'in', WRITING), judged: record('b', 'in') },
  says: 'finding',
  but: [
    ['the read shows it', { judged: record('b', 'out') }, 'pass'],
    ['the read shows another state', { judged: record('b', 'pending') }, 'pass'],
    ['the read is behind', { judged: record('a', 'in') }, 'none'],
    ['it wrote no direction', { write: { request: { body: bodyOf({ name: 'b' }) } } }, 'pass'],
  ],
});

const naming = (name: string): Said => ({ tag: { role: 'probe' }, request: { body: bodyOf({ name }) } });

judgeRule((row, evidence) => foundAltered(that(row, 'write'), that(row, 'judged'), evidence) ?? none(''))(
  'a name that the answer and the read show in other characters was altered',
  {
    row: { earlier: null, write: record('<b>&amp;', 'in', naming('<B> &')), judged: record('<b>&amp;', 'in') },
    says: 'finding',
    but: [
      ['it was trimmed, in lower case', { write: record('<b> &', 'in'), judged: record('<b> &', 'in') }, 'none'],
      ['it was cut', { write: record('<b', 'in'), judged: record('<b', 'in') }, 'none'],
      [
        'an unpaired surrogate was replaced',
        { write: { request: { body: bodyOf({ name: '<b>\ud800&amp;' }) } } },
        'none',
      ],
      ['it was the name of another trunk', { write: { request: { body: bodyOf({ name: OTHER_NAME }) } } }, 'none'],
      ['the answer shows another one', { write: record('<b> &', 'in') }, 'none'],
      ['the read shows none', { judged: { body: bodyOf({}), learned: {} } }, 'none'],
      ['it was shown before', { earlier: { tag: { operation: 'getTrunk' }, ...record('<b>&amp;', 'in') } }, 'none'],
    ],
  },
);
