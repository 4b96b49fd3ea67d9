/** Settings that are wrong on their face end the command before anything is sent. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, emptyFolder } from './command.ts';
import { type Live, live } from './live.ts';

const FULL = ['run', '--profile', 'full', '--quiet'];
const NONE = { PCS_CALL_FROM: '', PCS_CALL_TO: '' };

async function rejected(
  words: readonly string[],
  change: (known: Live['env']) => Record<string, string>,
  says: RegExp,
) {
  await live({}, async ({ env, reference }) => {
    const { code, out, err } = await command(words, { ...env, ...change(env) });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(says);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(reference.inspect().requests).toEqual([]);
  });
}

describe('nothing is sent', () => {
  test('for two credentials that are equal', () =>
    rejected(
      ['run'],
      ({ PCS_ACCESS_TOKEN = '' }) => ({ PCS_REVOKED_ACCESS_TOKEN: PCS_ACCESS_TOKEN }),
      /^PCS_REVOKED_ACCESS_TOKEN is the same as PCS_ACCESS_TOKEN: set it to a revoked credential, or leave it out\.$/m,
    ));

  test.each([
    [
      NONE,
      /^Profile full places calls, and PCS_CALL_FROM and PCS_CALL_TO are not set: set PCS_CALL_FROM to .* and PCS_CALL_TO to .*, or leave calls out with --without calls\.$/m,
    ],
    [{ PCS_CALL_TO: '' }, /^Profile full places calls, and PCS_CALL_TO is not set: set PCS_CALL_TO to /m],
  ])('for profile full with %j', (change, says) => rejected(FULL, () => change, says));
});

test.each([
  ['calls are left out', [...FULL, '--without', 'calls', '--only', 'PATH-SERVED']],
  ['create call is left out', [...FULL, '--without', 'create', '--only', 'PATH-SERVED/getTrunk']],
  ['one case is selected', [...FULL, '--only', 'PATH-SERVED/getTrunk']],
  ['the profile is read-only', ['run', '--quiet']],
])('no number is demanded where %s', async (_, words) => {
  await live({}, async ({ env, reference }) => {
    const { err } = await command(words, { ...env, ...NONE });
    expect(err).toBe('');
    expect(reference.inspect().requests.length).toBeGreaterThan(0);
  });
});

test('a fixture command that prints a secret is not quoted', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'fixture.sh'), 'echo "PCS_RINGING_CALL_ID=pcs_org_hunter2/x"\n');
  await live({}, async ({ env }) => {
    const words = [...FULL, '--fixture-command', `sh ${join(folder, 'fixture.sh')}`];
    const { code, err } = await command(words, { ...env, PCS_RINGING_CALL_ID: '' }, folder);
    expect([code, err]).toEqual([2, expect.not.stringContaining('hunter2')]);
  });
});
