/** A hostile target cannot fill the disk: the record of its responses is bounded, and the run says why it ends. */

import { expect, test } from 'vitest';
import { inLongAlone } from '../sampled.ts';
import { World } from './simulation.ts';

/** A third of what the reference run records. */
const SMALL = 600_000;

test('a run ends early where responses would fill the disk', async () => {
  const world = new World({}, SMALL);
  const { code, screen } = await world.run(['run', '--profile', 'full']);
  expect(code).toBe(3);
  expect(screen).toContain('the responses of the target are so large that their record exceeds 128 MiB');
  expect(world.disk.files.get('conformance-report/journal.ndjson')?.text.length).toBeLessThan(2 * SMALL);
});

/** Long names in each other: the journal holds the pointer of every member. */
const CHAIN = `{"${'n'.repeat(2_000)}":`.repeat(30);
const BODY = `{${Array.from({ length: 14 }, (_, at) => `"a${at}":${CHAIN}{}${'}'.repeat(30)}`).join()}}`;

inLongAlone('large errors are judged, and do not fill the disk', async () => {
  const world = new World({
    request: (_world, when, { target }) => {
      const isFirst = when === 'before' || target.startsWith('/v1/trunks/');
      return isFirst ? null : { status: 500, headers: [['Content-Type', 'application/json']], body: BODY };
    },
  });
  const { code, screen } = await world.run(['run', '--profile', 'read-only', '--max-requests', '40']);
  expect(code).toBe(1);
  expect(screen).toContain('NON-CONFORMANT');
  // With whole bodies 40 responses would take 33 million letters.
  expect(world.disk.files.get('conformance-report/journal.ndjson')?.text.length).toBeLessThan(10_000_000);
});
