/** What a record says of an answer in two ways agrees, and an edit of one of them is noticed. */

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AnswerFacts } from '../../../src/certificate/answer-facts.ts';
import { keyedDigest } from '../../../src/exchange/digest.ts';
import type { Exchange, RecordedBody, RecordedResponse } from '../../../src/exchange/exchange.ts';
import { bodyFacts } from '../../../src/exchange/facts.ts';
import { isObject } from '../../../src/exchange/json-text.ts';
import { watchedIds } from '../../../src/run/options.ts';
import { recordedOptions } from '../../../src/run/rerun.ts';
import { certification } from './certified.ts';

const { record } = await certification();
const watch = watchedIds(recordedOptions(record));

const find = (matches: (response: RecordedResponse, exchange: Exchange) => boolean): Exchange => {
  const found = record.exchanges.find((one) => one.response !== null && matches(one.response, one));
  if (found === undefined) throw new Error('the record has no such exchange');
  return found;
};
const error = find(({ status, body }) => status === 400 && body?.text !== undefined);
const read = find(({ learned }, { tag }) => tag.operation === 'getTrunk' && learned?.fields?.['name'] !== undefined);
const placed = find(({ learned }) => learned?.create === 'placed');

const answered = (one: Exchange, changes: Partial<RecordedResponse>): Exchange =>
  one.response === null ? one : { ...one, response: { ...one.response, ...changes } };
const withBody = (one: Exchange, changes: Partial<RecordedBody>): Exchange =>
  answered(one, { body: one.response?.body ? { ...one.response.body, ...changes } : null });

/** The first contradiction of the record with one exchange replaced. */
function contradiction(edited: Exchange): string | null {
  const facts = new AnswerFacts(watch);
  const clauses = record.exchanges.map((one) => facts.contradictionIn(one.seq === edited.seq ? edited : one));
  return clauses.find((clause) => clause !== null) ?? null;
}

describe('a record', () => {
  test('does not contradict itself', () => {
    expect(contradiction(error)).toBeNull();
  });

  test.each(['"an error"', '404', '"é"'])('does not contradict itself with %s for a whole body', (text) => {
    const how = { keepText: true, keepWhole: true, redact: (same: string) => same, watch: new Map<string, string>() };
    const body = bodyFacts(Buffer.from(text), { ...how, digest: keyedDigest(randomBytes(16)) });
    expect(body.members).toHaveLength(1);
    expect(contradiction(withBody(error, body))).toBeNull();
  });

  test.each([
    [
      'an error that is not JSON',
      withBody(error, { json: 'invalid', reason: 'it is empty' }),
      'do not follow from its',
    ],
    ['an error with other members', withBody(error, { members: [] }), 'facts do not follow'],
    ['an error of another length', withBody(error, { length: 1 }), 'facts do not follow'],
    ['an error with another digest', withBody(error, { digest: read.response?.body?.digest ?? '' }), 'digests'],
    ['an error cut short', withBody(error, { cut: true }), 'without being long'],
    ['an error shortened', withBody(error, { pruned: true, text: '{}' }), 'without being long'],
    ['an error that mentions a trunk', withBody(error, { mentions: ['PCS_TRUNK_ID'] }), 'facts do not follow'],
    ['a success with a text', withBody(read, { text: '{}' }), 'of errors alone'],
    ['a leak in the text alone', withBody(error, { text: '{"error":"⟦inbound secret, base64⟧"}' }), 'no leak'],
    ['a leak in a header alone', answered(error, { headers: [['X-Echo', '⟦credential⟧']] }), 'no leak'],
    ['a call that was placed and counts as rejected', answered(placed, { learned: { create: 'rejected' } }), 'counts'],
    [
      'another name that was learned',
      answered(read, { learned: { fields: { ...read.response?.learned?.fields, name: 'Another trunk' } } }),
      'is not what was learned',
    ],
  ])('with %s does', (_, edited, clause) => {
    expect(contradiction(edited)).toContain(clause);
  });

  test('with an error without its text does', () => {
    const { text: _, ...body } = error.response?.body ?? {};
    expect(isObject(body)).toBe(true);
    expect(contradiction(answered(error, { body: body as RecordedBody }))).toContain('of each of them');
  });

  test('may hold a short secret as a whole string, and a part of a secret, without a leak', () => {
    const short = '{"error":"⟦configured inbound secret⟧","more":"x⟦credential, base64, in part⟧"}';
    expect(contradiction(withBody(error, { text: short }))).toBeNull();
  });
});
