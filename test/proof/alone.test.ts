/** A filter sends what its case leans on, so that a case alone is judged as it is in a whole run. */

import { describe, expect, test } from 'vitest';
import { FAULTS, planted } from '../../fixtures/faults/index.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, isBinding, isMust } from '../selftest/judged.ts';

describe('a filter', () => {
  const all = REQUIREMENTS.flatMap(({ id, operations }) => operations.map((operation) => `${id}/${operation}`));
  const cases = sampled(all, 100);

  test.each(cases.items)(`for %s alone leaves nothing open (${cases.words})`, async (name) => {
    const { service, settings } = createReference();
    const { results } = await judge(service, optionsFrom(settings, { only: [name] }));
    const isOfMust = isBinding(name.split('/')[0] ?? '');
    const [own, ...others] = casesOf(results).filter((one) => isMust(one) === isOfMust);
    expect([results.partial, own?.id, others]).toEqual([true, name, []]);
    // What was planned is answered; only what no client can trigger, or the target does not serve, is not exercised.
    expect(own?.questions.answered).toBe(own?.questions.planned);
    expect(own?.verdict).toBe(isOfMust && own?.judged === 0 ? 'not-exercised' : 'pass');
  });

  test.each([
    ['trunks-slash-unknown', 'PATH-SERVED/listTrunks'],
    ['trunks-open-without-slash', 'AUTH-ALIAS/listTrunks'],
    ['invalid-call-without-code', 'CALL-CREATE-400/createCall'],
    ['assigned-as-named-before-the-check', 'AUTH-ASSIGNMENT-UNCHANGED/assignNumber'],
  ])('with which the report of %s judges %s again shows it', async (name, only) => {
    const fault = FAULTS.find((each) => each.name === name);
    if (fault === undefined) throw new Error('the fault is gone');
    const { service, settings } = planted(fault, createReference());
    const { results } = await judge(service, optionsFrom(settings, { only: [only] }));
    expect(casesOf(results).map(({ id, verdict }) => [id, verdict])).toEqual([[only, 'fail']]);
  });

  test.each(['ORG-CALL/createCall', 'ORG-ISOLATION/hangUpCall', 'ORG-ISOLATION/answerCall'])(
    'for %s alone accuses nobody where both credentials belong to one organization',
    async (name) => {
      const { service, settings } = createReference();
      const { PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN } = settings;
      const isTheirs = (field = ''): boolean => field === `Bearer ${PCS_OTHER_ORG_ACCESS_TOKEN}`;
      const headers = { authorization: `Bearer ${PCS_ACCESS_TOKEN}` };
      const ofOne: Service = (request) =>
        service(
          isTheirs(request.headers['authorization'])
            ? { ...request, headers: { ...request.headers, ...headers } }
            : request,
        );
      const { results } = await judge(ofOne, optionsFrom(settings, { only: [name] }));
      expect(casesOf(results).find(({ id }) => id === name)).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringContaining('it belongs to the same organization'),
      });
    },
  );

  test('that leaves whole phases out still ends the run where the credential expires', async () => {
    const { service, settings } = createReference();
    let seen = 0;
    const expiring: Service = async (request) => {
      seen += 1;
      return seen > 12 ? json(401, ENVELOPE) : service(request);
    };
    const { results } = await judge(expiring, optionsFrom(settings, { only: ['MALFORMED-ID-REFUSED'] }));
    expect([results.verdict, results.endedEarly]).toEqual([
      'incomplete',
      expect.stringContaining('rejects the credential that it accepted before'),
    ]);
  });
});
