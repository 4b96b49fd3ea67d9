/** Which answers to create call placed no call, which placed one, and which may have. */

import { describe, expect, test } from 'vitest';
import { callIdsIn } from '../../../src/client/call-id.ts';
import { type CreateOutcome, createOutcome, type KnownIds } from '../../../src/client/safety/create-outcome.ts';
import type { Header } from '../../../src/exchange/message.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const ENVELOPE = '{"success":false,"error":{"code":"no","message":"No."}}';
/** The id of the trunk comes first, and is tried after that of the call. */
const CALL = `{"success":true,"trunk":{"id":"${OTHER}"},"data":{"id":"${ID}"}}`;
const REJECTED = { kind: 'rejected' };
const placed = (...ids: readonly string[]) => ({ kind: 'placed', ids });
const claimed = (...ids: readonly string[]) => ({ kind: 'claimed', ids });
const unclear = (status: number, what = 'no call id', ...ids: readonly string[]) => ({
  kind: 'unclear',
  status,
  detail: `status ${status} and ${what}`,
  ids,
});

interface Answer {
  readonly headers?: readonly Header[];
  readonly cut?: boolean;
  readonly path?: string;
  readonly seen?: readonly string[];
  readonly placed?: readonly string[];
  /** Shown before in the same place. */
  readonly again?: readonly string[];
  /** The place of ids by which calls were hung up, and those of errors. */
  readonly likely?: string;
  readonly errors?: readonly string[];
}

function of(status: number, body: string | Uint8Array, answer: Answer = {}): CreateOutcome {
  const { headers = [], cut = false, path = '/v1/calls/', seen = [], placed = [], again = [], errors = [] } = answer;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const known: KnownIds = ({ id, place }) => {
    if (again.includes(id)) return 'again';
    if (placed.includes(id)) return 'placed';
    if (seen.includes(id)) return 'seen';
    if (place === answer.likely) return 'likely';
    return errors.includes(place) ? 'of errors' : 'new';
  };
  return createOutcome({ kind: 'answer', status, headers, body: bytes, cut }, path, known);
}

describe('a clean rejection', () => {
  test.each([400, 401, 403, 404, 409, 413, 422])('is %i that shows no id', (status) => {
    const json = ['', ' \r\n', ENVELOPE, ` ${ENVELOPE}\n`, `\ufeff${ENVELOPE}`, '"no way"', 'null', '[]', '17'];
    const texts = ['no such page', '<html>', '404 page not found', `${ENVELOPE}x`, ENVELOPE.slice(0, -1), '\0', 'NaN'];
    expect([...json, ...texts].map((body) => of(status, body))).toEqual([...json, ...texts].map(() => REJECTED));
  });

  test.each([400, 409, 422])('is not %i of which only a part came', (status) => {
    expect(of(status, ENVELOPE, { cut: true })).toEqual(unclear(status));
  });

  const error = (more: object) => JSON.stringify({ success: false, error: { code: 'E42', message: 'No.', ...more } });
  test.each<[string, object]>([
    ['a request id', { request_id: ID }],
    ['a request id in camel case', { requestId: ID }],
    ['a trace id', { traceId: ID, span_id: 'a1b2c3d4' }],
    ['a correlation id', { 'X-Correlation-ID': ID }],
    ['an id of the error itself', { id: ID }],
    ['ids of other resources', { trunk_id: ID, application: { id: OTHER } }],
    ['a moment and a version', { timestamp: '2026-11-22T20:55:33.000Z', version: '1.0.0' }],
    ['an address', { path: '/v1/calls/', documentation: 'https://docs.example/errors/e42' }],
    ['the id of a problem', { type: 'about:blank', instance: `urn:uuid:${ID}` }],
  ])('may show %s where rejections of other operations show an id', (_what, more) => {
    const { ids, uuids } = callIdsIn(error(more), []);
    const errors = [...ids, ...uuids].map(({ place }) => place);
    const statuses = [400, 409, 422];
    expect(statuses.map((status) => of(status, error(more), { errors }))).toEqual(Array(3).fill(REJECTED));
    if (errors.length > 0)
      expect(statuses.map((status) => of(status, error(more)).kind)).toEqual(Array(3).fill('claimed'));
  });

  test('may show ids that the request or an earlier answer has shown', () => {
    expect(of(409, error({ call_id: ID }), { seen: [ID] })).toEqual(REJECTED);
    expect(of(409, error({ call_id: ID }), { placed: [ID] })).toEqual(REJECTED);
  });

  test.each<[string, string]>([
    ['a member that names a call', error({ call_id: 'call@edge;1=2/3' })],
    ['an id deep inside', error({ details: { attempt: { id: 'call@edge;1=2/3' } } })],
    ['a link to a call', error({ href: 'https://api.example/v1/calls/call%40edge;1=2%2F3' })],
  ])('is not one that shows %s', (_what, body) => {
    expect([of(409, body), of(400, body), of(503, body)]).toEqual(Array(3).fill(claimed('call@edge;1=2/3')));
  });

  test.each<[string, string]>([
    ['a UUID under an unknown name', error({ reference: ID })],
    ['a UUID in a message', error({ message: `Call ${ID} is busy.` })],
    ['a UUID in plain text', `busy: ${ID}`],
    ['a list of UUIDs', error({ busy: [ID, 'x'] })],
  ])('is not one that shows %s', (_what, body) => {
    expect([of(409, body), of(400, body)]).toEqual([claimed(ID), claimed(ID)]);
  });
});

describe('a call', () => {
  test.each([200, 201, 202, 303, 500, 502])('is placed by %i with an id', (status) => {
    expect(of(status, CALL)).toEqual(placed(ID, OTHER));
    expect(of(status, '', { headers: [['LOCATION', `/v1/calls/${ID}`]] })).toEqual(placed(ID));
  });

  test.each([
    ['an error envelope, then the call', `${ENVELOPE}${CALL}`],
    ['an error envelope, a line, then the call', `${ENVELOPE}\r\n--\r\n${CALL}\n`],
    ['the call, then an error envelope', `${CALL}${ENVELOPE}`],
    ['text around the call', `HTTP/1.1 201 Created\r\n\r\n${CALL} "bye`],
    ['a string with brackets, then the call', `{"a":"\\"{","b":1}${CALL}`],
    ['a stray quotation mark, then the call', `say "no, ${CALL}`],
    ['a brace too many, then the call', `${ENVELOPE}}${CALL}`],
  ])('is found in %s', (_what, body) => {
    expect([of(400, body), of(201, body)]).toEqual([claimed(ID, OTHER), placed(ID, OTHER)]);
  });

  const BARE = `{"id":"${ID}"}`;
  test.each([
    ['a call that is cut short', `${ENVELOPE}${BARE.slice(0, -1)}`],
    ['a call that is not JSON', `{'ok':1,"id":"${ID}"}`],
    ['a call behind 400 KiB of blanks', `${ENVELOPE}${' '.repeat(400_000)}${BARE}`],
    ['a call behind two million nested arrays', `${'['.repeat(2_000_000)}${BARE}`],
  ])('is found as text in %s', (_what, body) => {
    expect([of(400, body), of(201, body)]).toEqual([claimed(ID), placed(ID)]);
  });

  test('is found whatever its id holds', () => {
    expect(of(400, `${ENVELOPE}{"id":"call@edge;n=1/2"}`)).toEqual(claimed('call@edge;n=1/2'));
    expect(of(400, `${ENVELOPE}{"id":"call@edge;n=1/2"`)).toEqual(claimed('call@edge;n=1/2'));
  });

  test('has the likeliest id first: Location, then the shallowest', () => {
    const body = `{"id":"request","data":{"id":"call"}}{"call":{"id":"${OTHER}"}}`;
    const headers: readonly Header[] = [['Location', `/v1/calls/${ID}`]];
    expect(of(201, body, { headers })).toEqual(placed(ID, 'request', 'call', OTHER));
  });

  test('has none of the ids that an earlier answer showed', () => {
    const body = `{"id":"${ID}","call":{"id":"${OTHER}"}}`;
    expect(of(201, body, { seen: [OTHER] })).toEqual(placed(ID));
    expect(of(201, body, { seen: [OTHER, ID] })).toEqual(unclear(201, 'no call id that is new'));
  });

  test('is an earlier one if all ids of an accepted answer are calls of this run', () => {
    const body = `{"id":"${ID}","call":{"id":"${OTHER}"}}`;
    expect(of(201, body, { placed: [OTHER, ID] })).toEqual({ kind: 'repeated', ids: [ID, OTHER] });
    expect(of(201, body, { placed: [OTHER], seen: [ID] })).toEqual(unclear(201, 'no call id that is new'));
    expect(of(500, body, { placed: [OTHER, ID] })).toEqual(unclear(500, 'no call id that is new'));
  });

  test('without a named id has guesses, which no moment, number or message is', () => {
    const more = { created: '2026-11-22', number: '+15005550010', status: 'queued', cost: 0.5, note: 'on its way' };
    expect(of(201, JSON.stringify({ ...more, reference: 'PA-7712' }))).toEqual(unclear(201, 'no call id', 'PA-7712'));
    expect(of(201, JSON.stringify({ ...more, reference: ID }))).toEqual(unclear(201, 'no call id', ID));
    expect(of(500, JSON.stringify({ ...more, reference: 'PA-7712' }))).toEqual(unclear(500));
    expect(of(201, JSON.stringify(more))).toEqual(unclear(201));
  });

  test('shows ids again that an earlier answer showed in the same place', () => {
    const body = `{"id":"${ID}","related":[{"id":"${OTHER}"}]}`;
    expect(of(201, body, { again: [OTHER] })).toEqual({ ...placed(ID), again: [OTHER] });
    expect(of(201, body, { again: [OTHER, ID] })).toEqual({ kind: 'repeated', ids: [ID, OTHER], again: [ID, OTHER] });
    expect(of(201, body, { placed: [OTHER] })).toEqual(placed(ID));
  });

  test('has only the id that stands where that of a call stood which was hung up, if there is one', () => {
    const body = `{"request_id":"request","data":{"id":"${ID}"}}`;
    expect(of(201, body, { likely: '/data/id' })).toEqual(placed(ID));
    expect(of(201, body, { likely: '/elsewhere' })).toEqual(placed('request', ID));
  });

  test('has at most eight candidates', () => {
    const outcome = of(201, Array.from({ length: 5_000 }, (_, at) => `{"id":"call-${at}"}`).join(''));
    expect(outcome.kind === 'placed' && outcome.ids).toEqual(Array.from({ length: 8 }, (_, at) => `call-${at}`));
  });

  test.each([200, 201, 204, 303, 500])('may have been placed by %i that shows no id', (status) => {
    expect(of(status, '{"ok":true}x')).toEqual(unclear(status));
    expect(of(status, Buffer.from([0xff, 0x7b, 0x22, 0xc3]))).toEqual(unclear(status));
  });
});
