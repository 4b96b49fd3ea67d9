/** An error of the suite itself. */

import { expect, onTestFinished, test, vi } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Transport } from '../../../src/exchange/message.ts';
import { SUITE } from '../../../suites/index.ts';
import { comesOutTheSame } from '../../proof/again.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../../selftest/harness.ts';

test('ends the run, but not the clean-up', async () => {
  const { service, settings } = createReference();
  const toService = transportTo(service);
  let sent = 0;
  const transport: Transport = async (request) => {
    sent += 1;
    if (sent === 30) throw new Error('odd');
    return toService(request);
  };
  const options = optionsFrom(settings, { only: ['AUTH-SECRET', 'SUCCESS-STATUS/updateTrunk'] });
  const { results, record } = await judge(service, options, skippingClock(), transport);
  expect([results.verdict, results.reason]).toEqual(['void', expect.stringMatching(/^the suite itself broke: /)]);
  const later = record.exchanges.filter(({ seq }) => seq > 30).map(({ tag }) => tag.sequence);
  expect([new Set(later), record.endedEarly]).toEqual([new Set(['updateTrunk/restore']), 'the suite itself broke']);
});

test.each([
  ['shows its id', null, 0],
  ['shows none', '{}', 1],
])('in the answer to a call leaves it open only where it %s', async (_, body, open) => {
  const { service, settings } = createReference();
  const toService = transportTo(service);
  const transport: Transport = async (request) => {
    const outcome = await toService(request);
    if (outcome.kind !== 'answer' || outcome.status !== 201) return outcome;
    const headers = [...outcome.headers, ['X-Odd', null as never]] as const;
    return { ...outcome, headers, ...(body !== null && { body: Buffer.from(body) }) };
  };
  const options = optionsFrom(settings, { only: ['CALL-CREATE-MINIMAL'] });
  const { results, record } = await judge(service, options, skippingClock(), transport);
  expect([results.verdict, record.possiblyOpen.length]).toEqual(['void', open]);
  // An answer without its body would be judged as one that has none.
  const [odd] = record.exchanges.filter(({ failure }) => failure?.detail.startsWith('the suite broke'));
  expect(odd === undefined).toBe(open === 0);
});

test.each([
  ['what was put off to it', 4],
  ['what it could not hang up before', 0],
])('at the end of the run leaves open %s', async (_, least) => {
  const { service, settings } = createReference();
  const { PCS_RINGING_CALL_ID: ringing = '' } = settings;
  const toService = transportTo(service);
  const clock = skippingClock();
  let tried = 0;
  const transport: Transport = async (request) => {
    if (!request.path.endsWith('/hangup') || request.path.includes(ringing)) return toService(request);
    tried += 1;
    if (tried > least) throw new Error('odd');
    return { kind: 'answer', status: 404, headers: [], body: Buffer.from('{}'), cut: false };
  };
  const { record } = await judge(service, optionsFrom(settings, { only: ['CALL-CREATE-MINIMAL'] }), clock, transport);
  expect(record.possiblyOpen).toEqual([expect.stringContaining('hanging up got no recorded answer, since the suite')]);
});

test('in a sequence comes out the same again', async () => {
  const real = SUITE.sequences;
  const run = async (): Promise<void> => {
    throw new TypeError('odd');
  };
  const suite = vi.spyOn(SUITE, 'sequences').mockImplementation((builder) => {
    const all = real(builder);
    const first = all.find(({ operation }) => operation === 'createCall');
    return all.map((one) => (one === first ? { ...one, run } : one));
  });
  onTestFinished(() => suite.mockRestore());
  const { service, settings } = createReference();
  const { record } = await judge(service, optionsFrom(settings, { only: ['CALL-CREATE-MINIMAL'] }));
  expect(record.errors).toMatchObject([{ message: 'odd' }]);
  await comesOutTheSame(record);
});
