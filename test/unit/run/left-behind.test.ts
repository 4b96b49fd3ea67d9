/** What a killed run left, as its journal says it: calls that may be open, updates to take back, and what somebody was told. */

import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../../src/contract/operations.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import type { JournalEntry } from '../../../src/run/journal.ts';
import { leftOver, stateIn } from '../../../src/run/left-behind.ts';
import { exchangeOf, type Said } from '../rules/exchanges.ts';

const START: JournalEntry = { kind: 'start', target: 'http://a.invalid', seed: 1, startedAt: 1_000 };
const RINGING = '/v1/calls/ringing/';

const recorded = (seq: number, said: Said): JournalEntry => ({ kind: 'exchange', exchange: exchangeOf(said, seq - 1) });
const write = (seq: number, operation: OperationId, more: object = {}): JournalEntry =>
  ({
    ...{ kind: 'write', seq, operation, method: 'POST', path: `${RINGING}${operation}`, ids: 'named' },
    ...(more as object),
  }) as JournalEntry;
const answer = (said: Said = {}): readonly JournalEntry[] => [
  write(5, 'answerCall'),
  recorded(5, { ...said, tag: { operation: 'answerCall' } }),
];
const hangUp = (status: number | null): readonly JournalEntry[] => [
  write(6, 'hangUpCall'),
  recorded(6, { status, tag: { operation: 'hangUpCall' } }),
];

const PLACED = recorded(4, {
  tag: { operation: 'createCall' },
  learned: { create: 'placed', callIds: ['ringing'] },
});

describe('a ringing call that the run answered', () => {
  test.each<readonly [string, readonly JournalEntry[], readonly string[]]>([
    ['is left', answer(), ['ringing']],
    ['is left where the answer was lost', answer({ status: null }), ['ringing']],
    ['is left where the run was killed before the answer', [write(5, 'answerCall')], ['ringing']],
    ['is not left where the target rejected it', answer({ status: 409 }), []],
    ['is not left where the id is made up', [write(5, 'answerCall', { ids: 'well-formed' })], []],
    ['is not left once it was hung up', [...answer(), ...hangUp(200)], []],
    ['is not left once it is gone', [...answer(), ...hangUp(410)], []],
    ['is left where its hang-up was rejected', [...answer(), ...hangUp(409)], ['ringing']],
    ['is not left once a line says that it ended', [...answer(), { kind: 'call', ids: ['ringing'], open: false }], []],
    ['is left once where the run placed it itself', [PLACED, ...answer()], ['ringing']],
    ['is not left by clean', [write(5, 'answerCall', { byClean: true })], []],
  ])('%s', (_, entries, ids) => {
    expect(leftOver([START, ...entries]).open.flatMap((call) => call.ids)).toEqual(ids);
  });

  test('is left under its id, as `clean` writes it into a path', () => {
    const entries = [START, write(5, 'answerCall', { path: '/v1/calls/a%40b/answer' })];
    expect(leftOver(entries).open.flatMap(({ ids }) => ids)).toEqual(['a@b']);
  });

  // A target that answers a hang-up with 409 once the call is over had stopped each later run.
  test.each([
    ['stops the next run where the run was killed', [], ['ringing']],
    ['stops it where the run ended and named it', [6], ['ringing']],
    ['does not where the run ended and took it for ended', 'none', []],
  ] as const)('%s', (_, openCalls, ids) => {
    const hungUp = hangUp(409).map((entry) => structuredClone(entry));
    for (const entry of hungUp)
      if (entry.kind === 'exchange') Object.assign(entry.exchange.request, { path: `${RINGING}hangup` });
    const open = openCalls === 'none' ? [] : openCalls.map((seq) => ({ seq }));
    const outcome = { changed: [], possiblyOpen: [], openCalls: open } as never;
    const end: readonly JournalEntry[] = openCalls.length === 0 ? [] : [{ kind: 'end', outcome }];
    const { unnamed } = leftOver([START, ...answer(), ...hungUp, ...end]);
    expect(unnamed.calls.flatMap((call) => call.ids)).toEqual(ids);
  });

  test('began when its answer came, in time since the epoch', () => {
    expect(leftOver([START, ...answer()]).open[0]?.createdAt).toBe(1_000 + 41);
    expect(leftOver([START, write(5, 'answerCall')]).open[0]?.createdAt).toBe(1_000);
  });
});

const MUTE = { path: '/v1/conferences/c/participants/p/mute' };
const muted = (status: number): JournalEntry =>
  recorded(5, { status, tag: { operation: 'muteParticipant' }, request: MUTE });

test.each<readonly [string, readonly JournalEntry[], readonly string[]]>([
  ['is left', [write(5, 'muteParticipant', MUTE), muted(200)], ['was muted']],
  ['is not left where the target rejected it', [write(5, 'muteParticipant', MUTE), muted(404)], []],
  [
    'may be left where the run was killed before the answer',
    [write(5, 'muteParticipant', MUTE)],
    ['may have been muted'],
  ],
  ['is not left where the ids are made up', [write(5, 'muteParticipant', { ...MUTE, ids: 'well-formed' })], []],
])('a participant whom the run muted %s', (_, entries, was) => {
  const sentences = was.map(
    (was) => `participant p of conference c ${was}, and no operation of the interface undoes it`,
  );
  expect(leftOver([START, ...entries]).kept.left).toEqual(sentences);
});

test('a call that is open began when its answer came, or else with the last answer that is known', () => {
  const open: readonly JournalEntry[] = [
    { kind: 'create', seq: 4 },
    { kind: 'call', ids: ['ringing'], open: true },
  ];
  const began = (...more: readonly JournalEntry[]) => leftOver([START, ...more]).open[0]?.createdAt;
  expect([began(...open, PLACED, ...hangUp(409)), began(...open, ...hangUp(409))]).toEqual([1_031, 1_051]);
});

const BODY = bodyFacts(Buffer.from('{"name":"x"}'), { ...AS_RECORDED, keepText: true });
const SENT = write(7, 'updateTrunk', { body: '{"name":"x"}', before: { name: 'old' } });
const updated = (said: Said = {}): readonly JournalEntry[] => [SENT, recorded(7, { ...said, request: { body: BODY } })];
const LEFT = 'updateTrunk: left';
const ended = (changed: readonly string[], restored: readonly string[] = [], due: object = {}): JournalEntry => ({
  kind: 'end',
  outcome: { changed, possiblyOpen: [], unrestored: 'isDue' in due ? changed : [] } as never,
  restored: restored.map((id) => ({ id: id as 'updateTrunk', left: [LEFT], ...due })),
});
const DUE = { isDue: true };
const cleaned = (restored: readonly 'updateTrunk'[], named: readonly 'updateTrunk'[] = []): JournalEntry => ({
  kind: 'cleaned',
  restored,
  named,
});

test.each<readonly [string, readonly JournalEntry[], readonly string[], readonly string[]]>([
  ['is to be restored', updated(), ['updateTrunk'], ['updateTrunk']],
  ['is to be restored although it was rejected', updated({ status: 400 }), ['updateTrunk'], ['updateTrunk']],
  ['is to be restored where no answer came', [SENT], ['updateTrunk'], ['updateTrunk']],
  ['is done once the run ended with nothing changed', [...updated(), ended([])], [], []],
  ['was named, where the run ended with a change', [...updated(), ended(['x'])], ['updateTrunk'], []],
  ['is done once the run restored it', [...updated(), ended(['x'], ['updateTrunk'])], [], []],
  [
    'is due where the run could not restore it',
    [...updated(), ended([LEFT], ['updateTrunk'], DUE)],
    ['updateTrunk'],
    ['updateTrunk'],
  ],
  ['is left to others where the run left it', [...updated(), ended(['x'], ['updateTrunk'], DUE)], ['updateTrunk'], []],
  [
    'is done once clean restored what the run could not',
    [...updated(), ended([LEFT], ['updateTrunk'], DUE), cleaned(['updateTrunk'])],
    [],
    [],
  ],
  ['is done once clean restored it', [...updated(), cleaned(['updateTrunk'])], [], []],
  ['was named, where clean could not restore it', [...updated(), cleaned([], ['updateTrunk'])], ['updateTrunk'], []],
])('an update %s', (_, entries, written, unnamed) => {
  const left = leftOver([START, ...entries]);
  expect([left.written, left.unnamed.written]).toEqual([written, unnamed]);
});

test('the first value of each field that an announcement holds is what is restored', () => {
  const before = (seq: number, values: object): JournalEntry =>
    write(seq, 'updateTrunk', { body: '{"name":"x"}', before: values });
  const { facts } = stateIn([START, before(1, { name: 'old' }), before(2, { name: 'ours', status: 'active' })]);
  expect(facts.trunk).toEqual({ name: 'old', status: 'active' });
  expect(stateIn([START, write(1, 'updateTrunk', { body: '{"name":"x"}' })]).facts).toEqual({});
  const unassigned = write(1, 'assignNumber', { before: { carrier_connection_id: null } });
  expect(stateIn([START, unassigned]).facts).toEqual({ assignment: null });
});

test.each<readonly [string, Said, string]>([
  ['the list where no read of its own shows it', { tag: { operation: 'listTrunks' } }, 'listTrunks'],
  ['its own read', { tag: { operation: 'getTrunk' } }, 'getTrunk'],
  [
    'the list where its own read shows no field',
    { tag: { operation: 'getTrunk' }, learned: { fields: {} } },
    'listTrunks',
  ],
])('the trunk is known by %s', (_, said, by) => {
  const read = recorded(1, { learned: { fields: { name: 'old' } }, ...said });
  const update = write(2, 'updateTrunk', { body: '{"name":"x"}', before: { name: 'old' } });
  expect(stateIn([START, read, update]).facts.trunkReadBy).toBe(by);
});

test('an accepted candidate is the base of the updates that restore, and the first one counts', () => {
  const candidate = (seq: number, text: string, said: Said = {}): JournalEntry => {
    const body = bodyFacts(Buffer.from(text), { ...AS_RECORDED, keepText: true });
    return recorded(seq, { ...said, tag: { role: 'candidate', ...said.tag }, request: { body } });
  };
  const entries = [candidate(1, '{"a":1}', { status: 400 }), candidate(2, '{"b":2}'), candidate(3, '{"c":3}')];
  expect([...stateIn(entries).bases]).toEqual([['updateTrunk', { b: 2 }]]);
  expect(stateIn([candidate(1, '{"a":1}', { tag: { role: 'control' } })]).bases.size).toBe(0);
});
