/** No setting may hold the id that the suites send as malformed: the write guard would stop it. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { KINDS } from '../../../src/settings/kinds.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

test('the malformed id that the suites send is rejected as a setting', async () => {
  const { service, settings } = createReference();
  const only = ['MALFORMED-ID-REFUSED/getTrunk'];
  const { record } = await judge(service, optionsFrom(settings, { only }));
  const asked = record.exchanges.filter((one) =>
    record.judgements?.of(one).some(({ id }) => id === 'MALFORMED-ID-REFUSED'),
  );
  // A pattern that is made of our own id reaches our own trunk alone, and a drawn id between two letters none.
  const isPattern = (id: string): boolean =>
    id.startsWith(settings.PCS_TRUNK_ID.slice(0, -1)) || /^z[\da-f-]{36}z$/.test(id);
  const ids = [...new Set(asked.map(({ request }) => request.path.split('/').at(-1) ?? ''))].filter(
    (id) => !isPattern(id),
  );
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    expect([id, KINDS.id.read(id)]).toEqual([
      id,
      expect.objectContaining({ wrong: 'is what the suite sends as a malformed id' }),
    ]);
  }
});
