/** Whatever a lawful target is like, the bundle of its certification agrees with itself. */

import { expect, test } from 'vitest';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import { certifiedBundle } from '../../src/certificate/verify.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { optionsFrom, skippingClock } from '../selftest/harness.ts';
import { type Choices, randomVariants, singleVariants } from '../selftest/sample.ts';
import { bytesOf, certificationOf, certifyingWith, NONCE, newKeys, verified } from '../unit/certificate/certified.ts';
import { LENIENT } from './lenient.ts';

const keys = newKeys();

/** Every choice alone, lenient services, and a few variants at random. */
export const CERTIFIED: readonly Choices[] = [...Object.values(LENIENT), ...singleVariants(), ...randomVariants(12, 3)];

/** Registers the proof that the bundles of these variants agree with themselves. */
export function proveBundles(variants: readonly Choices[]): void {
  let attested = 0;

  test.each(variants.map((choices) => [JSON.stringify(choices), choices] as const))('%s', async (_, choices) => {
    const clock = skippingClock();
    const { service, settings } = createVariant(choices, {
      wait: clock.sleep,
      now: clock.now,
      policy: { longList: 50 },
    });
    const samples = samplesOf(choices) as RunOptions['samples'];
    const options = certifyingWith(optionsFrom(settings, { samples }), NONCE);
    const made = await certifiedBundle(await certificationOf(service, options, NONCE, clock), keys.own);
    // What stays open is not signed; what is signed agrees.
    expect(made.outcome.kind).not.toBe('void');
    expect(made.outcome.reason).not.toContain('could not be verified');
    // What a lenient service accepts besides takes calls, and enough are allowed.
    if (Object.values<Choices>(LENIENT).includes(choices))
      expect(made.outcome).toMatchObject({ outcome: 'conformant' });
    if (made.outcome.kind !== 'attested') return;
    attested += 1;
    await verified(bytesOf(made), keys.known);
  });

  test('most of them are signed', () => {
    expect(attested).toBeGreaterThan(variants.length / 2);
  });
}
