/** The sample of services with business rules: test/proof proves a few of them, test/long all. */

import { describe, expect, test } from 'vitest';
import { proveRuleFault, proveRules } from '../../src/selftest/prove-rules.ts';
import {
  type RuleFault,
  type RuleSet,
  ruleFaults,
  ruleServices,
  spelledRules,
} from '../../src/selftest/rule-services.ts';
import { batchesOf } from './samples.ts';

const SEED = 20_250_102;

/** Each rule alone, and pairs and larger sets. */
export function allRuleServices(): readonly RuleSet[] {
  return ruleServices(3_000, SEED);
}

/** Every planted fault once, each in another service with rules. */
export function allRuleFaults(): readonly RuleFault[] {
  return ruleFaults(SEED);
}

/** Registers the proof of these services. */
export function proveRuleServices(services: readonly RuleSet[]): void {
  describe('a lawful service with business rules is not accused, and each open case has a remedy that is true', () => {
    test.each(batchesOf(services))('in the sample from $from to $to', async ({ batch }) => {
      const broken: unknown[] = [];
      for (const rules of batch) {
        const proof = await proveRules(rules);
        if (proof.kind === 'broken') broken.push({ rules: spelledRules(rules), problems: proof.problems });
      }
      expect(broken).toEqual([]);
    });
  });
}

/** Registers the proof of these faults; at least so many of them are caught rather than hidden by a rule. */
export function proveRuleFaults(pairs: readonly RuleFault[], caughtAtLeast: number): void {
  describe('a planted fault is caught in a service with business rules, too', () => {
    let caught = 0;

    test.each(batchesOf(pairs))('in the sample from $from to $to', async ({ batch }) => {
      const missed: unknown[] = [];
      for (const pair of batch) {
        const proof = await proveRuleFault(pair);
        if (proof.kind === 'holds') caught += 1;
        if (proof.kind === 'broken') missed.push({ fault: pair.fault.name, rules: spelledRules(pair.rules), proof });
      }
      expect(missed).toEqual([]);
    });

    test('in most of these services no rule hides the fault', () => {
      expect(caught).toBeGreaterThanOrEqual(caughtAtLeast);
    });
  });
}
