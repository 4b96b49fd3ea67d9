/** A run that is killed at any of its requests leaves nothing that `clean` does not restore or name: a sample. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { demandLaws, type Edit, requestsOfRun } from './ledger-kills.ts';

const EDITS: readonly Edit[] = ['none', 'trunk', 'voice application', 'number'];

test('at a random request, whoever changes what meanwhile', async () => {
  const requests = await requestsOfRun();
  const scenarios = fc.record({
    at: fc.integer({ min: 1, max: requests }),
    when: fc.constantFrom('before' as const, 'after' as const),
    edit: fc.constantFrom(...EDITS),
  });
  const demand = async (scenario: Parameters<typeof demandLaws>[0]): Promise<void> => void (await demandLaws(scenario));
  await fc.assert(fc.asyncProperty(scenarios, demand), { seed: 24, numRuns: 16, endOnFailure: true });
}, 120_000);

/** Kills that once left the number and the inbound secret, or the name of the trunk, changed without a word. */
test.each([150, 200, 260, 300, 335, 617, 642])('at request %i', async (at) => {
  await demandLaws({ at, when: 'after' });
});

test.each(['before', 'after'] as const)(
  '%s the hang-up of the ringing call that was answered arrives',
  async (when) => {
    let answered = '';
    const { screen } = await demandLaws({
      at: ({ method, target }) => {
        const [, id = '', action] = /^\/v1\/calls\/([^/]+)\/(answer|hangup)$/.exec(target) ?? [];
        if (method === 'POST' && action === 'answer' && answered === '') answered = id;
        return action === 'hangup' && id === answered;
      },
      when,
    });
    expect(screen).toContain(answered);
  },
);
