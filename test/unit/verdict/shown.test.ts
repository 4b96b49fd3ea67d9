/** Texts in every response of a target are not data of a record, even in a rejection. */

import { expect, test } from 'vitest';
import type { Service } from '../../../fixtures/service/types.ts';
import { createVariant } from '../../../fixtures/variants/variant.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { brokenIn } from '../../selftest/judged.ts';

/** What compares answers with one another. */
const READING = narrowed(
  ...['AUTH-ALIAS', 'AUTH-NO-EFFECT', 'ORG-ISOLATION', 'ORG-NO-EFFECT', 'UNKNOWN-ID-REFUSED', 'SUCCESS-STATUS'],
  ...['TRUNK-SHOWS-STATE', 'UPDATE-VISIBLE', 'UPDATE-UNNAMED-KEPT', 'UPDATE-REJECTED-NO-EFFECT'],
);

/** Adds members to every object that is sent. */
const saying =
  (more: object) =>
  (service: Service): Service =>
  async (request) => {
    const reply = await service(request);
    const body = typeof reply.body === 'string' && reply.body.startsWith('{') ? JSON.parse(reply.body) : undefined;
    return body === undefined ? reply : { ...reply, body: JSON.stringify({ ...body, ...more }) };
  };

test.each([
  ['the region and the manual', { meta: { region: 'eu', manual: 'https://docs.example', name: 'PCS' } }],
  ['its own name', { name: 'Programmable Communications Service', status: 'ok' }],
])('%s in every answer', async (_, more) => {
  const { service, settings } = createVariant({ 'slash-form': 'served' });
  const { results } = await judge(saying(more)(service), optionsFrom(settings, READING));
  expect(brokenIn(results)).toEqual([]);
  expect(results.verdict).toBe('conformant');
});
