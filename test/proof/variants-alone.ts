/** The proofs of services with one lawful choice: test/proof proves the first of each variation point, test/long the rest. */

import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../fixtures/variants/variant.ts';
import { CLAIMED } from '../../src/client/safety/guard.ts';
import { UNSAID } from '../../src/verdict/case.ts';
import { EXIT_OF, type Results } from '../../src/verdict/results.ts';
import { casesOf, isMust, type Judged, judged } from '../selftest/judged.ts';
import { accusationsIn, declaredOpen, type Proof, proofOf, proveVariant } from '../selftest/prove.ts';
import { type Choices, singleVariants } from '../selftest/sample.ts';

const pointOf = (choices: Choices): string | undefined => Object.keys(choices)[0];
const SINGLES = singleVariants();

/** The first choice of each variation point. */
export const firstChoices = (): readonly Choices[] =>
  SINGLES.filter((choices, at) => at === 0 || pointOf(SINGLES[at - 1] ?? {}) !== pointOf(choices));

/** The choices that the sample leaves out. */
export function otherChoices(): readonly Choices[] {
  const first = new Set(firstChoices());
  return SINGLES.filter((choices) => !first.has(choices));
}

/** Why a question stays open by a fault of the suite: nothing says why, or our own id was taken for that of another. */
const FAULTS_OF_OURS: readonly string[] = [UNSAID, CLAIMED];

/** Questions that were planned and not asked by a fault of the suite. */
export function unsaidIn(results: Results): readonly string[] {
  return casesOf(results).flatMap(({ id, unanswered = [] }) =>
    unanswered.flatMap(({ question, reason }) => (FAULTS_OF_OURS.includes(reason) ? [`${id}: ${question}`] : [])),
  );
}

/** Without samples, the run says what it could not judge, and the service still does not fail. */
export async function proveUnaided(choices: Choices): Promise<Proof> {
  const { results } = await judged(choices, { samples: false });
  const verdict = results.verdict === 'incomplete' ? [] : [`${results.verdict}: ${results.reason}`];
  const accused = accusationsIn(results);
  return proofOf(accused.length > 0 ? accused : verdict);
}

/** What a service with these choices may need: a sample, open cases, or nothing. */
export const kindOf = (choices: Choices): string =>
  [declaredOpen(choices).length > 0, Object.keys(samplesOf(choices)).length > 0].join();

/** What a run hears of a service. */
const heardIn = ({ record }: Judged): string =>
  JSON.stringify(record.exchanges.map(({ response, failure, at }) => [response, failure, at]));

/** Choices that a run does not hear of, because it never asks. Any other choice has to change an answer, or its row proves nothing. */
const UNHEARD: readonly string[] = [
  // A run sends no name with blanks around it, and no member in another letter case.
  ...['stored-text: trimmed', 'member-names: any-case'],
  // It places no call from a number that is not its own, nor a second call beside an open one, and sends at most 8 KiB.
  ...['foreign-from: taken', 'repeated-call: refused', 'body-limit: 8-kib'],
  // The transport reads past interim responses.
  'interim-responses: continue-and-hints',
];

const nameOf = (choices: Choices): string =>
  Object.entries(choices)
    .map(([point, choice]) => `${point}: ${choice}`)
    .join(', ');

let plain: ReturnType<typeof judged> | undefined;

/** Demands that the service answers otherwise than the reference somewhere, or is said to do so nowhere. */
async function expectToShow(run: Judged, choices: Choices): Promise<void> {
  plain ??= judged({});
  expect(heardIn(run) === heardIn(await plain)).toBe(UNHEARD.includes(nameOf(choices)));
}

/** Registers the proof of these services; `words` say which they are. */
export function proveSingleChoices(singles: readonly Choices[], words: string): void {
  const rows = singles.map((choices) => ({ choices, name: nameOf(choices) }));
  const declaring = rows.filter(({ choices }) => declaredOpen(choices).length > 0);
  const aided = rows.filter(({ choices }) => Object.keys(samplesOf(choices)).length > 0);

  describe(`a service with one lawful choice (${words})`, () => {
    test.each(rows.filter((row) => !declaring.includes(row)))(
      'is conformant and exits 0: $name',
      async ({ choices }) => {
        const run = await judged(choices);
        const { results, unnamed } = run;
        await expectToShow(run, choices);
        expect(unnamed).toEqual([]);
        expect([results.verdict, EXIT_OF[results.verdict]]).toEqual(['conformant', 0]);
        expect(unsaidIn(results)).toEqual([]);
      },
    );

    test.each(declaring)('leaves open exactly what it declares: $name', async ({ choices }) => {
      const run = await judged(choices);
      const { results, unnamed } = run;
      await expectToShow(run, choices);
      expect(unnamed).toEqual([]);
      const open = casesOf(results).filter((one) => isMust(one) && one.verdict === 'inconclusive');
      expect(open.map(({ id }) => id).sort()).toEqual([...declaredOpen(choices)].sort());
      expect(results.verdict).toBe('incomplete');
    });

    test.each(aided.filter(({ name }) => name !== 'required-update-fields: all'))(
      'is incomplete and not accused without a sample: $name',
      async ({ choices }) => {
        expect(await proveUnaided(choices)).toEqual({ kind: 'holds' });
      },
    );
  });
}

/** Demands that a list of so many numbers, over a socket and compressed, is lawful. */
export async function demandLongLists(numbers: number): Promise<void> {
  const choices = { lists: 'three-megabytes', coding: 'gzip-always' };
  expect(await proveVariant(choices, { longList: numbers, socket: true })).toEqual({ kind: 'holds' });
}
