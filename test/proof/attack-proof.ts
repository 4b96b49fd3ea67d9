/** What the holder of the signing key edits in the record of a faulty service is rejected, whatever it comes to. */

import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { Bundle } from '../../src/certificate/bundle.ts';
import { type Certification, Disagreement, type Particulars } from '../../src/certificate/bundle-files.ts';
import { drawOf, outcomeOf } from '../../src/certificate/certification.ts';
import { catalogueOf, rerunOf } from '../../src/certificate/rerun-check.ts';
import { demandWitnessed, Witnessing, WitnessLog } from '../../src/certificate/witness.ts';
import type { Clock } from '../../src/client/clock.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import { endOf } from '../../src/exchange/exchange.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf } from '../../suites/index.ts';
import { optionsFrom, skippingClock } from '../selftest/harness.ts';
import { isBinding } from '../selftest/judged.ts';
import {
  bytesOf,
  certificationOf,
  certifyingWith,
  NONCE,
  newKeys,
  signedAnyway,
  verified,
} from '../unit/certificate/certified.ts';
import { ATTACKS, type Attacked, failingIn, failuresOf } from './attacks.ts';
import { FACT_ATTACKS, MIXES, MOVES } from './fact-attacks.ts';
import { served } from './served.ts';

const keys = newKeys();

/** A clock that moves on whenever it is read: in the run of a real service, requests differ in their times. */
function movingClock(start = 0): Clock {
  const { now, ...pauses } = skippingClock();
  let read = 0;
  return {
    now: () => {
      read += 1;
      return start + now() + 4 * read;
    },
    ...pauses,
  };
}

const AN_HOUR = 3_600_000;

/** The certification of a target with the fault, or of one that was mended an hour later: under the same nonce. */
function certificationWith(fault: Fault, changes: Partial<RunOptions>, isMended = false): Promise<Certification> {
  const clock = movingClock(isMended ? AN_HOUR : 0);
  const mended = createVariant({}, { wait: clock.sleep, now: clock.now, policy: { longList: 20 } });
  const { service, settings } = planted(fault, mended);
  const options = certifyingWith(optionsFrom(settings, changes), NONCE);
  return certificationOf(served(isMended ? mended.service : service, clock), options, NONCE, clock);
}

const attackedWith = async (fault: Fault, changes: Partial<RunOptions>): Promise<Attacked> => {
  const whole = await certificationWith(fault, changes);
  const { record } = await certificationWith(fault, changes, true);
  return { whole, failing: failingIn(whole), other: record.exchanges };
};

/** Operations beside those in which a fault shows. */
const BESIDE: readonly string[] = ['createCall', 'hangUpCall', 'listTrunks', 'getTrunk'];

/** The certification of the operations alone in which the fault shows, which is quicker; of all, if it does not show there. */
async function narrowlyAttackedWith(fault: Fault): Promise<Attacked> {
  const { record } = await certificationWith(fault, {});
  const examples = failuresOf(resultsOf(record));
  const shown = record.exchanges.flatMap(({ seq, tag }) => (examples.has(seq) ? [tag.operation] : []));
  const without = OPERATION_IDS.filter((id) => !shown.includes(id) && !BESIDE.includes(id));
  const narrow = await attackedWith(fault, { without });
  return narrow.failing.length > 0 ? narrow : attackedWith(fault, {});
}

/** What an edit can change. */
const stateOf = ({ record, nonce }: Certification): string => JSON.stringify([record, nonce]);

const SALT = '5a'.repeat(32);

const particularsOf = ({ record, implementation, nonce, time }: Certification): Particulars => {
  const { suite } = record.header;
  return { suite, catalogue: catalogueOf(suite.version), implementation, nonce, time };
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
    const again = await rerunOf(stored, particulars, log !== undefined);
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

/** What the holder of the key can do without a witness: without inventing answers, and without taking those of the same moment. */
const UNWITNESSED = { ...ATTACKS, ...FACT_ATTACKS, ...MIXES };
const WITNESSED = { ...UNWITNESSED, ...MOVES };

/** Registers the proof for these faults; each is attacked in the ways that `picks` names, and with a witness in all ways. */
export function proveAttacks(
  faults: readonly Fault[],
  picks: (at: number) => boolean,
  attack: (fault: Fault) => Promise<Attacked> = narrowlyAttackedWith,
): void {
  const edits = Object.entries(UNWITNESSED).filter((_, at) => picks(at));
  const own = edits.filter(([name]) => name in ATTACKS);
  test.each(faults.map((fault) => [fault.name, fault] as const))('the fault %s cannot be hidden', async (_, fault) => {
    const attacked = await attack(fault);
    const { whole } = attacked;
    const before = stateOf(whole);
    const log = await witnessLogOf(whole);
    const truth = await outcomeAgain(whole);
    expect(truth).toMatch(/non-conformant|incomplete/);
    expect(await outcomeAgain(whole, log)).toBe(truth);
    let rejected = 0;
    const harmless: string[] = [];
    for (const [name, edit] of edits) {
      const edited = edit(attacked);
      if (stateOf(edited) === before) continue;
      const again = await outcomeAgain(edited);
      expect(again, name).not.toBe('conformant');
      if (again !== null) harmless.push(name);
      else if (name in ATTACKS) rejected += 1;
    }
    for (const [name, edit] of Object.entries(WITNESSED)) {
      const edited = edit(attacked);
      if (stateOf(edited) !== before) expect(await outcomeAgain(edited, log), name).toBeNull();
    }
    // Where a request was sent again, what came first may be missing; the failure is there all the same.
    expect(harmless.length, harmless.join(', ')).toBeLessThan(3);
    expect(rejected).toBeGreaterThan(own.length / 2);
  });
}

/** A bundle of an edited record, signed in any case, or `null` where it cannot even be judged. */
function signedOrNull(edited: Certification): Bundle | null {
  try {
    return signedAnyway(edited, keys.own);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The outcome of a signed bundle, or `null` where it is rejected. */
async function outcomeOfSigned(bundle: Bundle): Promise<string | null> {
  try {
    return (await verified(bytesOf(bundle), keys.known)).outcome.outcome;
  } catch (error) {
    if (error instanceof Disagreement) return null;
    throw error;
  }
}

/** Registers the proof that signed bundles are treated as their records are: correct digests, and the true key. */
export function proveSignedAttacks(faults: readonly Fault[]): void {
  test.each(faults.map((fault) => [fault.name, fault] as const))('nor in a signed bundle: %s', async (_, fault) => {
    const attacked = await attackedWith(fault, {});
    let signed = 0;
    const harmless: string[] = [];
    const before = stateOf(attacked.whole);
    for (const [name, edit] of Object.entries(UNWITNESSED)) {
      const edited = edit(attacked);
      const made = stateOf(edited) === before ? null : signedOrNull(edited);
      if (made === null) continue;
      signed += 1;
      const outcome = await outcomeOfSigned(made);
      expect(outcome, name).not.toBe('conformant');
      if (outcome !== null) harmless.push(name);
    }
    expect(harmless.length, harmless.join(', ')).toBeLessThan(3);
    expect(signed).toBeGreaterThan(Object.keys(UNWITNESSED).length / 2);
  });
}
