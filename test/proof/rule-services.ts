/** The sample of services with business rules: test/proof proves a few of them, test/long all. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { acceptedBodies } from '../../fixtures/variants/lawful-rules.ts';
import { RULES } from '../../fixtures/variants/rules.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import { QUERY_SETTINGS, SETTING_OF } from '../../src/contract/settings.ts';
import { seededOrder } from '../../src/generate/seeded.ts';
import type { Help } from '../selftest/judged.ts';
import { type Proof, provePair } from '../selftest/prove.ts';
import { helpWith, proveRules, type RuleSet, ruleServices, ruleSets, spelledRules } from '../selftest/rules.ts';
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
  [
    'createCall: variables comes with trunk_id (422, before-types)',
    'createCall: trunk_id comes with variables (402, after-types)',
    'createCall: privacy comes with trunk_id (402, before-types)',
    'createCall: application_id is not null (409, before-types)',
  ],
  ['createCall: application_id, if true, comes with privacy (404, before-types)'],
  ['setInboundAuth: another resource (404, before-types)'],
  [
    'createCall: dtmf_mode is named (402, before-types)',
    'createCall: trunk_id or variables is named (402, after-types)',
    'createCall: privacy, if true, comes with dtmf_mode (403, before-types)',
  ],
  [
    'createCall: application_id or variables is named (402, after-types)',
    'createCall: dtmf_mode is named (404, after-types)',
    'updateVoiceApplication: not both ring_timeout_seconds and voice_url (404, after-types)',
    'createCall: trunk_id, if true, comes with dtmf_mode (402, before-types)',
    'createCall: application_id is there and true (402, before-types)',
  ],
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

/** A fault planted in a service with business rules. */
export interface RuleFault {
  readonly fault: Fault;
  readonly rules: RuleSet;
}

/** The settings of the queries, by operation. */
const QUERIES: Readonly<Partial<Record<OperationId, string>>> = QUERY_SETTINGS;

/** Every fault once, each in another service with three rules; the same for the same seed. */
export function allRuleFaults(): readonly RuleFault[] {
  const sets = ruleSets(FAULTS.length, 3, SEED);
  return seededOrder(FAULTS.length, SEED).flatMap((at, index) => {
    const fault = FAULTS[at];
    return fault === undefined ? [] : [{ fault, rules: sets[index % sets.length] ?? [] }];
  });
}

/** All that the operator of a service with these rules could do for the run. */
function allHelp(rules: RuleSet): Help {
  const reserved = rules.filter(({ when }) => when.some((one) => 'state' in one && one.state === 'first-record'));
  const names = reserved.flatMap(({ operation }) => operationById(operation).resources.map((kind) => SETTING_OF[kind]));
  const asking = rules.filter(({ when }) => when.some((one) => 'query' in one));
  const queries = asking.flatMap(({ operation }) => QUERIES[operation] ?? []);
  const picky = OPERATION_IDS.filter((id) => Object.keys(acceptedBodies(rules, id)[0] ?? {}).length > 0);
  return helpWith(rules, picky, [...names, ...queries]);
}

/** A fault is also caught in a service with rules whose operator gives all the help there is, unless a rule hides it. */
function proveRuleFault({ fault, rules }: RuleFault): Promise<Proof> {
  return provePair({ fault, choices: {} }, { rules, help: allHelp(rules) });
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
