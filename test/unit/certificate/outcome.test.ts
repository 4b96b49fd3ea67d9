import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { certificationOutcome } from '../../../src/certificate/certification.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import type { RunVerdict } from '../../../src/verdict/results.ts';
import { resultsOf } from '../../../suites/index.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { soundRun } from '../regression/judged-runs.ts';

const sound = (await soundRun()).results;
const { service, settings } = createReference();
const { record } = await judge(service, optionsFrom(settings, { profile: 'read-only' }));
const certified: RunRecord = { ...record, inputs: { ...record.inputs, drawnOrder: '0'.repeat(64) } };

test.each([
  ['conformant', { kind: 'attested', outcome: 'conformant' }],
  ['non-conformant', { kind: 'attested', outcome: 'non-conformant' }],
  ['incomplete', { kind: 'incomplete' }],
  ['void', { kind: 'void' }],
] as const)('a run that is %s has that outcome, with its reason', (verdict: RunVerdict, outcome) => {
  expect(certificationOutcome({ ...sound, verdict })).toEqual({ ...outcome, reason: sound.reason });
});

test('a run that fails and ends early, such as on a target that hangs, is not attested: no bundle holds half a run', () => {
  expect(certificationOutcome({ ...sound, verdict: 'non-conformant', endedEarly: 'silence: raise --timeout' })).toEqual(
    {
      kind: 'incomplete',
      reason: 'the run ended early: silence: raise --timeout',
    },
  );
});

test('a certification is incomplete with any inconclusive case, even of a recommendation', () => {
  const [usual, strict] = [record, certified].map((one) => {
    const exchanges = one.exchanges.filter(({ request }) => request.credential !== 'lower-case-scheme');
    return resultsOf({ ...one, exchanges });
  });
  expect([usual?.verdict, strict?.verdict]).toEqual(['conformant', 'incomplete']);
  expect(strict?.reason).toContain('AUTH-SCHEME-CASE/');
});

test('a flaky symptom makes a certification non-conformant, in its results too', async () => {
  const options = optionsFrom(settings, { profile: 'read-only' });
  const [usual, strict] = await Promise.all(
    [options, { ...options, drawnOrder: '0'.repeat(64) }].map(async (one) => {
      let reads = 0;
      const flaky: Service = async (call) => {
        if (call.target === '/v1/trunks/' && call.method === 'GET') reads += 1;
        return reads === 5 ? { status: 502, headers: [['content-type', 'text/plain']], body: 'bad' } : service(call);
      };
      return (await judge(flaky, one)).results;
    }),
  );
  expect([usual?.verdict, usual?.intermittent.length]).toEqual(['conformant', 1]);
  expect(strict).toMatchObject({ verdict: 'non-conformant', colour: 'red', reason: expect.stringMatching(/^flaky: /) });
});
