/** Which answers to create call placed no call, which placed one, and which may have. */

import { describe, expect, test } from 'vitest';
import { type CreateOutcome, createOutcome } from '../../../src/client/safety/create-outcome.ts';
import type { FailureKind } from '../../../src/exchange/exchange.ts';
import type { Header } from '../../../src/exchange/message.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const ENVELOPE = '{"success":false,"error":{"code":"no","message":"No."}}';
/** The id of the trunk comes first, and is not that of the call. */
const CALL = `{"success":true,"trunk":{"id":"${OTHER}"},"data":{"id":"${ID}"}}`;
const REJECTED = { kind: 'rejected' };
const placed = (...ids: readonly string[]) => ({ kind: 'placed', ids });
const unclear = (status: number, what = 'no call id') => ({ kind: 'unclear', detail: `status ${status} and ${what}` });

interface Answer {
  readonly headers?: readonly Header[];
  readonly cut?: boolean;
  readonly path?: string;
  readonly seen?: readonly string[];
}

function of(status: number, body: string | Uint8Array, answer: Answer = {}): CreateOutcome {
  const { headers = [], cut = false, path = '/v1/calls/', seen = [] } = answer;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return createOutcome({ kind: 'answer', status, headers, body: bytes, cut }, path, (id) => seen.includes(id));
}

describe('a clean rejection', () => {
  test.each([400, 401, 403, 404, 408, 409, 413, 422, 425, 429])(
    'is %i with an empty body or one JSON value',
    (status) => {
      const bodies = ['', ' \r\n', ENVELOPE, ` ${ENVELOPE}\n`, `\ufeff${ENVELOPE}`, '"no"', 'null', '[]', CALL];
      expect(bodies.map((body) => of(status, body))).toEqual(bodies.map(() => REJECTED));
    },
  );

  test.each([400, 401, 404, 409, 429])('is not %i with anything else', (status) => {
    for (const body of [
      'no',
      '<html>',
      `${ENVELOPE}x`,
      `${ENVELOPE}{}`,
      ENVELOPE.slice(0, -1),
      '\0',
      'NaN',
      "{'a':1}",
    ]) {
      expect(of(status, body)).toEqual(unclear(status));
    }
    expect(of(status, ENVELOPE, { cut: true })).toEqual(unclear(status));
    expect(of(status, `"${'x'.repeat(262_144)}" "`)).toEqual(unclear(status));
  });

  test('may be longer than a text that is parsed, and nested as deep as it likes', () => {
    expect(of(400, `{"success":false,"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toEqual(REJECTED);
    expect(of(400, `${'['.repeat(200_000)}${']'.repeat(199_999)}`)).toEqual(unclear(400));
  });

  test('is 503 with the envelope, and with nothing else', () => {
    expect(of(503, ENVELOPE)).toEqual(REJECTED);
    const others = ['', '{}', 'null', 'upstream connect error', '{"success":false}', `${ENVELOPE} `.repeat(2), CALL];
    expect(others.map((body) => of(503, body).kind)).toEqual([...Array(6).fill('unclear'), 'placed']);
    expect(of(503, '{"success":false,"error":{"code":1,"message":"No."}}')).toEqual(unclear(503));
    expect(of(503, '{"success":true,"error":{"code":"no","message":"No."}}')).toEqual(unclear(503));
  });

  test.each([301, 307, 308])('is %i to the other slash form', (status) => {
    const to = (location: string, path: string) =>
      of(status, '<a>Moved</a>', { headers: [['location', location]], path });
    expect(to('/v1/calls/', '/v1/calls')).toEqual(REJECTED);
    expect(to('https://a.example/api/v1/calls/?a=b', '/api/v1/calls')).toEqual(REJECTED);
    expect(to('/v1/calls', '/v1/calls/')).toEqual(REJECTED);
    expect(to('/v1/calls/', '/v1/calls/')).toEqual(unclear(status));
    expect(to('/login', '/v1/calls')).toEqual(unclear(status));
    expect(to(`/v1/calls/${ID}`, '/v1/calls')).toEqual(placed(ID));
    expect(of(status, CALL, { headers: [['Location', '/v1/calls/']], path: '/v1/calls' })).toEqual(placed(ID));
  });

  test.each([302, 303])('is not %i, wherever it leads', (status) => {
    expect(of(status, '', { headers: [['Location', '/v1/calls/']], path: '/v1/calls' })).toEqual(unclear(status));
  });

  test.each([404, 405])('is %i as text on the other slash form, where a lawful router may say so', (status) => {
    const page = '<style>p { color: red }</style>Cannot POST /v1/calls';
    expect(of(status, page, { path: '/v1/calls' })).toEqual(REJECTED);
    expect(of(status, page)).toEqual(unclear(status));
    expect(of(status, `${ENVELOPE}x`, { path: '/v1/calls' })).toEqual(unclear(status));
    expect(of(status, `no ${CALL}`, { path: '/v1/calls' })).toEqual(placed(ID));
    expect(of(400, page, { path: '/v1/calls' })).toEqual(unclear(400));
  });
});

describe('a call', () => {
  test.each([200, 201, 202, 303, 500, 502])('is placed by %i with an id', (status) => {
    expect(of(status, CALL)).toEqual(placed(ID));
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
    expect([of(400, body), of(201, body)]).toEqual([placed(ID), placed(ID)]);
  });

  const BARE = `{"id":"${ID}"}`;
  test.each([
    ['a call that is cut short', `${ENVELOPE}${BARE.slice(0, -1)}`],
    ['a call that is not JSON', `{'ok':1,"id":"${ID}"}`],
    ['a call behind 400 KiB of blanks', `${ENVELOPE}${' '.repeat(400_000)}${BARE}`],
    ['a call behind two million nested arrays', `${'['.repeat(2_000_000)}${BARE}`],
  ])('is found as text in %s', (_what, body) => {
    expect([of(400, body), of(201, body)]).toEqual([placed(ID), placed(ID)]);
  });

  test('has the likeliest id first: Location, then inner objects, then outer ones', () => {
    const body = `{"id":"request","data":{"id":"call"}}{"call":{"id":"${OTHER}"}}`;
    const headers: readonly Header[] = [['Location', `/v1/calls/${ID}`]];
    expect(of(201, body, { headers })).toEqual(placed(ID, 'call', 'request', OTHER));
  });

  test('has none of the ids that an earlier answer showed', () => {
    const body = `{"id":"${ID}","call":{"id":"${OTHER}"}}`;
    expect(of(201, body, { seen: [OTHER] })).toEqual(placed(ID));
    expect(of(201, body, { seen: [OTHER, ID] })).toEqual(unclear(201, 'no call id that is new'));
  });

  test('has at most eight candidates', () => {
    const outcome = of(201, Array.from({ length: 5_000 }, (_, at) => `{"id":"call-${at}"}`).join(''));
    expect(outcome.kind === 'placed' && outcome.ids).toEqual(Array.from({ length: 8 }, (_, at) => `call-${at}`));
  });

  test.each([200, 201, 204, 303, 400, 500])('may have been placed by %i that shows no id', (status) => {
    expect(of(status, '{"ok":true}x')).toEqual(unclear(status));
    expect(of(status, Buffer.from([0xff, 0x7b, 0x22, 0xc3]))).toEqual(unclear(status));
  });
});

describe('no complete response', () => {
  const failed = (failure: FailureKind, status?: number) =>
    createOutcome(
      { kind: 'failure', failure, detail: 'why', ...(status === undefined ? {} : { status }) },
      '/v1/calls/',
      () => false,
    );

  test.each(['refused', 'unresolved', 'tls'] as const)('%s: it never reached the target', (failure) => {
    expect(failed(failure)).toEqual({ kind: 'unsent' });
  });

  test.each(['reset', 'timeout', 'malformed', 'short', 'too-large'] as const)(
    '%s: it may have placed a call',
    (failure) => {
      const expected = { kind: 'unclear', detail: 'no complete response (why)' };
      expect([failed(failure), failed(failure, 400)]).toEqual([expected, expected]);
    },
  );
});
