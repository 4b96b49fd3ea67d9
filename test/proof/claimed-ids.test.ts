/** A target that claims whatever ids the suite makes up: nothing more is written to them, and that is no trouble of ours. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const WRITES = ['POST', 'PUT', 'PATCH'];

/** Accepts every write outside of create call and answers with the ids of its path, a blank one and a word. */
function claiming(service: Service): Service {
  return async (request) => {
    const reply = await service(request);
    if (!WRITES.includes(request.method) || request.target.startsWith('/v1/calls/?') || reply.status === 201)
      return reply;
    const ids = request.target.split('/').map((segment, at) => [`n${at}_id`, segment] as const);
    const body = JSON.stringify({ success: true, ...Object.fromEntries(ids), blank_id: ' ', word_id: 'not-a-uuid' });
    return { status: 200, headers: [['Content-Type', 'application/json']], body };
  };
}

test('is judged to the end, and nothing more is written to what it claims', async () => {
  const { service, settings } = createReference();
  const { record, results } = await judge(claiming(service), optionsFrom(settings, { explore: 60 }));
  expect(record.errors).toEqual([]);
  expect(results.verdict).toBe('non-conformant');
  expect(record.skipped.map(({ reason }) => reason)).toContain(
    'a response of the target names the made-up id as one of its own',
  );
});
