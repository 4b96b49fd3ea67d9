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
  [429, /run again (?:later|when the target places calls|once the target can serve this request)/],
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

const NAMED = '"name":"Programmable Communications Service","status":"ok",';

test.each([
  ['records that show their name alone', (body: string) => body.replace(/,"(?!name)\w+":[^,{}]+(?=[,}])/g, '')],
  ['answers that begin with a name and a status of their own', (body: string) => body.replace('{', `{${NAMED}`)],
])('%s are accused of nothing', async (_, shown) => {
  const { service, settings } = createReference();
  const unusual: Service = async (request) => {
    const reply = await service(request);
    const isOfRecord = /^\/v1\/(?:trunks|voice-applications)\/./.test(request.target) && reply.status < 300;
    return isOfRecord ? { ...reply, body: shown(String(reply.body)) } : reply;
  };
  const only = ['UPDATE-VISIBLE', 'UPDATE-UNNAMED-KEPT', 'APPLICATION-UNNAMED-KEPT'];
  const cases = casesOf((await judge(unusual, optionsFrom(settings, { only }))).results);
  expect(cases.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
