/** Which services with business rules are tried: each rule alone, then two at a time and in random sets by seed. */

import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import type { Rule } from '../../fixtures/service/rules.ts';
import { isLawful } from '../../fixtures/variants/lawful-rules.ts';
import { RULES } from '../../fixtures/variants/rules.ts';
import { seededOrder, seededRows } from '../generate/seeded.ts';

/** The rules of one service. */
export type RuleSet = readonly Rule[];

/** The most rules in a random set. */
const MOST_RULES = 6;

/** Sets of that many rules, each as often as any other; the same for the same seed. */
function ruleSets(count: number, size: number, seed: number): readonly RuleSet[] {
  const counts = Array.from({ length: size }, () => RULES.length);
  // Some sets contradict themselves or break a promise together, so more are drawn than are used.
  const drawn = seededRows(counts, seed, count * 2).map((row) => row.flatMap((at) => RULES[at] ?? []));
  return drawn.filter(isLawful).slice(0, count);
}

/** So many rules an operation needs for pairs: with fewer, all of them are about the same thing. */
const ENOUGH_TO_MEET = 30;

/** Two rules about the same operation: they meet more often than two of all. */
function rulePairs(count: number, seed: number): readonly RuleSet[] {
  const operations = [...new Set(RULES.map(({ operation }) => operation))];
  const own = operations
    .map((id) => RULES.filter(({ operation }) => operation === id))
    .filter(({ length }) => length >= ENOUGH_TO_MEET);
  const most = Math.max(...own.map(({ length }) => length));
  const rows = seededRows([own.length, most, most], seed, count * 2);
  const drawn = rows.map(([at = 0, one = 0, other = 0]) => {
    const rules = own[at] ?? [];
    return [rules[one % rules.length], rules[other % rules.length]].filter((rule) => rule !== undefined);
  });
  return drawn.filter(isLawful).slice(0, count);
}

/** A fault planted in a service with business rules. */
export interface RuleFault {
  readonly fault: Fault;
  readonly rules: RuleSet;
}

/** Every fault once, each in another service with three rules; the same for the same seed. */
export function ruleFaults(seed: number): readonly RuleFault[] {
  const sets = ruleSets(FAULTS.length, 3, seed);
  return seededOrder(FAULTS.length, seed).flatMap((at, index) => {
    const fault = FAULTS[at];
    return fault === undefined ? [] : [{ fault, rules: sets[index % sets.length] ?? [] }];
  });
}

/** The rules in words. */
export const spelledRules = (rules: RuleSet): string =>
  rules.map(({ operation, name }) => `${operation}: ${name}`).join('; ');

/**
 * That many services: each rule alone, and pairs and sets of three to six to make up the number, in an order that
 * depends on the seed.
 */
export function ruleServices(count: number, seed: number): readonly RuleSet[] {
  const singles = RULES.map((rule) => [rule]);
  const rest = Math.max(0, count - singles.length);
  const sizes = Array.from({ length: MOST_RULES - 2 }, (_, at) => at + 3);
  const sets = sizes.flatMap((size) => ruleSets(Math.ceil(rest / 2 / sizes.length), size, seed + size));
  const services = [...singles, ...rulePairs(Math.ceil(rest / 2), seed), ...sets];
  const order = seededOrder(services.length, seed).slice(0, count);
  return order.map((at) => services[at] ?? []);
}
