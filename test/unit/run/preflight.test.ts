/** The first answers say whether it is the service at all. */

import { expect, test } from 'vitest';
import type { Answer } from '../../../src/client/request.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { firstReads, preflight } from '../../../src/run/preflight.ts';

function answer(status: number | null, type = 'application/json', pointer = ''): Answer {
  const accepted = status !== null && status < 300;
  const body = { json: 'valid', members: [{ pointer, type: 'object' }] };
  const response = status === null ? null : { status, headers: [['Content-Type', type]], body };
  const failure = status === null ? { kind: 'reset', detail: 'the connection was reset' } : null;
  return { status, accepted, exchange: { response, failure } } as unknown as Answer;
}

const READS = firstReads({ without: [] });
const baseUrl = 'https://staging.example.com';

/** Answers the reads in order, and an undocumented route with 404 unless it is said; notes what is sent. */
async function look(
  answers: readonly Answer[],
  {
    reads = READS,
    url = baseUrl,
    route = answer(404),
  }: { reads?: readonly OperationId[]; url?: string; route?: Answer } = {},
) {
  const sent: (OperationId | null)[] = [];
  const left = [...answers];
  const outcome = await preflight(reads, { baseUrl: url, hasGatewayHeader: false }, async (read) => {
    sent.push(read);
    return read === null ? route : (left.shift() ?? answer(200));
  });
  return { outcome, sent };
}

const sentenceOf = async (...input: Parameters<typeof look>): Promise<string> => {
  const { outcome } = await look(...input);
  return 'end' in outcome ? outcome.end : '';
};

test('three that fail alike end the run, also behind one that a network swallowed', async () => {
  expect(await sentenceOf([answer(null), answer(401), answer(401), answer(401)])).toContain('check PCS_');
});

test('one that is accepted shows the service, unless an undocumented route is answered alike', async () => {
  expect(await look([answer(403)])).toEqual({
    outcome: { healthCheck: 'listNumbers' },
    sent: ['listTrunks', 'listNumbers', null],
  });
  const [list, catchAll] = [answer(200, 'application/json', '/data'), answer(200)];
  expect((await look([catchAll, list], { route: catchAll })).outcome).toEqual({ healthCheck: 'listNumbers' });
  expect(await sentenceOf([catchAll, catchAll, answer(404), answer(503), answer(401)], { route: catchAll })).toContain(
    'answers an undocumented path just as it answers listTrunks',
  );
});

test('reads that fail in different ways show nothing, and a lost one is sent again', async () => {
  const different = READS.map((_, at) => answer([404, 401, 429, 403, 400][at % 5] ?? 404));
  expect(await sentenceOf(different)).toContain('accepts none of the reads');
  expect((await look([answer(null), ...different.slice(1)])).outcome).toEqual({ healthCheck: 'listTrunks' });
});

test('only what --without leaves is sent', async () => {
  const without = READS.filter((id) => id !== 'searchAvailableNumbers');
  const reads = firstReads({ without });
  expect((await look([answer(null)], { reads })).sent).toEqual([
    'searchAvailableNumbers',
    'searchAvailableNumbers',
    null,
  ]);
  expect(await sentenceOf([answer(401)], { reads })).toContain('check PCS_');
});

test.each([
  [500, 'is broken or unavailable (status 500'],
  [502, 'is broken or unavailable (status 502'],
  [200, 'is a web site'],
  [404, 'is a web site'],
  [403, 'let it allow the address of this machine'],
])('HTML with status %i', async (status, words) => {
  const page = answer(status, 'text/html');
  expect(await sentenceOf([page, page, page])).toContain(words);
});

test('three JSON errors with a status that means nothing are told by that status', async () => {
  expect(await sentenceOf([answer(418), answer(418), answer(418)])).toMatch(
    /^every read fails in the same way \(status 418\): https:\/\/staging/,
  );
});

test.each([
  ['https://staging.example.com', 'asks for a client certificate (--cert)'],
  ['http://staging.example.com', 'speaks TLS (write https in PCS_BASE_URL)'],
])('connections to %s that just end', async (url, words) => {
  expect(await sentenceOf([answer(null), answer(null), answer(null)], { url })).toContain(words);
});
