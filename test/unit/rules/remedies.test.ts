/** What would help with a rejection of a valid request, given what else the run got. */

import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { Evidence } from '../../../src/verdict/evidence.ts';
import { remedyFor } from '../../../suites/expect/remedy.ts';
import { isolated } from '../../../suites/organizations.ts';
import { as, bodyOf, exchangeOf, type Said } from './exchanges.ts';

const ALL = ['PCS_TRUNK_ID', 'PCS_LIST_NUMBERS_QUERY', 'PCS_CALL_FROM', 'PCS_CALL_TO'];
const read = (
  operation: 'getTrunk' | 'listNumbers' | 'searchAvailableNumbers' | 'hangUpCall',
  status: number | null = 200,
): Said => ({
  status,
  tag: { operation },
  request: { method: 'GET', path: `/v1/${operation}` },
});
const update = (body: Readonly<Record<string, unknown>>, status = 200): Said => ({
  status,
  request: { body: bodyOf(body) },
});
const REJECTED = update({ name: 'a', direction: 'in' }, 422);
const create = (...callIds: readonly string[]): Said => ({
  status: 201,
  tag: { operation: 'createCall' },
  learned: { callIds },
});
const unknownCall: Said = {
  status: 404,
  tag: { operation: 'hangUpCall' },
  request: { path: '/v1/calls/req%201/hangup' },
};
const theirs = (said: Said): Said => ({ ...said, request: { ...said.request, credential: 'other-organization' } });

/** The last exchange is the rejection. */
const helps = (all: readonly Said[], settings: readonly string[]): string => {
  const exchanges = all.map(exchangeOf);
  return remedyFor(exchanges.at(-1) as never, new Evidence({ profile: 'full', settings }, exchanges));
};

test.each<readonly [string, readonly Said[], RegExp]>([
  ['a read that was put off', [read('getTrunk', 503)], /^run again once the target can serve this request/],
  ['a read without an answer', [read('getTrunk', null)], /^raise --timeout$/],
  ['a read that failed', [read('getTrunk', 500)], /^fix the 5xx/],
  ['401 where ours is accepted later', [read('getTrunk', 401)], /^check PCS_ACCESS_TOKEN: it must stay valid/],
  ['404 to a trunk', [read('getTrunk', 404)], /^check PCS_TRUNK_ID: it must name what exists/],
  ['409 to a trunk', [read('getTrunk', 409)], /^check PCS_TRUNK_ID: it must be in a state/],
  ['422 to a trunk', [read('getTrunk', 422)], /^check PCS_TRUNK_ID: it must name what exists, and be in a state/],
  ['403 to a trunk', [read('getTrunk', 403)], /^allow PCS_ACCESS_TOKEN to use this operation, or check PCS_TRUNK_ID/],
  [
    '402 to a trunk',
    [read('getTrunk', 402)],
    /^give the organization credit for this operation, or check PCS_TRUNK_ID/,
  ],
  [
    '403 to a list',
    [read('listNumbers', 403)],
    /^allow PCS_ACCESS_TOKEN .*, or check PCS_LIST_NUMBERS_QUERY: the target/,
  ],
  ['400 to a list', [read('listNumbers', 400)], /^check PCS_LIST_NUMBERS_QUERY: the target rejects it/],
  ['405 to a list', [read('listNumbers', 405)], /^fix the 405, and run again$/],
  [
    '404 to a search',
    [read('searchAvailableNumbers', 404)],
    /^set PCS_AVAILABLE_NUMBERS_QUERY .*, or serve the documented path, or use --without searchAvailableNumbers$/,
  ],
  ['415 to a hang-up', [read('hangUpCall', 415)], /^fix the 415, and run again$/],
  [
    'a hang-up that the other organization did',
    [theirs(read('hangUpCall')), read('hangUpCall', 409)],
    /^check PCS_OTHER_ORG/,
  ],
  ['a hang-up that it tried', [theirs(read('hangUpCall', 403)), read('hangUpCall', 409)], /^set PCS_RINGING_CALL_ID/],
  ['a hang-up after one of ours', [read('hangUpCall'), read('hangUpCall', 409)], /^set PCS_RINGING_CALL_ID/],
  ['404 to the hang-up of our call', [create('req 1'), unknownCall], /^set PCS_RINGING_CALL_ID/],
  ['404 to one of the ids of our call', [create('req 1', 'c-7'), unknownCall], /^set PCS_CALL_ID_POINTER/],
  ['404 where another call had several', [create('req 2', 'c-7'), unknownCall], /^set PCS_RINGING_CALL_ID/],
  ['a body', [REJECTED], /^give a body that the target accepts for updateTrunk with --samples, or check PCS_TRUNK_ID/],
  [
    'a member more than was accepted',
    [update({ name: 'a' }), REJECTED],
    /or check PCS_TRUNK_ID: .*; without direction the same body is accepted/,
  ],
  ['a member less', [update({ name: 'a', direction: 'in', x: 1 }), REJECTED], /; with x the same body is accepted/],
  ['another value', [update({ name: 'a', direction: 'out' }), REJECTED], /; with another direction the same body/],
  ['null in its place', [update({ name: 'a', direction: null }), REJECTED], /; with direction null the same body/],
  [
    'a value that no accepted one has',
    [update({ direction: 'in' }), update({ name: 'b', x: 1, y: 2 }), REJECTED],
    /; without name the/,
  ],
  ['a value far from any', [update({ direction: 'in', x: 1, y: 2 }), REJECTED], /; no accepted body has this name/],
  [
    'the same body at another time',
    [update({ name: 'a', direction: 'in' }), REJECTED],
    /be in a state that allows this operation$/,
  ],
])('%s', (_, all, says) => {
  expect(helps(all, ALL)).toMatch(says);
});

const call = (status: number, body: Readonly<Record<string, unknown>> = {}): Said => ({
  status,
  tag: { operation: 'createCall' },
  request: { method: 'POST', path: '/v1/calls/', body: bodyOf(body) },
});
const ALONE = call(201);

test.each<readonly [string, readonly Said[], readonly string[], RegExp]>([
  ['over a trunk', [ALONE, call(403, { trunk_id: 't' })], [], /^set PCS_TRUNK_CALL_FROM .*, or check PCS_TRUNK_ID/],
  ['with a caller of its own', [ALONE, call(403, { trunk_id: 't' })], ['PCS_TRUNK_CALL_FROM'], /^check PCS_TRUNK_ID/],
  ['over an unknown trunk', [ALONE, call(404, { trunk_id: 't' })], [], /^check PCS_TRUNK_ID/],
  ['without any id', [call(403)], [], /^check PCS_CALL_FROM and PCS_CALL_TO(?:: [^,]*)?, or allow PCS_ACCESS_TOKEN/],
  ['with an application', [ALONE, call(403, { application_id: 'a' })], [], /^set PCS_VOICE_APPLICATION_ID/],
  ['for a member', [ALONE, call(422, { privacy: true })], [], /^give a body/],
  ['for a member, for lack of credit', [ALONE, call(402, { privacy: true })], [], /^give the organization credit/],
  ['for a member, since a right is missing', [ALONE, call(403, { privacy: true })], [], /^check PCS_CALL_FROM/],
])('a call that is rejected %s', (_, all, more, says) => {
  expect(helps(all, [...ALL, ...more])).toMatch(says);
});

test.each([
  [[], 'PCS_TRUNK_ID PCS_VOICE_APPLICATION_ID'],
  [['PCS_TRUNK_ID'], 'PCS_VOICE_APPLICATION_ID'],
  [['PCS_VOICE_APPLICATION_ID'], 'PCS_TRUNK_ID'],
])('where %j are set, a rejected call without an id may need %s', (settings, names) => {
  const said = helps([call(409)], settings);
  expect(said).toMatch(/^set .*, which calls may need/);
  expect(said.match(/PCS_\w+/g)?.join(' ')).toBe(names);
});

const ofCall = (operation: 'answerCall' | 'hangUpCall', status: number, call = 'c-1'): Said => ({
  status,
  tag: { operation },
  request: { method: 'POST', path: `/v1/calls/${call}/${operation === 'hangUpCall' ? 'hangup' : 'answer'}` },
});
const OURS = ofCall('answerCall', 409);
const ANSWERED_ALREADY = 'or run with --only SUCCESS-STATUS/answerCall';
const [THEIRS, HUNG_UP] = [as('other-organization', OURS, 404), ofCall('hangUpCall', 200)];

test.each<readonly [string, readonly Said[], boolean]>([
  ['after one that was rejected, and the call is open', [THEIRS, OURS, HUNG_UP], true],
  ['after one with an invalid credential', [as('none', OURS), OURS, HUNG_UP], true],
  ['after one of ours', [OURS, OURS, HUNG_UP], false],
  ['after one that failed', [as('none', OURS, 500), OURS, HUNG_UP], false],
  ['before any other', [OURS, THEIRS, HUNG_UP], false],
  ['after one to another call', [as('none', ofCall('answerCall', 409, 'c-2')), OURS, HUNG_UP], false],
  ['and the call has ended', [THEIRS, OURS, ofCall('hangUpCall', 409), HUNG_UP], false],
  ['and another call is open', [THEIRS, OURS, ofCall('hangUpCall', 200, 'c-2')], false],
  ['and the call was hung up for others', [THEIRS, OURS, as('none', HUNG_UP, 200), HUNG_UP], false],
])('where our answer is rejected %s, what may have answered the call is told', (_, all, isSaid) => {
  const exchanges = all.map(exchangeOf);
  const evidence = new Evidence({ profile: 'full', settings: ['PCS_RINGING_CALL_ID'] }, exchanges);
  const remedy = remedyFor(exchanges[all.lastIndexOf(OURS)] as Exchange, evidence);
  expect(remedy).toMatch(/^check PCS_RINGING_CALL_ID: the call must still ring when the run starts/);
  expect(remedy.includes(ANSWERED_ALREADY)).toBe(isSaid);
});

test('where an answer that was accepted came before, no rejected one is suspected', () => {
  const anonymous = as('none', OURS, 409);
  const suspects = (...before: readonly Said[]): boolean => {
    const exchanges = [...before, anonymous, HUNG_UP].map(exchangeOf);
    const evidence = new Evidence({ profile: 'full', settings: ['PCS_RINGING_CALL_ID'] }, exchanges);
    return remedyFor(exchanges[before.length] as Exchange, evidence).includes(ANSWERED_ALREADY);
  };
  expect(suspects(THEIRS)).toBe(true);
  expect(suspects(as('other-organization', OURS, 200), THEIRS)).toBe(false);
});

test('404 to a trunk that is not set', () => {
  expect(helps([read('getTrunk', 404)], [])).toMatch(/^set PCS_TRUNK_ID/);
});

test('a message of the target is quoted to its end, which names the member', () => {
  const says = `Failed to deserialize the JSON body into the target type: missing field carrierConnectionId`;
  const refused = { ...REJECTED, body: bodyOf({ success: false, error: { message: says } }) };
  expect(helps([refused], ALL)).toContain(says);
});

test('where both organizations are rejected, the remedy is of what ours got', () => {
  const refused = (message: string): Said => ({
    ...read('getTrunk', 403),
    body: bodyOf({ success: false, error: { message } }),
  });
  const trunkOfTheirs: Said = { ...read('getTrunk'), request: { method: 'GET', path: '/v1/of-theirs' } };
  const exchanges = [theirs(trunkOfTheirs), theirs(refused('It is not yours.')), refused('It is busy.')].map(
    exchangeOf,
  );
  const [, judged] = exchanges;
  const opinion = isolated(judged as Exchange, {}, new Evidence({ profile: 'full', settings: ALL }, exchanges));
  expect(opinion).toMatchObject({ remedy: expect.stringContaining('It is busy.') });
});

test('where our own request was rejected too, the remedy is for that, not for what the other organization got', () => {
  const trunkOfTheirs: Said = { request: { path: '/v1/of-theirs', body: bodyOf({ name: 'c' }) } };
  const rejected = theirs(update({ name: 'b' }, 404));
  const exchanges = [theirs(trunkOfTheirs), update({ name: 'a' }, 409), rejected].map(exchangeOf);
  const opinion = isolated(exchanges[2] as Exchange, {}, new Evidence({ profile: 'full', settings: ALL }, exchanges));
  expect(opinion).toMatchObject({ remedy: expect.stringMatching(/in a state that allows this operation/) });
});

test.each([
  ['getTrunk', [], /^set PCS_OTHER_ORG_TRUNK_ID/],
  ['getTrunk', ['PCS_OTHER_ORG_TRUNK_ID'], /^allow PCS_OTHER_ORG_ACCESS_TOKEN/],
  ['listNumbers', [], /^allow PCS_OTHER_ORG_ACCESS_TOKEN/],
] as const)(
  'where the other organization gets 403 to %s, with the settings %j, this helps: %s',
  (operation, settings, says) => {
    const exchanges = [theirs(read('hangUpCall')), theirs(read(operation, 403))].map(exchangeOf);
    const opinion = isolated(exchanges[1] as Exchange, {}, new Evidence({ profile: 'full', settings }, exchanges));
    expect(opinion).toMatchObject({ remedy: expect.stringMatching(says) });
  },
);
