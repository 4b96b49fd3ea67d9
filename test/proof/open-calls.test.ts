/**
 * The calls that a run names are those that are open, over all faults and over lawful services, whatever becomes of their
 * hang-ups; test/long has all of them. What a run says of a call depends on few requirements, so these are judged alone: the
 * five readings of a fault compare the same after a whole run.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import type { Gateway } from '../../fixtures/gateways/gateways.ts';
import type { Reference } from '../../fixtures/service/reference.ts';
import { CALL_ENDS, type CallEnd, endingCalls, type PlacedCall } from '../../fixtures/variants/call-ends.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { seedOf } from '../../src/certificate/certification.ts';
import { sha256 } from '../../src/exchange/digest.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { CASE_FAULTS } from './case-faults.ts';
import { judgeBehind, type Lawful } from './gateways.ts';
import { lawfulRows } from './lawful.ts';
import { watchingCalls } from './open-calls.ts';

const CALLING = {
  only: [
    'SUCCESS-STATUS',
    'CALL-CREATE-IDS',
    'CALL-CREATE-PRIVACY',
    'CALL-CREATE-BODY',
    'ORG-CALL',
    'ACTION-WITHOUT-BODY',
  ],
};

/** What a service gives for a call that has ended. */
const WORDS = [409, 404, 200] as const;
const drawn = fc.record({
  word: fc.constantFrom(...WORDS),
  ends: fc.array(fc.constantFrom(...CALL_ENDS), { minLength: 12, maxLength: 12 }),
});
type Drawn = ReturnType<typeof endsOf>;

/** The ends of the `nth` item of a list; where ended calls get 404 as well, no client can tell the two apart. */
function endsOf({ word, ends }: { readonly word: (typeof WORDS)[number]; readonly ends: readonly CallEnd[] }) {
  const endOf = ({ nth }: PlacedCall): CallEnd => {
    const end = ends[nth % ends.length] ?? 'plain';
    return word === 404 && end === 'not found' ? 'plain' : end;
  };
  return { word, endOf };
}

/** Lists of a test each. */
const SIZE = 40;
const groupsOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / SIZE) }, (_, at) => items.slice(at * SIZE, (at + 1) * SIZE));

/** Each item with the ends that its name draws: an item that is added changes those of no other. */
const paired = <Item extends { readonly name: string }>(items: readonly Item[]): readonly (readonly [Item, Drawn])[] =>
  items.flatMap((item) => {
    const drawnOf = fc.sample(drawn, { seed: seedOf(sha256(item.name)), numRuns: 1 });
    return drawnOf.map((ends) => [item, endsOf(ends)] as const);
  });

const FAULTY = sampled(paired([...FAULTS, ...CASE_FAULTS]), 80);
const LAWFUL = sampled(paired(lawfulRows(4)), 24);

/** Ends by somebody else of all calls but the first, where an ended call gets 404. */
const BY_ANOTHER: Drawn = { word: 404, endOf: ({ nth }) => (nth === 0 ? 'plain' : 'by another') };

/** What is amiss after a run against a lawful service behind its gateways. */
async function amissOn({ gateways, choices, within, ...service }: Lawful, { word, endOf }: Drawn) {
  let reference: Reference | undefined;
  let watched: ReturnType<typeof watchingCalls> | undefined;
  let isEnding = (_: string): boolean => false;
  const ending: Gateway =
    ({ now }) =>
    (inner) => {
      const ends = endingCalls({ ...(reference as Reference), service: inner }, endOf, now);
      isEnding = ends.isEnding;
      return ends.service;
    };
  const { record } = await judgeBehind({
    ...service,
    choices: { ...choices, 'ended-hang-up': String(word) },
    // The last one is met first.
    gateways: [ending, ...gateways, () => (inner) => watched?.watch(inner) ?? inner],
    within: (inner, own) => {
      reference = own;
      watched = watchingCalls(own);
      return within?.(inner, own) ?? inner;
    },
    changes: CALLING,
  });
  return watched?.amiss(record, word, isEnding) ?? ['nothing was watched'];
}

/** What is amiss after a run against a service with the fault. */
async function amissWith(fault: Fault, { word, endOf }: Drawn): Promise<readonly string[]> {
  const clock = skippingClock();
  const policy = { longList: 20, endedHangUp: word };
  const reference = createVariant({}, { wait: clock.sleep, now: clock.now, policy });
  const ending = endingCalls(reference, endOf, clock.now);
  const { service, settings } = planted(fault, { ...reference, service: ending.service });
  const { watch, amiss } = watchingCalls(reference);
  const { record } = await judge(watch(service), optionsFrom(settings, CALLING), clock);
  return amiss(record, word, ending.isEnding);
}

describe('the calls that are named are those that are open', () => {
  test('where our credential gets 403 for the ended call of the second organization', async () => {
    const service = { choices: { 'unknown-id-status': '403' }, gateways: [] };
    expect(await amissOn(service, BY_ANOTHER)).toEqual([]);
  });

  test('where a hang-up needs a body, and ended calls get 404', async () => {
    const fault = CASE_FAULTS.find(({ name }) => name === 'ACTION-WITHOUT-BODY/hangUpCall') as Fault;
    expect(await amissWith(fault, BY_ANOTHER)).toEqual([]);
  });

  test('where every 40th request has to wait, a hang-up of an ended call among them, and ended calls get 404', async () => {
    const name = 'the reference service; slow; no lock-out; every 40th request has to wait';
    const rows = lawfulRows(4).filter((row) => row.name === name);
    const complaints = await Promise.all(paired(rows).map(([row, ends]) => amissOn(row.service, ends)));
    expect(complaints).toEqual([[], []]);
  });

  test.each(groupsOf(FAULTY.items).map((group) => [group[0]?.[0].name, group] as const))(
    `with a fault, and hang-ups that come to anything: from %s on (${FAULTY.words})`,
    async (_, group) => {
      const complaints: string[] = [];
      for (const [fault, ends] of group)
        complaints.push(...(await amissWith(fault, ends)).map((what) => `${fault.name}, ${ends.word}: ${what}`));
      expect(complaints).toEqual([]);
    },
  );

  test.each(groupsOf(LAWFUL.items).map((group, at) => [at * SIZE, group] as const))(
    `on lawful services, with hang-ups that come to anything: from %i on (${LAWFUL.words})`,
    async (_, group) => {
      const complaints: string[] = [];
      for (const [{ name, service }, ends] of group)
        complaints.push(...(await amissOn(service, ends)).map((what) => `${name}, ${ends.word}: ${what}`));
      expect(complaints).toEqual([]);
    },
  );
});
