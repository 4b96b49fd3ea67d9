/** What the holder of the signing key edits in the record of a faulty service is rejected, whatever it comes to. */

import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { type Bundle, makeBundle } from '../../src/certificate/bundle.ts';
import { Disagreement } from '../../src/certificate/bundle-files.ts';
import { type Certification, outcomeOf } from '../../src/certificate/certification.ts';
import { catalogueOf, rerunOf } from '../../src/certificate/rerun-check.ts';
import type { Clock } from '../../src/client/pacing.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { optionsFrom, skippingClock } from '../../src/selftest/harness.ts';
import { isBinding } from '../../src/selftest/judged.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { bytesOf, certificationOf, certifyingWith, NONCE, newKeys, verified } from '../unit/certificate/certified.ts';
import { ATTACKS, failingIn } from './attacks.ts';

const keys = newKeys();

/** A clock that moves on whenever it is read: in the run of a real service, requests differ in their times. */
function movingClock(): Clock {
  const { now, sleep } = skippingClock();
  let read = 0;
  return {
    now: () => {
      read += 1;
      return now() + read / 4;
    },
    sleep,
  };
}

async function certificationWith(fault: Fault, changes: Partial<RunOptions>): Promise<Certification> {
  const clock = movingClock();
  const how = { wait: clock.sleep, now: clock.now, policy: { longList: 20 } };
  const { service, settings } = planted(fault, createVariant({}, how));
  return certificationOf(service, certifyingWith(optionsFrom(settings, changes), NONCE), NONCE, clock);
}

/** What an edit can change. */
const stateOf = ({ record, nonce }: Certification): string => JSON.stringify([record, nonce]);

/** The outcome of a record that is run again, or `null` where it does not come out the same. */
async function outcomeAgain({ record, implementation, nonce, time }: Certification): Promise<string | null> {
  const { suite } = record.header;
  const catalogue = catalogueOf(suite.version, SUITE);
  try {
    // Through JSON and back, as a file holds it.
    const stored = JSON.parse(JSON.stringify(record));
    const again = await rerunOf(stored, { suite, catalogue, implementation, nonce, time }, SUITE);
    const outcome = outcomeOf(resultsOf(again));
    return outcome.kind === 'attested' ? outcome.outcome : outcome.kind;
  } catch (error) {
    if (error instanceof Disagreement) return null;
    throw error;
  }
}

/** A certification sends one sequence after the other, so what fails only beside another lane does not show. */
const UNSEEN: readonly string[] = ['unguarded-under-load'];

/** Faults that break a binding requirement, and show it in a certification. */
export const BINDING_FAULTS: readonly Fault[] = FAULTS.filter(
  ({ name, breaks }) => breaks.some(isBinding) && !UNSEEN.includes(name),
);

/** Registers the proof for these faults; each is attacked in the ways that `picks` names. */
export function proveAttacks(
  faults: readonly Fault[],
  picks: (at: number) => boolean,
  changes: Partial<RunOptions> = {},
): void {
  const names = Object.keys(ATTACKS).filter((_, at) => picks(at));
  test.each(faults.map((fault) => [fault.name, fault] as const))('the fault %s cannot be hidden', async (_, fault) => {
    const whole = await certificationWith(fault, changes);
    const failing = failingIn(whole);
    let rejected = 0;
    const harmless: string[] = [];
    const before = stateOf(whole);
    expect(await outcomeAgain(whole)).toMatch(/non-conformant|incomplete/);
    for (const name of names) {
      const edited = ATTACKS[name]?.({ whole, failing }) ?? whole;
      if (stateOf(edited) === before) continue;
      const again = await outcomeAgain(edited);
      expect(again, name).not.toBe('conformant');
      if (again === null) rejected += 1;
      else harmless.push(name);
    }
    // Where a request was sent again, what came first may be missing; the failure is there all the same.
    expect(harmless.length, harmless.join(', ')).toBeLessThan(3);
    expect(rejected).toBeGreaterThan(names.length / 2);
  });
}

/** A bundle of an edited record, or `null` where it cannot even be judged. */
function signedOrNull(edited: Certification): Bundle | null {
  try {
    return makeBundle(edited, keys.own);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Registers the proof that signed bundles are treated as their records are: correct digests, and the true key. */
export function proveSignedAttacks(faults: readonly Fault[]): void {
  test.each(faults.map((fault) => [fault.name, fault] as const))('nor in a signed bundle: %s', async (_, fault) => {
    const whole = await certificationWith(fault, {});
    const failing = failingIn(whole);
    let signed = 0;
    const before = stateOf(whole);
    for (const edit of Object.values(ATTACKS)) {
      const edited = edit({ whole, failing });
      const made = stateOf(edited) === before ? null : signedOrNull(edited);
      if (made?.outcome.kind !== 'attested') continue;
      signed += 1;
      await expect(verified(bytesOf(made), keys.known)).rejects.toThrow(Disagreement);
    }
    expect(signed).toBeGreaterThan(0);
  });
}
