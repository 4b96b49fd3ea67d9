/** A request as it leaves: its fields, its path, and its number. */

import { expect, test } from 'vitest';
import type { Place, SuiteRequest } from '../../../src/client/request.ts';
import { Order, outgoing, type WireOptions } from '../../../src/client/wire.ts';

const REQUEST = {
  method: 'GET',
  path: '/v1/trunks/',
  credential: 'valid',
  role: 'probe',
  control: false,
} as SuiteRequest;
const PLACE: Place = { sequence: 's', attempt: 0 };
const OPTIONS = {
  ...{ prefix: '/p', userAgent: 'suite', seed: 1, caseHeader: false },
  credentials: { valid: { header: 'Bearer a' }, none: {}, query: { query: 'access_token=a' }, revoked: null },
} as unknown as WireOptions;

const sent = (
  request: Partial<SuiteRequest> = {},
  place: Partial<Place> = {},
  options: Partial<WireOptions> = {},
  nth = 1,
) =>
  outgoing(
    { request: { ...REQUEST, contentType: null, ...request }, place: { ...PLACE, ...place } },
    { ...OPTIONS, ...options },
    nth,
  ).wire;
const CONTROL = { role: 'control', control: true } as const;
const OTHER_AGENT = { extraHeaders: [['user-agent', 'QA']] } as const;

test.each<readonly [string, Parameters<typeof sent>, fields: string]>([
  ['without a form', [], 'User-Agent Accept Authorization'],
  ['without a credential', [{ credential: 'none' }], 'User-Agent Accept'],
  ['with a label', [{ contentType: 'a/b' }], 'User-Agent Accept Authorization Content-Type'],
  ['with what it accepts itself', [{ headers: [['Accept', 'a/b']] }], 'User-Agent Accept Authorization'],
  ['with another agent', [{}, {}, OTHER_AGENT], 'Accept user-agent Authorization'],
  ['that accepts nothing', [{}, { form: 'no-accept' }], 'User-Agent Authorization'],
  ['that accepts nothing, beside another', [{ role: 'beside' }, { form: 'no-accept' }], 'User-Agent Authorization'],
  ['that is a control', [CONTROL, { form: 'no-accept' }], 'User-Agent Accept Authorization'],
  ['that is a control and asks for its form', [{ ...CONTROL, form: 'no-accept' }], 'User-Agent Authorization'],
  ['that may be packed', [{}, { form: 'gzip' }], 'User-Agent Accept Accept-Encoding Authorization'],
  ['in lower case', [{}, { form: 'lower-case' }], 'user-agent accept authorization'],
])('a request %s', (_, given, fields) => {
  expect(
    sent(...given)
      .headers.map(([name]) => name)
      .join(' '),
  ).toBe(fields);
});

test('the name of a request hides what it is, and is the same for the same place', () => {
  const named = (place: Partial<Place>) => sent({}, place, { caseHeader: true }).headers.slice(2, 4);
  expect(named({})).toEqual([
    ['X-Conformance-Case', expect.stringMatching(/^[0-9a-f]{16}$/)],
    ['traceparent', expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)],
  ]);
  expect([named({}), named({ attempt: 1 })[0]]).toEqual([named({}), named({})[0]]);
  expect(named({ attempt: 1 })[1]).not.toEqual(named({})[1]);
});

test('a credential goes into the query behind what is there, and one that cannot be made is not sent', () => {
  const path = (path: string) => sent({ path, credential: 'query' }).path;
  expect([path('/v1/a'), path('/v1/a?b')]).toEqual(['/p/v1/a?access_token=a', '/p/v1/a?b&access_token=a']);
  expect(() => sent({ credential: 'revoked' })).toThrow('the credential cannot be made in the form "revoked"');
});

test('what is sent again keeps its number, and with it what is drawn', () => {
  const [order, more] = [new Order(), { ...REQUEST }];
  const of = (request: SuiteRequest, replaces?: number) =>
    order.of({ request, place: replaces === undefined ? PLACE : { ...PLACE, replaces } });
  expect([of(REQUEST), of(more), of(REQUEST, 1), of(REQUEST)]).toEqual([1, 2, 1, 3]);
  const drawn = (nth: number) => sent({}, {}, { extraHeaders: [['A', 'run-{uuid}']] }, nth).headers[2]?.[1];
  expect([drawn(1), drawn(1) === drawn(2)]).toEqual([expect.stringMatching(/^run-[0-9a-f-]{36}$/), false]);
});
