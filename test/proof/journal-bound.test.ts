/** A hostile target cannot fill the disk: the record of its responses is bounded, and the run says why it ends. */

import { expect, test } from 'vitest';
import { World } from './simulation.ts';

/** As many bytes as an error may have that is recorded whole; each takes six letters in the journal. */
const BODY = new TextDecoder().decode(new Uint8Array(65_000).fill(1));

test('a run ends early where responses would fill the disk', async () => {
  const world = new World({
    request: (_world, when, { target }) => {
      const isFirst = when === 'before' || target.startsWith('/v1/trunks/');
      return isFirst ? null : { status: 500, headers: [['Content-Type', 'application/json']], body: BODY };
    },
  });
  const { code, screen } = await world.run(['run', '--profile', 'full', '--max-requests', '2000']);
  expect(code).toBe(1);
  expect(screen).toContain('the responses of the target are so large that their record would exceed 128 MiB');
  expect(world.disk.files.get('conformance-report/journal.ndjson')?.text.length).toBeLessThan(150_000_000);
});
