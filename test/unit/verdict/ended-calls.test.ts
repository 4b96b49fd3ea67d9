/** Calls that are over before they are hung up: an unauthorized caller ended them, or they ended by themselves. */

import { expect, test } from 'vitest';
import { ENVELOPE, json } from '../../../fixtures/null/replies.ts';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { casesOf } from '../../selftest/judged.ts';

/** The calls at these places in the order of hang-ups have ended by themselves before they are hung up. */
function endingByThemselves(service: Service, isEnded: (place: number) => boolean): Service {
  const calls: string[] = [];
  return async (request) => {
    const reply = await service(request);
    const [, call] = /^\/v1\/calls\/([^/]+)\/hangup$/.exec(request.target) ?? [];
    if (call === undefined || reply.status >= 300) return reply;
    if (!calls.includes(call)) calls.push(call);
    if (!isEnded(calls.indexOf(call))) return reply;
    return json(409, ENVELOPE);
  };
}

async function judgedWhere(isEnded: (place: number) => boolean) {
  const { service, settings } = createReference();
  // A ringing call that is answered and hung up would show that hang up works.
  const { ringingCallId: _, ...options } = optionsFrom(settings, narrowed('ORG-ISOLATION', 'SUCCESS-STATUS'));
  const { results } = await judge(endingByThemselves(service, isEnded), options);
  const hangUp = casesOf(results).filter(({ id }) => /^(ORG-ISOLATION|SUCCESS-STATUS)\/hangUpCall$/.test(id));
  return { results, verdicts: Object.fromEntries(hangUp.map(({ id, verdict }) => [id, verdict])) };
}

test('another call shows what the first could not, and nothing fails', async () => {
  const { verdicts } = await judgedWhere((place) => place === 0);
  expect(verdicts).toEqual({ 'ORG-ISOLATION/hangUpCall': 'pass', 'SUCCESS-STATUS/hangUpCall': 'pass' });
});

test.each([
  ['the first two and a later one', (place: number) => [0, 1, 4].includes(place)],
  ['all', () => true],
])('where %s end by themselves, the target does not fail for it', async (_, isEnded) => {
  const { results, verdicts } = await judgedWhere(isEnded);
  expect(results.verdict).not.toBe('non-conformant');
  expect(verdicts['ORG-ISOLATION/hangUpCall']).not.toBe('fail');
});
