/** A hostile target cannot fill the disk: the record of its responses is bounded. */

import { expect, test } from 'vitest';
import { World } from './simulation.ts';

/** Long names in each other: the journal holds the pointer of every member. */
const CHAIN = `{"${'n'.repeat(2_000)}":`.repeat(30);
const BODY = `{${Array.from({ length: 14 }, (_, at) => `"a${at}":${CHAIN}{}${'}'.repeat(30)}`).join()}}`;

test('large responses do not fill the disk', async () => {
  const world = new World({
    request: (_world, when, { target }) => {
      const isFirst = when === 'before' || target.startsWith('/v1/trunks/');
      return isFirst ? null : { status: 500, headers: [['Content-Type', 'application/json']], body: BODY };
    },
  });
  const { code, screen } = await world.run(['run', '--profile', 'full', '--max-requests', '2000']);
  expect(code).toBe(1);
  expect(screen).toContain('NON-CONFORMANT');
  expect(world.disk.files.get('conformance-report/journal.ndjson')?.text.length).toBeLessThan(150_000_000);
});
