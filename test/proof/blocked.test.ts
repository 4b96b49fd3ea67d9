/** What would help with an open case follows from what the run found (conformance model, section 0). */

import { expect, test } from 'vitest';
import type { Inject } from '../../fixtures/faults/fault.ts';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { json, rejected } from '../../fixtures/faults/replies.ts';
import { all, authorized, documented, membersOf, on } from '../../fixtures/faults/visit.ts';
import { instead } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';

async function openIn(inject: Inject) {
  const { service, settings } = createReference();
  const { results } = await judge(inject(service, settings), optionsFrom(settings));
  return casesOf(results).filter(({ verdict }) => verdict === 'inconclusive');
}

const answering = (status: number): Inject =>
  instead(all(on('getTrunk'), authorized), () => rejected(status, 'not_found'));

const planted = (called: string): Inject =>
  FAULTS.find(({ name }) => name === called)?.inject ?? ((service) => service);

test.each([
  ['PATH-SERVED', 'getTrunk', answering(404)],
  ['NO-SERVER-ERROR', 'getTrunk', answering(500)],
  ['ACTION-WITHOUT-BODY', 'muteParticipant', planted('mute-needs-a-body')],
] as const)('where %s fails for %s, its open cases say so and propose no setting', async (id, operation, inject) => {
  const own = (await openIn(inject)).filter((one) => one.operation === operation);
  expect(own.length).toBeGreaterThan(0);
  for (const one of own) {
    const by = { blockedBy: `${id}/${operation}`, remedy: `${id} fails for ${operation}: fix that first` };
    expect(one).toMatchObject(by);
    expect(JSON.stringify(one.unanswered ?? [])).not.toMatch(/(?:set|check) PCS_/);
  }
});

test('the remedy of a body names the member, and quotes what the target said of it', async () => {
  const says = 'media_encryption must be rtp or sdes_srtp';
  const error = { success: false, error: { code: 'invalid', message: says } };
  const wantsItsOwn = all(
    on('createCall'),
    authorized,
    (visit) => typeof membersOf(visit)['media_encryption'] === 'string',
  );
  const { service, settings } = createReference();
  const { results } = await judge(
    instead(wantsItsOwn, () => json(400, error))(service, settings),
    optionsFrom(settings),
  );
  const remedies = casesOf(results).flatMap(({ unanswered = [] }) => unanswered.map(({ remedy = '' }) => remedy));
  expect(remedies).toContain(
    `give a body with media_encryption that the target accepts for createCall with --samples; the target says "${says}"`,
  );
});

test('a target whose answers do not depend on the request is said to look like a mock', async () => {
  const answer = instead(documented, (visit) =>
    json(visit.operation === 'createCall' ? 201 : 200, { id: 'x', data: [] }),
  );
  const { service, settings } = createReference();
  const { results } = await judge(answer(service, settings), optionsFrom(settings, { profile: 'read-only' }));
  expect(results.reason).toMatch(
    /; this looks like a mock: (?:9\d|100) % of the answers do not depend on the request$/,
  );
  const anonymous = FAULTS.find(({ name }) => name === 'anonymous-everywhere');
  const faulty = await judge(
    anonymous?.inject(service, settings) ?? service,
    optionsFrom(settings, { profile: 'read-only' }),
  );
  const down = instead(
    (visit) => documented(visit) && visit.operation !== 'listTrunks',
    () => rejected(502, 'bad_gateway'),
  );
  const broken = await judge(down(service, settings), optionsFrom(settings, { profile: 'read-only' }));
  for (const { results } of [faulty, broken])
    expect([results.verdict, results.reason]).toEqual(['non-conformant', expect.not.stringContaining('mock')]);
});
