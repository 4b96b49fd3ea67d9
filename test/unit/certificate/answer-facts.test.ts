/** What a record says of an answer in two ways agrees, and an edit of one of them is noticed. */

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AnswerFacts, misdated, RedactedTexts } from '../../../src/certificate/answer-facts.ts';
import { keyedDigest } from '../../../src/exchange/digest.ts';
import type { Exchange, RecordedBody, RecordedResponse } from '../../../src/exchange/exchange.ts';
import { bodyFacts } from '../../../src/exchange/facts.ts';
import { isObject } from '../../../src/exchange/json-text.ts';
import { certification } from './certified.ts';

const { record } = await certification();

const find = (matches: (response: RecordedResponse, exchange: Exchange) => boolean): Exchange => {
  const found = record.exchanges.find((one) => one.response !== null && matches(one.response, one));
  if (found === undefined) throw new Error('the record has no such exchange');
  return found;
};
const findLast = (matches: (response: RecordedResponse, exchange: Exchange) => boolean): Exchange => {
  const found = record.exchanges.findLast((one) => one.response !== null && matches(one.response, one));
  if (found === undefined) throw new Error('the record has no such exchange');
  return found;
};
const error = find(({ status, body }) => status === 400 && body?.text !== undefined);
const read = findLast(
  ({ learned }, { tag }) => tag.operation === 'getTrunk' && learned?.fields?.['name'] !== undefined,
);
const placed = find(({ learned }) => learned?.create === 'placed');

const answered = (one: Exchange, changes: Partial<RecordedResponse>): Exchange =>
  one.response === null ? one : { ...one, response: { ...one.response, ...changes } };
const withBody = (one: Exchange, changes: Partial<RecordedBody>): Exchange =>
  answered(one, { body: one.response?.body ? { ...one.response.body, ...changes } : null });

/** The first contradiction of the record with one exchange replaced. */
function contradiction(edited: Exchange): string | null {
  const [facts, redacted] = [new AnswerFacts(record), new RedactedTexts(record)];
  const all = record.exchanges.map((one) => (one.seq === edited.seq ? edited : one));
  const clauses = all.map((one) => redacted.contradictionIn(one) ?? facts.contradictionIn(one));
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
    expect(contradiction(withBody(error, { text: short }))).toBe('the inbound-secret stands in it, and no leak');
    const restored = record.exchanges.findLast(
      ({ request }) => request.body?.text?.includes('⟦configured inbound') === true,
    );
    const digest = restored?.request.body?.members.find(({ pointer }) => pointer === '/secret')?.digest ?? '';
    const members = [...(error.response?.body?.members ?? []), { pointer: '/short', type: 'string', digest } as const];
    // Only a witness knows that it was a part.
    const edited = withBody(error, { text: short, members, digest: 'another' });
    expect(contradiction(edited)).toContain('only a witness');
    const request = { ...error.request, credential: 'middle-changed' } as const;
    expect(contradiction({ ...edited, request })).toBeNull();
  });

  test.each(['redacted', 'credential, sealed', 'constructor', 'cookie', 'byte ff', 'name', 'header X-Key', ''])(
    'with the placeholder ⟦%s⟧ does',
    (inside) => {
      const text = `{"error":"⟦${inside}⟧"}`;
      expect(contradiction(withBody(error, { text, digest: 'another' }))).toBe(
        `"⟦${inside}⟧" stands for no secret of this run`,
      );
    },
  );

  test('does not contradict itself with a cookie and with bytes that are not UTF-8', () => {
    expect(contradiction(answered(error, { headers: [['Set-Cookie', '⟦cookie⟧']] }))).toBeNull();
    expect(contradiction(answered(error, { headers: [['Set-Cookie', '⟦cookie⟧⟦credential⟧']] }))).toContain('no leak');
    const how = { keepText: true, redact: (same: string) => same, watch: new Map<string, string>() };
    const body = bodyFacts(Buffer.from([0x7b, 0xff, 0x7d]), { ...how, digest: keyedDigest(randomBytes(16)) });
    expect(body.text).toBe('{⟦byte ff⟧}');
    expect(contradiction(withBody(error, body))).toBeNull();
    expect(contradiction(withBody(error, { ...body, length: 4 }))).toContain('do not follow from its text');
  });

  test('with an inbound secret that the response shows by its digest alone does', () => {
    const set = record.exchanges.find(({ request }) => request.body?.text?.includes('"⟦inbound secret⟧"') === true);
    const digest = set?.request.body?.members.find(({ pointer }) => pointer === '/secret')?.digest ?? '';
    const body = read.response?.body;
    const members = [...(body?.members ?? []), { pointer: '/secret', type: 'string', digest } as const];
    const shown = withBody(read, { members, digest: 'another' });
    expect(contradiction(shown)).toBe('the inbound secret stands in it, by its digest, and no leak');
    const leaks = [{ secret: 'inbound-secret', encoding: 'raw', where: 'body' }] as const;
    expect(contradiction(answered(shown, { leaks }))).toBeNull();
  });

  test.each([
    ['no body', { body: null }, '91', 'its Content-Length is 91, and its body has 0 bytes'],
    ['a longer body', {}, '167', 'its Content-Length is 167, and its body has 91 bytes'],
    ['its own length', {}, '91', null],
    ['a length that is none', {}, '9e1', null],
  ])('with a Content-Length and %s', (_, changes, length, clause) => {
    const sized = [...(error.response?.headers ?? []), ['Content-Length', length] as const];
    expect(error.response?.body?.length).toBe(91);
    expect(contradiction(answered(error, { headers: sized, ...changes }))).toBe(clause);
  });

  test.each([
    ['is no JSON, and has members', { json: 'invalid', reason: 'it is markup' }],
    ['is JSON, and has no members', { members: [] }],
    ['is JSON, and says why it is none', { reason: 'it is empty' }],
    [
      'has a member of no object',
      {
        members: [
          { pointer: '', type: 'array' },
          { pointer: '/a', type: 'null' },
        ],
      },
    ],
    ['is shorter than its members', { length: 2 }],
  ] as const)('with a success body that %s does', (_, changes) => {
    expect(contradiction(withBody(read, { ...changes, digest: 'another' }))).toContain('its members do not agree');
  });

  test('with two accounts of the same body does', () => {
    expect(contradiction(withBody(read, { mentions: [] }))).toContain('another answer with the same body');
  });
});

describe('the dates of a target', () => {
  const START = Date.parse('2026-01-31T12:00:00Z');
  /** One request a second, each answered within it; `ahead`: milliseconds by which the clock of the target is ahead. */
  const dated = (ahead: (at: number) => number): readonly Exchange[] =>
    Array.from({ length: 20 }, (_, at) => ({
      ...answered(error, { headers: [['Date', new Date(START + at * 1000 + 50 + ahead(at)).toUTCString()]] }),
      ...{ seq: at + 1, at: at * 1000, took: 100 },
    }));

  test.each([
    ['agree with the run', () => 0, undefined],
    ['agree with a clock that is an hour ahead', () => 3_600_000, undefined],
    ['agree with two machines a second apart', (at: number) => (at % 2) * 1000, undefined],
    ['show an answer that is eight seconds older', (at: number) => (at === 10 ? -8000 : 0), 11],
    ['show an answer that came later', (at: number) => (at === 10 ? 8000 : 0), 11],
    ['belong to another year', () => -31_536_000_000, 1],
  ] as const)('%s', (_, ahead, seq) => {
    expect(misdated(dated(ahead), START)?.seq).toBe(seq);
  });
});
