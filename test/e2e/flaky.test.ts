/** One flake is not a verdict: a lawful service behind a bad network is never accused; one that is bad itself is. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { inLongAlone, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { behindFlakyProxy } from './flaky-proxy.ts';
import { demandNoAccusation, demandNoAccusationOverSockets } from './heavy-runs.ts';
import { enveloped } from './live.ts';

describe('a lawful service behind a network that loses answers', () => {
  const seeds = sampled([41, 1, 3, 21, 5, 7, 9], 7);

  test(`fails under no seed, and lost responses are listed as flaky (${seeds.words})`, async () => {
    await demandNoAccusation(seeds.items);
  });

  test('a flake fails the run under --strict', async () => {
    const { service, settings } = createReference();
    const flaky = behindFlakyProxy(service, { seed: 10, share: 0.1 });
    const { results } = await judge(flaky, optionsFrom(settings, { strict: true }));
    expect(results.verdict).toBe('non-conformant');
  });

  inLongAlone('over sockets it does not fail either', async () => {
    await demandNoAccusationOverSockets(['run', '--timeout', '1']);
  });
});

describe('a service that is itself broken', () => {
  test('and answers an enveloped 500 every twentieth time is non-conformant', async () => {
    const { service, settings } = createReference();
    let count = 0;
    const broken: typeof service = async (request) => {
      count += 1;
      const reply = await service(request);
      return count % 20 === 0 ? enveloped(500) : reply;
    };
    const { results } = await judge(broken, optionsFrom(settings));
    expect([results.verdict, results.summary]).toEqual(['non-conformant', expect.stringContaining('NO-SERVER-ERROR')]);
  });
});
