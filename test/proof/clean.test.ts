/** What `clean` cannot restore, it names. */

import { expect, test } from 'vitest';
import { MOMENTS } from './chaos.ts';
import { World } from './simulation.ts';

test('without the setting that the inbound secret stood in, clean says that it was not restored', async () => {
  const world = new World();
  const { settings, inspect } = world.reference;
  const secret = inspect().inboundSecret;
  const hooks = MOMENTS['before a restore arrives']?.(
    () => world.kill(),
    inspect().trunkNames[settings.PCS_TRUNK_ID] ?? '',
  );
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], hooks);
  Object.assign(settings, { PCS_INBOUND_SECRET: undefined });
  const { code, screen } = await world.run(['clean'], {});
  expect(inspect().inboundSecret).not.toBe(secret);
  expect([code, screen]).toEqual([
    3,
    expect.stringContaining(
      `Changed and not restored: carrier connection ${settings.PCS_CARRIER_CONNECTION_ID}: its inbound credential was replaced`,
    ),
  ]);
});
