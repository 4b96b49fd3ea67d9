/** The sample of services with business rules: test/proof proves a few of them, test/long all. */

import { describe, expect, test } from 'vitest';
import { proveRules } from '../../src/selftest/prove-rules.ts';
import { type RuleSet, ruleServices } from '../../src/selftest/rule-services.ts';

const SEED = 20_250_102;

/** Every rule alone, and as many pairs and sets as make the number of services full. */
export function allRuleServices(): readonly RuleSet[] {
  return ruleServices(3_000, SEED);
}

/** Services of one test. */
const SIZE = 25;

const spelled = (rules: RuleSet): readonly string[] => rules.map(({ operation, name }) => `${operation}: ${name}`);

/** Registers the proof of these services. */
export function proveRuleServices(services: readonly RuleSet[]): void {
  const batches = Array.from({ length: Math.ceil(services.length / SIZE) }, (_, batch) => {
    return { from: batch * SIZE, batch: services.slice(batch * SIZE, (batch + 1) * SIZE) };
  });
  describe('a lawful service with business rules is not accused, and each open case has a remedy that is true', () => {
    test.each(batches)('in the sample from $from', async ({ batch }) => {
      const broken: unknown[] = [];
      for (const rules of batch) {
        const proof = await proveRules(rules);
        if (proof.kind === 'broken') broken.push({ rules: spelled(rules), problems: proof.problems });
      }
      expect(broken).toEqual([]);
    });
  });
}
