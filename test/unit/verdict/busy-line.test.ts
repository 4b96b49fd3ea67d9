/** A line that is busy for a moment after a hang-up: 409 to whatever create call comes first, be it valid or not. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../../fixtures/faults/index.ts';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { brokenIn, casesOf, judged } from '../../selftest/judged.ts';

const BUSY = JSON.stringify({ success: false, error: { code: 'conflict', message: 'The line is busy.' } });

/** Looks at the line before it looks at the body. */
function busyFirst(service: Service): Service {
  let isBusy = false;
  return async (request) => {
    const reply = await service(request);
    if (reply.status < 300 && request.target.endsWith('/hangup')) isBusy = true;
    const isCreate = request.method === 'POST' && request.target === '/v1/calls/';
    if (!isCreate || !isBusy || reply.status === 401) return reply;
    isBusy = false;
    return { status: 409, headers: [['Content-Type', 'application/json']], body: BUSY };
  };
}

test('is waited for and proves nothing but the envelope of its 409', async () => {
  const { service, settings } = createReference();
  const { results } = await judge(
    busyFirst(service),
    optionsFrom(settings, narrowed('CALL-CREATE-409', 'CALL-CREATE-IDS', 'CALL-CREATE-FIELD-TYPES', 'NULL-REFUSED')),
  );
  expect(results.verdict).toBe('conformant');
  expect(brokenIn(results)).toEqual([]);
  expect(casesOf(results).find(({ id }) => id === 'CALL-CREATE-409/createCall')).toMatchObject({ verdict: 'pass' });
});

test('hides no null among the codecs', async () => {
  const fault = FAULTS.find(({ name }) => name === 'null-in-codecs-skipped');
  const { results } = await judged({ 'repeated-call': 'line-freed-late', 'inner-nulls': 'refused' }, {}, fault);
  expect(brokenIn(results)).toEqual(['NULL-REFUSED']);
});
