/** Each lawful choice alone: what it may leave open it does leave open, and what helps does help. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { inconclusiveOf, samplesOf } from '../../fixtures/variants/variant.ts';
import { VARIATION_POINTS } from '../../fixtures/variants/variation-points.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
import { brokenIn, casesOf, isMust, judged } from '../../src/selftest/judged.ts';
import { proveUnaided, proveVariant } from '../../src/selftest/prove.ts';
import { pairwiseVariants, sampleVariants, singleVariants } from '../../src/selftest/sample.ts';
import { EXIT_OF } from '../../src/verdict/verdict.ts';

const SINGLES = singleVariants().map((choices) => ({
  choices,
  name: Object.entries(choices)
    .map(([freedom, choice]) => `${freedom}: ${choice}`)
    .join(', '),
}));
const DECLARING = SINGLES.filter(({ choices }) => inconclusiveOf(choices).length > 0);
const AIDED = SINGLES.filter(({ choices }) => Object.keys(samplesOf(choices)).length > 0);

const isMixed = ({ choices }: (typeof SINGLES)[number]): boolean =>
  VARIATION_POINTS.every((point) => point.choices.find(({ name }) => name === choices[point.name])?.isAlone !== true);
const MIXED = SINGLES.filter(isMixed);

describe('a service with one lawful choice', () => {
  test.each(SINGLES.filter((single) => !DECLARING.includes(single)))(
    'is conformant and exits 0: $name',
    async ({ choices }) => {
      const { results, unnamed } = await judged(choices);
      expect(unnamed).toEqual([]);
      expect([results.verdict, results.summary, EXIT_OF[results.verdict]]).toEqual([
        'conformant',
        'every must case of the profile passed or was not exercised',
        0,
      ]);
    },
  );

  test.each(DECLARING)('leaves open exactly what it declares: $name', async ({ choices }) => {
    const { results, unnamed } = await judged(choices);
    expect(unnamed).toEqual([]);
    const open = casesOf(results).filter((one) => isMust(one) && one.verdict === 'inconclusive');
    expect(open.map(({ id }) => id).sort()).toEqual([...inconclusiveOf(choices)].sort());
    expect(results.verdict).toBe('incomplete');
  });

  test.each(AIDED.filter(({ name }) => name !== 'required-update-fields: all'))(
    'is incomplete and not accused where nobody gives a sample: $name',
    async ({ choices }) => {
      expect(await proveUnaided(choices)).toEqual({ kind: 'holds' });
    },
  );

  test('is incomplete and does not fail if it demands all fields of a trunk that it does not show', async () => {
    const choices = { 'required-update-fields': 'all', 'success-shape': 'empty' };
    expect(await proveUnaided(choices)).toEqual({ kind: 'holds' });
    expect(await proveVariant(choices)).toEqual({ kind: 'holds' });
  });

  test('may leave the rejection of a token that is not ASCII to its HTTP parser', async () => {
    const { service, settings } = createReference();
    const parsed: Service = async (request) =>
      /[^\x20-\x7e]/.test(request.headers['authorization'] ?? '')
        ? { status: 400, headers: [], body: null }
        : service(request);
    const { results } = await judge(parsed, optionsFrom(settings, { strict: true }));
    expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
  });

  test('may send 100 Continue and 103 Early Hints before every response', async () => {
    const choices = { 'interim-responses': 'continue-and-hints', framing: 'chunked' };
    expect(await proveVariant(choices, { socket: true })).toEqual({ kind: 'holds' });
  });

  test('may send three megabytes of numbers over a socket, compressed', async () => {
    const choices = { lists: 'three-megabytes', coding: 'gzip-always' };
    expect(await proveVariant(choices, { longList: 32_000, socket: true })).toEqual({ kind: 'holds' });
  });
});

describe('the sample of variants', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(sampleVariants(200, 3)).toEqual(sampleVariants(200, 3));
    expect(sampleVariants(200, 3)).not.toEqual(sampleVariants(200, 4));
  });

  test('shows every pair of choices of any two freedoms', () => {
    const shown = new Set<string>();
    for (const row of pairwiseVariants()) {
      const made = Object.entries(row).map(([freedom, choice]) => `${freedom}=${choice}`);
      for (const [at, one] of made.entries()) for (const other of made.slice(at + 1)) shown.add(`${one} ${other}`);
    }
    const [first] = MIXED;
    expect(MIXED.every(({ choices }) => Object.entries(choices).every(isShownWithEvery(shown)))).toBe(true);
    expect(first).toBeDefined();
  });
});

/** Whether each other single choice of another freedom is shown together with this one. */
function isShownWithEvery(shown: ReadonlySet<string>): (entry: readonly [string, string]) => boolean {
  return ([freedom, choice]) =>
    MIXED.flatMap(({ choices }) => Object.entries(choices))
      .filter(([other]) => other !== freedom)
      .every(([other, made]) => {
        const pair = [`${freedom}=${choice}`, `${other}=${made}`];
        return shown.has(pair.join(' ')) || shown.has(pair.toReversed().join(' '));
      });
}
