/** What the holder of the signing key edits in the record of a faulty service is rejected, whatever it comes to. */

import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { type Bundle, makeBundle } from '../../src/certificate/bundle.ts';
import { Disagreement } from '../../src/certificate/bundle-files.ts';
import { type Certification, drawOf, outcomeOf, type Particulars } from '../../src/certificate/certification.ts';
import { catalogueOf, rerunOf } from '../../src/certificate/rerun-check.ts';
import { demandWitnessed } from '../../src/certificate/witness.ts';
import { Witnessing, WitnessLog } from '../../src/cli/witnessing.ts';
import type { Clock } from '../../src/client/pacing.ts';
import { endOf } from '../../src/exchange/exchange.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { optionsFrom, skippingClock } from '../../src/selftest/harness.ts';
import { isBinding } from '../../src/selftest/judged.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { bytesOf, certificationOf, certifyingWith, NONCE, newKeys, verified } from '../unit/certificate/certified.ts';
import { ATTACKS, failingIn } from './attacks.ts';
import { FACT_ATTACKS, MOVES } from './fact-attacks.ts';
import { served } from './served.ts';

const keys = newKeys();

/** A clock that moves on whenever it is read: in the run of a real service, requests differ in their times. */
function movingClock(): Clock {
  const { now, sleep } = skippingClock();
  let read = 0;
  return {
    now: () => {
      read += 1;
      return now() + 4 * read;
    },
    sleep,
  };
}

async function certificationWith(fault: Fault, changes: Partial<RunOptions>): Promise<Certification> {
  const clock = movingClock();
  const how = { wait: clock.sleep, now: clock.now, policy: { longList: 20 } };
  const { service, settings } = planted(fault, createVariant({}, how));
  return certificationOf(served(service, clock), certifyingWith(optionsFrom(settings, changes), NONCE), NONCE, clock);
}

/** What an edit can change. */
const stateOf = ({ record, nonce }: Certification): string => JSON.stringify([record, nonce]);

const SALT = '5a'.repeat(32);

const particularsOf = ({ record, implementation, nonce, time }: Certification): Particulars => {
  const { suite } = record.header;
  return { suite, catalogue: catalogueOf(suite.version, SUITE), implementation, nonce, time };
};

const startOf = ({ record, time }: Certification): number =>
  Date.parse(time) - Math.max(...record.exchanges.map(endOf));

/** The log of a witness that saw the run. */
async function witnessLogOf(whole: Certification): Promise<string> {
  let now = startOf(whole);
  const log = new WitnessLog(
    '',
    () => undefined,
    () => now,
  );
  const record = JSON.parse(JSON.stringify(whole.record));
  const witnessing = new Witnessing(SALT, drawOf(whole, record), async (testimony) => log.note(testimony));
  await witnessing.begin();
  for (const exchange of whole.record.exchanges) {
    now = startOf(whole) + endOf(exchange);
    witnessing.note(exchange);
    // As in a run: the witness answers before the next request does.
    await Promise.resolve();
  }
  return witnessing.end();
}

/** The outcome of a record that is run again, or `null` where it does not come out the same; `log`: that of its witness. */
async function outcomeAgain(whole: Certification, log?: string): Promise<string | null> {
  try {
    // Through JSON and back, as a file holds it.
    const stored: RunRecord = JSON.parse(JSON.stringify(whole.record));
    const particulars = particularsOf(whole);
    if (log !== undefined) {
      const draw = drawOf(particulars, stored);
      const { exchanges } = stored;
      demandWitnessed(log, { salt: SALT, draw, exchanges, startedAt: startOf({ ...whole, record: stored }) });
    }
    const again = await rerunOf(stored, particulars, SUITE, log !== undefined);
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
  const edits = Object.entries({ ...ATTACKS, ...FACT_ATTACKS }).filter((_, at) => picks(at));
  test.each(faults.map((fault) => [fault.name, fault] as const))('the fault %s cannot be hidden', async (_, fault) => {
    const whole = await certificationWith(fault, changes);
    const failing = failingIn(whole);
    let rejected = 0;
    const harmless: string[] = [];
    const before = stateOf(whole);
    const log = await witnessLogOf(whole);
    const truth = await outcomeAgain(whole);
    expect(truth).toMatch(/non-conformant|incomplete/);
    expect(await outcomeAgain(whole, log)).toBe(truth);
    for (const [name, edit] of edits) {
      const edited = edit({ whole, failing });
      if (stateOf(edited) === before) continue;
      const again = await outcomeAgain(edited);
      expect(again, name).not.toBe('conformant');
      if (again === null) rejected += 1;
      else harmless.push(name);
    }
    for (const [name, edit] of Object.entries({ ...FACT_ATTACKS, ...MOVES })) {
      const edited = edit({ whole, failing });
      if (stateOf(edited) !== before) expect(await outcomeAgain(edited, log), name).toBeNull();
    }
    // Where a request was sent again, what came first may be missing; the failure is there all the same.
    expect(harmless.length, harmless.join(', ')).toBeLessThan(8);
    expect(rejected).toBeGreaterThan(edits.length / 3);
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
    for (const edit of Object.values({ ...ATTACKS, ...FACT_ATTACKS })) {
      const edited = edit({ whole, failing });
      const made = stateOf(edited) === before ? null : signedOrNull(edited);
      if (made?.outcome.kind !== 'attested') continue;
      signed += 1;
      await expect(verified(bytesOf(made), keys.known)).rejects.toThrow(Disagreement);
    }
    expect(signed).toBeGreaterThan(0);
  });
}
