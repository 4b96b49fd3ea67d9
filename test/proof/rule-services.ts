/** The sample of services with business rules: test/proof proves a few of them, test/long all. */

import { describe, expect, test } from 'vitest';
import { RULES } from '../../fixtures/variants/rules.ts';
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

/** Services that each needed a change of the suite before their runs were right. */
const TELLING: readonly (readonly string[])[] = [
  ['createCall: variables comes with dtmf_mode (403, after-types)'],
  [
    'createCall: not both application_id and variables (400, before-types)',
    'createCall: privacy comes with application_id (400, after-types)',
  ],
  ['setInboundAuth: not both realm and secret (409, after-types)', 'setInboundAuth: realm is named (404, after-types)'],
  ['assignNumber: another resource (403, after-types)'],
  ['answerCall: a call that does not ring (409, after-types)'],
  ['listTrunks: the query parameter country_code (409, after-types)'],
  ['createCall: trunk_id is there and true (409, before-types)'],
  ['createCall: privacy, if true, comes with trunk_id (409, before-types)'],
  ['createCall: application_id, if true, comes with privacy (404, before-types)'],
];

/** The same with their rules; throws where a rule has another name now. */
export function tellingServices(): readonly RuleSet[] {
  return TELLING.map((names) =>
    names.map((name) => {
      const rule = RULES.find((one) => spelledRules([one]) === name);
      if (rule === undefined) throw new Error(`there is no rule "${name}"`);
      return rule;
    }),
  );
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
