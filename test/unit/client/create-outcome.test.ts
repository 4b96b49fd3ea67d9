/** Which answers to create call placed no call, which placed one, and which may have. */

import { describe, expect, test } from 'vitest';
import { type KnownIds, learnedOfCreate } from '../../../src/client/safety/create-outcome.ts';
import type { Header } from '../../../src/exchange/message.ts';
import { outcomeOf } from './create-request.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const ENVELOPE = '{"success":false,"error":{"code":"no","message":"No."}}';
const CALL = `{"success":true,"id":"${ID}","data":{"id":"${OTHER}"}}`;
const REJECTED = { kind: 'rejected' };
const placed = (...ids: readonly string[]) => ({ kind: 'placed', ids });
const unclear = (status: number, what = 'no call id') => ({
  kind: 'unclear',
  status,
  detail: `status ${status} and ${what}`,
});

interface Answer {
  readonly headers?: readonly Header[];
  readonly cut?: boolean;
  readonly path?: string;
  readonly seen?: readonly string[];
  /** Shown by an earlier create call. */
  readonly again?: readonly string[];
  readonly pointer?: string;
}

function of(status: number, body: string | Uint8Array, answer: Answer = {}): ReturnType<typeof outcomeOf> {
  const { headers = [], cut = false, path = '/v1/calls/', seen = [], again = [], pointer } = answer;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const known: KnownIds = (id) => (again.includes(id) ? 'again' : seen.includes(id) ? 'seen' : 'new');
  const reply = { kind: 'answer', status, headers, body: bytes, cut } as const;
  const learned = learnedOfCreate(reply, path, known, (id) => id !== 'secret', pointer);
  return outcomeOf({ status, learned }, null, again);
}

describe('a complete 4xx', () => {
  const error = (more: object) => JSON.stringify({ success: false, error: { code: 'E42', message: 'No.', ...more } });
  test.each([400, 401, 403, 404, 409, 413, 422])('is a rejection, whatever it shows: %i', (status) => {
    const json = ['', ' \r\n', ENVELOPE, ` ${ENVELOPE}\n`, `\ufeff${ENVELOPE}`, '"no way"', 'null', '[]', '17', CALL];
    const texts = ['no such page', '<html>', `${ENVELOPE}x`, ENVELOPE.slice(0, -1), '\0', 'NaN', `busy: ${ID}`];
    const ids = [
      error({ call_id: ID }),
      error({ id: ID, message: `Call ${ID} is busy.` }),
      '{"to":["Must be a UUID."]}',
    ];
    const all = [...json, ...texts, ...ids];
    expect(all.map((body) => of(status, body))).toEqual(all.map(() => REJECTED));
    expect(all.map((body) => of(status, body, { pointer: '/error/call_id' }))).toEqual(all.map(() => REJECTED));
    const headers: readonly Header[] = [['X-Call-ID', ID]];
    expect(of(status, ENVELOPE, { headers, pointer: 'header:X-Call-ID' })).toEqual(REJECTED);
  });

  test.each([400, 409, 422, 429])('placed a call by Location, or by a second value: %i', (status) => {
    const headers: readonly Header[] = [['LOCATION', `/v1/calls/${ID}`]];
    expect(of(status, ENVELOPE, { headers })).toEqual(placed(ID));
    expect(of(status, ENVELOPE, { headers, pointer: 'header:location' })).toEqual(placed(ID));
    expect(of(status, `${ENVELOPE}${CALL}`)).toEqual(placed(ID, OTHER));
    expect(of(status, `${ENVELOPE}\r\n--\r\n${CALL}\n`)).toEqual(placed(ID, OTHER));
    expect(of(status, `${ENVELOPE}}${CALL}`)).toEqual(placed(ID, OTHER));
    expect(of(status, `${ENVELOPE}${CALL}`, { seen: [ID, OTHER] }).kind).toBe(status === 429 ? 'put off' : 'rejected');
  });

  test.each([400, 409, 422])('is unclear where only a part came: %i', (status) => {
    expect(of(status, ENVELOPE, { cut: true })).toEqual(unclear(status));
  });
});

describe('a call', () => {
  test.each([200, 201, 202, 303, 500, 502, 503])('is placed by %i with an id', (status) => {
    expect(of(status, CALL)).toEqual(placed(ID, OTHER));
    expect(of(status, '', { headers: [['LOCATION', `/v1/calls/${ID}`]] })).toEqual(placed(ID));
  });

  test.each([
    ['the call, then an error envelope', `${CALL}${ENVELOPE}`],
    ['text around the call', `HTTP/1.1 201 Created\r\n\r\n${CALL} "bye`],
    ['a string with brackets, then the call', `{"a":"\\"{","b":1}${CALL}`],
    ['a list of the one call', ` [${CALL}]`],
    ['a stray quotation mark, then the call', `say "no, ${CALL}`],
    ['an answer of three megabytes', CALL.replace('{', `{"x":"${'y'.repeat(3_000_000)}",`)],
    ['an answer of half a million levels', CALL.replace('{', `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)},`)],
    [
      'the call beside half a million levels of objects',
      CALL.replace('{', `{"x":${'{"x":'.repeat(500_000)}1${'}'.repeat(500_000)},`),
    ],
    [
      'the call, then a long number and a million quotation marks',
      `${CALL} 4711471147114711 ${'\\"'.repeat(1_000_000)}`,
    ],
  ])('is found in %s', (_what, body) => {
    expect(of(201, body)).toEqual(placed(ID, OTHER));
  });

  test('has none of the ids that an earlier answer showed', () => {
    expect(of(201, CALL, { seen: [OTHER] })).toEqual(placed(ID));
    expect(of(201, CALL, { seen: [OTHER, ID] })).toEqual({ ...unclear(201), idIn: 'body' });
  });

  test('is an earlier one if all ids of an accepted answer are calls of this run', () => {
    const again = [ID, OTHER];
    expect(of(201, CALL, { again })).toEqual({ kind: 'repeated', ids: again, again });
    expect(of(201, CALL, { again: [OTHER], seen: [ID] })).toMatchObject(unclear(201, 'no call id that is new'));
    expect(of(500, CALL, { again })).toEqual(unclear(500));
  });

  test('shows ids again that an earlier answer showed', () => {
    expect(of(201, CALL, { again: [OTHER] })).toEqual({ ...placed(ID), again: [OTHER] });
  });

  test('has at most eight candidates', () => {
    const outcome = of(201, Array.from({ length: 5_000 }, (_, at) => `{"id":"call-${at}"}`).join(''));
    expect('ids' in outcome && outcome.ids).toEqual(Array.from({ length: 8 }, (_, at) => `call-${at}`));
  });

  test.each([200, 201, 204, 303, 500])('may have been placed by %i that shows no id', (status) => {
    expect(of(status, '{"ok":true}x')).toEqual(unclear(status));
    expect(of(status, `[${CALL},{"id":"${ID}"}]`)).toMatchObject(unclear(status));
    expect(of(status, Buffer.from([0xff, 0x7b, 0x22, 0xc3]))).toEqual(unclear(status));
  });

  test('without an id says where a setting could find it, unless that is set', () => {
    expect(of(201, '{"ref":"PA-7712"}')).toEqual({ ...unclear(201), idIn: 'body' });
    const headers: readonly Header[] = [['Resource-ID', ID]];
    expect(of(201, '', { headers })).toEqual({ ...unclear(201), idIn: 'header:Resource-ID' });
    expect(of(201, '', { headers, pointer: 'header:Resource-ID' })).toEqual(placed(ID));
    expect(of(201, CALL, { headers, pointer: '/reference' })).toEqual(unclear(201));
  });

  test('that is put off placed none', () => {
    const put = [408, 425, 429, 503].map((status) => of(status, '<h1>Later</h1>'));
    expect(put).toEqual(Array(4).fill({ kind: 'put off' }));
    const headers: readonly Header[] = [['Location', '/v1/calls/']];
    expect(of(308, '', { headers, path: '/v1/calls' })).toEqual({ kind: 'put off' });
    expect(of(308, '', { headers })).toEqual(unclear(308));
    expect(of(308, '', { headers: [['Location', '/v1/']], path: '/v1/calls' })).toEqual(unclear(308));
    expect([201, 303].map((status) => of(status, '', { headers, path: '/v1/calls' }))).toEqual(
      [201, 303].map((status) => unclear(status)),
    );
  });
});

test('no id with a secret in it is recorded', () => {
  const body = '{"id":"secret","data":{"id":"a"}}';
  expect(of(201, body)).toEqual(placed('a'));
  const again = ['secret', 'a'];
  expect(of(201, body, { again })).toEqual({ kind: 'repeated', ids: ['a'], again: ['a'] });
  expect(of(201, '{"id":"secret"}')).toEqual(unclear(201));
});
