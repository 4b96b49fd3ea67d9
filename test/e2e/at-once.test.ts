/** Services that break only where two requests meet, over sockets: what leaves together has to arrive together. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { undiciTransport } from '../../src/client/transport.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

const BROKEN = sampled(
  [
    ['update-writes-the-whole-trunk', 'UPDATES-AT-ONCE/updateTrunk'],
    ['updates-coalesced', 'UPDATES-AT-ONCE/updateTrunk'],
    ['hang-ups-race', 'NO-SERVER-ERROR/hangUpCall'],
    ['answers-race', 'NO-SERVER-ERROR/answerCall'],
    ['mutes-race', 'NO-SERVER-ERROR/muteParticipant'],
    ['assignments-race', 'NO-SERVER-ERROR/assignNumber'],
    ['inbound-authentications-race', 'NO-SERVER-ERROR/setInboundAuth'],
    ['trunk-lock-page', 'NO-SERVER-ERROR/updateTrunk'],
    ['pool-of-five-connections-page', 'NO-SERVER-ERROR/listNumbers'],
    ['pool-of-two-connections', 'NO-SERVER-ERROR/getCarrierProvider'],
    ['pool-of-three-connections', 'NO-SERVER-ERROR/listTrunks'],
    ['caller-in-a-field', 'ORG-ISOLATION/getTrunk'],
    ['crash-under-concurrency', 'NO-SERVER-ERROR/listTrunks'],
    ['node-organization-of-the-module', 'NO-SERVER-ERROR/listTrunks'],
    ['unguarded-under-load', 'AUTH-CREDENTIAL-REQUIRED/getCarrierProvider'],
  ] as const,
  4,
);

test.each(BROKEN.items)(`%s breaks %s (${BROKEN.words})`, async (name, place) => {
  const { service, settings } = createReference();
  const faulty = FAULTS.find((fault) => fault.name === name)?.inject(service, settings) ?? service;
  const { url, close } = await listen(faulty);
  const open = undiciTransport({ origin: url });
  try {
    const options = optionsFrom(settings, { baseUrl: url, only: [place] });
    const { results } = await judge(faulty, options, skippingClock(), open.transport);
    expect(brokenIn(results)).toEqual([place.split('/')[0]]);
  } finally {
    await open.close();
    await close();
  }
});
