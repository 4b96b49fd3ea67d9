/** A target that limits how many calls may be placed is accused of nothing, and what stays open says so. */

import { expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, isBroken, isMust } from '../selftest/judged.ts';

test.each([
  [402, /limits how many calls may be placed/],
  // Six create calls that are put off end the calls of a run, whatever the status.
  [429, /run again (?:later|when the target places calls)/],
])('a quota of seven calls, and %i beyond', async (status, says) => {
  const { service, settings, inspect } = createReference();
  const limiting: Service = async (request) => {
    const isCreate = request.method === 'POST' && request.target === '/v1/calls/';
    const isOurs = request.headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`;
    return isCreate && isOurs && inspect().callsAccepted >= 7 ? json(status, ENVELOPE) : service(request);
  };
  const { results } = await judge(limiting, optionsFrom(settings));
  const cases = casesOf(results);
  expect(cases.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  const open = cases.filter((one) => isMust(one) && one.verdict === 'inconclusive');
  expect(open.length).toBeGreaterThan(0);
  expect(open.filter(({ reason, remedy }) => !says.test(`${reason} ${remedy}`)).map(({ id }) => id)).toEqual([]);
  expect(inspect().callsOpen).toBe(0);
});

test('records that show their name alone are not accused of losing it', async () => {
  const { service, settings } = createReference();
  const terse: Service = async (request) => {
    const reply = await service(request);
    const isOfRecord = /^\/v1\/(?:trunks|voice-applications)\/./.test(request.target) && reply.status < 300;
    return isOfRecord ? { ...reply, body: String(reply.body).replace(/,"(?!name)\w+":[^,{}]+(?=[,}])/g, '') } : reply;
  };
  const only = ['UPDATE-UNNAMED-KEPT', 'APPLICATION-UNNAMED-KEPT'];
  const cases = casesOf((await judge(terse, optionsFrom(settings, { only }))).results);
  expect(cases.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
