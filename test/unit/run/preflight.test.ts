/** The first answers say whether it is the service at all. */

import { expect, test } from 'vitest';
import type { Answer } from '../../../src/client/request.ts';
import { Preflight } from '../../../src/run/preflight.ts';

function answer(status: number | null, type = 'application/json'): Answer {
  const accepted = status !== null && status < 300;
  const response = status === null ? null : { status, headers: [['Content-Type', type]], body: null };
  const failure = status === null ? { kind: 'reset', detail: 'the connection was reset' } : null;
  return { status, accepted, exchange: { response, failure } } as unknown as Answer;
}

function sentences(answers: readonly Answer[], baseUrl = 'https://staging.example.com'): readonly (string | null)[] {
  const preflight = new Preflight(baseUrl);
  return answers.map((one) => preflight.note(one));
}

test('three that fail alike end the run, also behind one that a network swallowed', () => {
  const [, , , fourth] = sentences([answer(null), answer(401), answer(401), answer(401)]);
  expect(fourth).toContain('check PCS_ACCESS_TOKEN');
});

test('three that fail in different ways do not, nor do any after one that was accepted', () => {
  expect(sentences([answer(null), answer(401), answer(404)])).toEqual([null, null, null]);
  expect(sentences([answer(200), answer(401), answer(401), answer(401)])).toEqual([null, null, null, null]);
});

test.each([
  [500, 'is broken or unavailable (status 500'],
  [502, 'is broken or unavailable (status 502'],
  [200, 'is a web site'],
  [404, 'is a web site'],
])('HTML with status %i', (status, words) => {
  const page = answer(status, 'text/html');
  expect(sentences([page, page, page])[2]).toContain(words);
});

test.each([
  ['https://staging.example.com', 'asks for a client certificate (--cert and --key)'],
  ['http://staging.example.com', 'speaks TLS (write https in PCS_BASE_URL)'],
])('connections to %s that just end', (baseUrl, words) => {
  expect(sentences([answer(null), answer(null), answer(null)], baseUrl)[2]).toContain(words);
});
