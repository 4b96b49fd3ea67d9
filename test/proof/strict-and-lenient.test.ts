/** A strict service and a lenient one are asked equally much (conformance model, section 2). */

import { expect, test } from 'vitest';
import type { Inject } from '../../fixtures/faults/fault.ts';
import { rejected } from '../../fixtures/faults/replies.ts';
import { all, authorized, membersOf, on, type Visit } from '../../fixtures/faults/visit.ts';
import { hearing, instead } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { BOUNDARY } from '../../src/verdict/record.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const WORDS = ['digest', 'inbound', 'outbound', 'both', 'bidirectional', 'active', 'inactive', 'rfc2833', 'none'];
const isWord = (value: unknown): boolean => typeof value !== 'string' || WORDS.includes(value);
const isPlain = (value: unknown): boolean => typeof value !== 'string' || /^[\x20-\x7e]{1,100}$/.test(value);

/** Knows few words for a field with an enumeration, and takes short texts of ASCII elsewhere. */
const strict: Inject = instead(
  all(on('updateTrunk', 'setInboundAuth', 'createCall'), authorized, (visit) => {
    const { method, direction, status, dtmf_mode, media_encryption, ...others } = membersOf(visit);
    const words = [method, direction, status, dtmf_mode, media_encryption];
    return !words.every(isWord) || !Object.values(others).every(isPlain);
  }),
  () => rejected(400, 'invalid'),
);

/** The boundary questions of a run by operation, answered or not, and its verdict. */
async function asked(inject?: Inject) {
  const { service, settings } = createReference();
  const { record, results } = await judge(inject?.(service, settings) ?? service, optionsFrom(settings));
  const questions = new Set<string>();
  const answered = new Set<string>();
  for (const { tag, response } of record.exchanges) {
    const own = tag.asks.filter(({ id }) => id === BOUNDARY).map(({ variation }) => `${tag.operation} ${variation}`);
    const isAccepted = response !== null && response.status < 300;
    for (const one of own) {
      questions.add(one);
      if (isAccepted || own.length === 1) answered.add(one);
    }
  }
  return { answered, open: [...questions].filter((one) => !answered.has(one)), results, record };
}

test('a strict service is asked every boundary value that a lenient one is asked, within the requests of a run', async () => {
  const [lenient, few] = [await asked(), await asked(strict)];
  expect([...lenient.answered].filter((one) => !few.answered.has(one))).toEqual([]);
  expect([lenient.open, few.open]).toEqual([[], []]);
  expect([lenient.results.verdict, few.results.verdict]).toEqual(['conformant', 'conformant']);
  expect(few.record.exchanges.length).toBeGreaterThan(lenient.record.exchanges.length);
  expect(few.record.exchanges.length).toBeLessThan(1_200);
});

/** Takes any create call that is labelled text/plain, as a framework does that validates what it parsed as JSON alone. */
const unparsed: Inject = (service, settings) => {
  const body = new TextEncoder().encode(JSON.stringify({ from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO }));
  const isText = ({ request }: Visit): boolean => request.headers['content-type']?.startsWith('text/plain') === true;
  return hearing(all(on('createCall'), isText), ({ request }) => ({
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body,
  }))(service, settings);
};

test('a service that reads no body labelled text/plain is warned of that alone', async () => {
  const { results } = await asked(unparsed);
  const warned = results.requirements.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
  expect([results.verdict, warned]).toEqual(['conformant', ['CONTENT-TYPE-OTHER']]);
});
