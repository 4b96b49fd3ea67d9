/** The id that the suites send for none is one that no setting may have: the kernel would keep it back. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../../src/selftest/harness.ts';
import { VALUE_RULES } from '../../../src/settings/value-rules.ts';

test('is refused as a setting, as it is sent', async () => {
  const { service, settings } = createReference();
  const only = ['MALFORMED-ID-REFUSED/getTrunk'];
  const { record } = await judge(service, optionsFrom(settings, { only }));
  const asked = record.exchanges.filter(({ tag }) => tag.asks.some((ask) => ask.startsWith('MALFORMED-ID-REFUSED')));
  const ids = [...new Set(asked.map(({ request }) => request.path.split('/').at(-1) ?? ''))];
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids)
    expect([id, VALUE_RULES.id(id, { name: 'PCS_NUMBER_ID', kind: 'id', description: '' })]).toEqual([
      id,
      expect.objectContaining({ wrong: 'is what the suite sends for an id that is none' }),
    ]);
});
