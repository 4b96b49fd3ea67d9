/** The ledger of writes: what came of an update, and whether the target still shows what this run wrote. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { Skipped, type SuiteRequest } from '../../../src/client/request.ts';
import type { UpdateId } from '../../../src/contract/operations.ts';
import type { ShownFields } from '../../../src/exchange/exchange.ts';
import { AS_RECORDED, bodyFacts } from '../../../src/exchange/facts.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import type { Session } from '../../../src/run/sequence.ts';
import { RunState } from '../../../src/run/state.ts';
import { clearedSentences, type Effect, learnApplication, WriteLedger } from '../../../src/run/written.ts';
import { restoring } from '../../../suites/sequences/restore.ts';
import { optionsFrom } from '../../selftest/harness.ts';
import { bodyOf, exchangeOf, type Said } from '../rules/exchanges.ts';

const WRITTEN = 'pcs-conformance 0badcafe long name';
const sent = (value: object) => bodyFacts(Buffer.from(JSON.stringify(value)), { ...AS_RECORDED, keepText: true });

/** An update of the trunk that writes the name. */
const update = (said: Said = {}, name: unknown = WRITTEN): Said => ({
  ...said,
  request: { body: sent({ name }), ...said.request },
});
/** A read of the trunk that shows these fields. */
const shows = (fields: ShownFields): Said => ({
  tag: { operation: 'getTrunk' },
  request: { method: 'GET' },
  learned: { fields },
});

function ledgerOf(all: readonly Said[]): WriteLedger {
  const ledger = new WriteLedger();
  for (const exchange of all.map(exchangeOf)) ledger.learn(exchange);
  return ledger;
}

test.each<readonly [string, Said, Effect, boolean]>([
  ['accepted', {}, 'sure', true],
  ['rejected', { status: 400 }, 'none', true],
  ['rejected with 409, which some targets send after it was carried out', { status: 409 }, 'possible', true],
  ['answered with 500', { status: 500 }, 'possible', true],
  ['lost', { status: null }, 'possible', true],
  ['lost, with a credential that is invalid', { status: null, request: { credential: 'none' } }, 'none', true],
  ['accepted for a made-up id', { tag: { ids: 'well-formed' } }, 'none', false],
  ['rejected for another spelling of our id', { status: 404, tag: { ids: 'malformed' } }, 'none', false],
  ['accepted for another spelling of our id', { tag: { ids: 'malformed' } }, 'sure', true],
  ['an update that names nothing', { request: { body: sent({}) } }, 'none', false],
  ['a restore', { tag: { sequence: 'updateTrunk/restore' } }, 'none', false],
])('an update that is %s', (_, said, effect, isDue) => {
  const ledger = ledgerOf([update(said)]);
  expect([ledger.effect('updateTrunk'), ledger.isDue('updateTrunk')]).toEqual([effect, isDue]);
  expect(ledger.effect('updateTrunk', 'name')).toBe(effect);
});

test('a later rejection takes nothing from an accepted update, and an update is of its fields alone', () => {
  const ledger = ledgerOf([update(), update({ status: 409 })]);
  expect([ledger.effect('updateTrunk', 'name'), ledger.effect('updateTrunk', 'status')]).toEqual(['sure', 'none']);
});

test.each<readonly [string, readonly Said[], boolean]>([
  ['shows what they wrote', [update({ learned: { fields: { name: WRITTEN.toUpperCase() } } })], true],
  [
    'shows it once',
    [update({ learned: { fields: { name: 'old' } } }), update({ learned: { fields: { name: WRITTEN } } })],
    true,
  ],
  ['shows nothing of it', [update({ learned: { fields: { status: 'queued' } } })], true],
  ['shows another name', [update({ learned: { fields: { name: 'job-1' } } })], false],
  ['repeats the name from before', [update({ learned: { fields: { name: 'job-1' } } }, 'job-1')], true],
  [
    'repeats it, and not what they wrote',
    ['job-1', WRITTEN].map((name) => update({ learned: { fields: { name: 'job-1' } } }, name)),
    false,
  ],
])('the answers to updates show the record: one that %s', (_, said, isShown) => {
  expect(ledgerOf(said).showsRecord('updateTrunk', { name: 'job-1' })).toBe(isShown);
});

describe('a name that the target shows at the end', () => {
  const isOthers = (shown: string | null, before: string | null = 'Main trunk', written: unknown = WRITTEN): boolean =>
    ledgerOf([update({}, written), shows({ name: WRITTEN })]).isOthers('updateTrunk', { name: before }, 'name', shown);

  test.each<readonly [string, string | null, boolean]>([
    ['as it was written', WRITTEN, false],
    ['as it was before', 'Main trunk', false],
    ['in other letters', WRITTEN.toUpperCase(), false],
    ['trimmed, and without blanks', WRITTEN.replaceAll(' ', ''), false],
    ['cut', WRITTEN.slice(0, 22), false],
    ['with something added', `${WRITTEN} (by api)`, false],
    ['cleared', null, false],
    ['cleared to an empty text', '', false],
    ['of another editor', 'Renamed by a colleague', true],
    ['that begins alike and is too short to be ours', WRITTEN.slice(0, 4), true],
    ['that ends alike', WRITTEN.slice(-12), true],
  ])('%s', (_, shown, others) => {
    expect(isOthers(shown)).toBe(others);
  });

  test('with a letter beyond ASCII is ours where that was read as two', () => {
    expect(isOthers(`${WRITTEN} gr\u00c3\u00b6n`, null, `${WRITTEN} gr\u00f6n`)).toBe(false);
  });

  test('of few letters is ours as a whole alone', () => {
    const isOf = (shown: string): boolean => isOthers(shown, null, 'spare');
    expect(['spare', 'Spare', 'spar', 'spär'].map(isOf)).toEqual([false, false, true, true]);
  });

  test('is ours where the first read after our update shows it, and not where only a later one does', () => {
    const own = ledgerOf([update(), shows({ name: 'Normalised' }), shows({ name: 'Renamed by a colleague' })]);
    const isOthers = (name: string): boolean => own.isOthers('updateTrunk', { name: 'Main trunk' }, 'name', name);
    expect([isOthers('Normalised'), isOthers('Renamed by a colleague')]).toEqual([false, true]);
  });

  test('counts as a list shows it where no read of the trunk does', () => {
    const listed = (name: string): Said => ({ ...shows({ name }), tag: { operation: 'listTrunks' } });
    const isOthers = (...all: readonly Said[]): boolean =>
      ledgerOf([update(), ...all]).isOthers('updateTrunk', { name: 'Main trunk' }, 'name', 'Normalised');
    expect([isOthers(listed('Normalised')), isOthers(listed('Normalised'), shows({ name: 'x' }))]).toEqual([
      false,
      true,
    ]);
  });

  test('may be anything after an update with a name that the record does not hold', () => {
    const ledger = ledgerOf([update(), shows({ name: WRITTEN })]);
    ledger.hideName();
    const isOthers = (id: UpdateId) => ledger.isOthers(id, { name: 'Main trunk' }, 'name', 'Spare trunk');
    expect([isOthers('updateTrunk'), isOthers('updateVoiceApplication')]).toEqual([false, true]);
    expect(ledger.isOthers('updateTrunk', { status: 'active' }, 'status', 'blocked')).toBe(true);
  });
});

describe('a member that an update cleared', () => {
  const read = (value: Readonly<Record<string, unknown>>, said: Said = {}): Said => ({
    ...said,
    tag: { operation: 'getTrunk', ...said.tag },
    request: { method: 'GET', ...said.request },
    body: bodyOf({ data: value }),
  });
  const [BEFORE, AFTER] = [read({ name: 'a', owner: 'x' }), read({ name: 'a', owner: null })];

  test.each<readonly [string, readonly Said[], number]>([
    ['is named', [BEFORE, update(), AFTER], 1],
    ['is not named without an update between', [update(), BEFORE, AFTER, update()], 0],
    ['is not named after an update of a made-up id', [BEFORE, update({ tag: { ids: 'well-formed' } }), AFTER], 0],
    ...['name', 'direction', 'status'].map((field): readonly [string, readonly Said[], number] => [
      `is not named if the run writes it: ${field}`,
      [read({ [field]: 'a' }), update(), read({ [field]: null })],
      0,
    ]),
    ['is not named if it is there again', [BEFORE, update(), AFTER, BEFORE], 0],
    ['is not named after a read of another one', [BEFORE, update(), read({}, { tag: { ids: 'malformed' } })], 0],
    ['is not named after a read that failed', [BEFORE, update(), read({}, { status: 500 })], 0],
  ])('%s', (_, all, count) => {
    const sentences = clearedSentences(all.map(exchangeOf), 't-1');
    expect(sentences).toEqual(Array(count).fill(expect.stringMatching(/^trunk t-1: owner has no value any more/)));
  });
});

const showing = (name: string): Said => ({ learned: { fields: { name } } });

/** What an answer to an update of the application shows before any update has named the field. */
test.each<readonly [string, readonly Said[], ShownFields | undefined]>([
  ['what no update has named', [{ learned: { fields: { name: 'a', voice_url: 'b' } } }], { name: 'a', voice_url: 'b' }],
  ['the first value of a field', [showing('a'), showing('b')], { name: 'a' }],
  ['nothing that an accepted update names', [update(showing('a'))], undefined],
  ['what a rejected update names', [update({ status: 400, ...showing('a') })], { name: 'a' }],
  ['nothing of a made-up id', [{ tag: { ids: 'well-formed' }, ...showing('a') }], undefined],
])('the application before the run is %s', (_, said, application) => {
  const [state, ledger] = [new RunState(), new WriteLedger()];
  for (const [at, one] of said.entries()) {
    const exchange = exchangeOf({ ...one, tag: { operation: 'updateVoiceApplication', ...one.tag } }, at);
    ledger.learn(exchange);
    learnApplication(state, ledger, exchange);
  }
  expect(state.facts.application).toEqual(application);
});

const ofApplication = (body: object, said: Said = {}): Said => ({
  ...showing('a'),
  ...said,
  tag: { operation: 'updateVoiceApplication', ...said.tag },
  request: { body: sent(body) },
});

test.each<readonly [string, Said, 'GET' | 'PATCH', boolean]>([
  [
    'a read that is not documented',
    { ...showing('a'), tag: { operation: null }, request: { method: 'GET' } },
    'GET',
    true,
  ],
  ['an update that changes nothing', ofApplication({}), 'PATCH', true],
  ['an update that changes nothing, and shows nothing', ofApplication({}, { learned: {} }), 'PATCH', false],
  ['an update that names a field', ofApplication({ name: 'a' }), 'PATCH', false],
  ['a restore', ofApplication({}, { tag: { role: 'restore' } }), 'PATCH', false],
  ['an update of the trunk', ofApplication({}, { tag: { operation: 'updateTrunk' } }), 'PATCH', false],
])('the application is shown by %s', (_, said, by, isShown) => {
  expect(ledgerOf([said]).applicationShownBy(by)).toBe(isShown);
});

/** Restores a trunk whose direction another editor changed; `send` says what a request gets. */
async function restored(send: (request: SuiteRequest) => Promise<unknown>) {
  const builder = new RequestBuilder(optionsFrom(createReference().settings), 'Wq5t', []);
  const state = new RunState();
  state.bases.set('updateTrunk', { name: 'a' });
  state.note({ trunk: { name: 'old', direction: 'in', status: 3 } });
  const isOthers = (_: string, __: object, field: string): boolean => field === 'direction';
  const ledger = { isDue: () => true, effect: () => 'sure', isOthers };
  const session = { builder, state, ledger, send, isLeftOut: () => false, waitForReads: async () => {} };
  const trunk = restoring(builder).find(({ operation }) => operation === 'updateTrunk');
  await trunk?.run(session as unknown as Session).catch(() => undefined);
  return state.restored.get('updateTrunk')?.left;
}

test.each([
  ['hang', 1],
  ['limit', 1],
  ['stopped', undefined],
] as const)('of a restore that is not sent (%s), sentences: %s', async (why, count) => {
  const send = () => Promise.reject(new Skipped('it is not sent', { why }));
  expect((await restored(send))?.length).toBe(count);
});

test('neither what another editor wrote nor null for what cannot be written back is sent', async () => {
  const bodies: string[] = [];
  await restored(async ({ method, body }) => {
    if (method === 'PATCH') bodies.push(Buffer.from(body ?? []).toString());
    const said = shows({ name: bodies.length === 0 ? 'a' : 'old', direction: 'theirs', status: 5 });
    return { accepted: true, status: 200, exchange: exchangeOf(said, 0) };
  });
  expect(bodies).toEqual(['{"name":"old"}']);
});
