/** Create calls that get no response: they cannot be repeated, and say something together. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Transport } from '../../../src/exchange/message.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../../selftest/harness.ts';
import { casesOf, isBroken } from '../../selftest/judged.ts';

const CREATING = narrowed('RESPONSE-COMPLETE/createCall', 'CALL-CREATE-MINIMAL', 'CALL-CREATE-IDS');

/** A run against the reference behind a server that ends each connection after 30 s, with calls that dial for 35. */
async function cut(isCut: (nth: number) => boolean) {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const toService = transportTo(service);
  let placed = 0;
  const transport: Transport = async (request) => {
    const outcome = await toService(request);
    if (!/^\/v1\/calls\/?$/.test(request.path) || outcome.kind !== 'answer' || outcome.status !== 201) return outcome;
    placed += 1;
    await clock.sleep(30_000);
    if (!isCut(placed)) return outcome;
    return { kind: 'failure', failure: 'reset', detail: 'the connection ended before a response came' };
  };
  const { results } = await judge(service, optionsFrom(settings, CREATING), clock, transport);
  const complete = casesOf(results).find(({ id }) => id === 'RESPONSE-COMPLETE/createCall');
  return { results, complete, broken: casesOf(results).filter(isBroken) };
}

test('two create calls without a response, and none with one, are a finding that says what they share', async () => {
  const { results, complete, broken } = await cut(() => true);
  expect([results.verdict, broken.map(({ id }) => id)]).toEqual(['non-conformant', ['RESPONSE-COMPLETE/createCall']]);
  expect(complete?.reason).toContain('the connection ended before a response came (after 30 s both times)');
  expect(results.intermittent).toEqual([]);
});

test('one beside others that are answered is no finding', async () => {
  const { broken } = await cut((nth) => nth === 1);
  expect(broken).toEqual([]);
});
