/** Services with business rules: each rule alone, then two at a time and in random sets by seed, and what helps a run there. */

import { createReference } from '../../fixtures/service/reference.ts';
import type { Rule } from '../../fixtures/service/rule.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import { acceptedBodies, isLawful } from '../../fixtures/variants/lawful-rules.ts';
import { RULES } from '../../fixtures/variants/rules.ts';
import { OPERATION_IDS, type OperationId } from '../../src/contract/operations.ts';
import { QUERY_SETTINGS } from '../../src/contract/settings.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import type { CaseResult, Results } from '../../src/verdict/results.ts';
import { casesOf, type Help, isBroken } from './judged.ts';
import type { Choices } from './sample.ts';
import { seededOrder, seededRows } from './seeded.ts';

/** The rules of one service. */
export type RuleSet = readonly Rule[];

const MOST_RULES = 6;

/** Sets of that many rules, each as often as any other; the same for the same seed. */
function ruleSets(count: number, size: number, seed: number): readonly RuleSet[] {
  const counts = Array.from({ length: size }, () => RULES.length);
  // Some sets contradict themselves or break a promise together, so more are drawn than are used.
  const drawn = seededRows(counts, seed, count * 2).map((row) => row.flatMap((at) => RULES[at] ?? []));
  return drawn.filter(isLawful).slice(0, count);
}

/** Number of rules that an operation needs for pairs: with fewer, all of them are about the same thing. */
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

/** The choices of a service with these rules: where a rule looks at null, the types must not reject it first. */
export function choicesFor(rules: RuleSet): Choices {
  const isAboutNull = rules.some(({ when }) => when.some((one) => 'is' in one && ['null', 'absent'].includes(one.is)));
  return isAboutNull ? { 'optional-nulls': 'absent' } : {};
}

/** A reason that ends the search: no setting makes this target show it. */
const FINAL = /this target cannot show|this cannot be tested/;

/** Whether the reason of an open case says that no setting makes this target show it. */
export const isFinal = ({ reason = '' }: CaseResult): boolean => FINAL.test(reason);

/** The operations whose rules reject an update that was made before. */
const onceOnly = (rules: RuleSet): readonly string[] =>
  rules.flatMap(({ operation, when }) =>
    when.some((one) => 'state' in one && one.state.startsWith('same-as')) ? [operation] : [],
  );

/**
 * Failures and warnings alike: a rule breaks no recommendation either, but for two. A service that takes null for absent
 * is warned, and so is one that rejects a PUT that it accepted before: that first PUT is the sibling.
 */
export function accusationsIn(rules: RuleSet, results: Results, when: string): readonly string[] {
  const isOwn = ({ id }: CaseResult): boolean =>
    ('optional-nulls' in choicesFor(rules) && id.startsWith('NULL-REFUSED/')) ||
    onceOnly(rules).some((operation) => id === `PUT-REPEATED/${operation}`);
  const accused = casesOf(results).filter((one) => isBroken(one) && !isOwn(one));
  return accused.map(({ id, reason }) => `${when}, accused of ${id}: ${reason}`);
}

const { settings: SETTINGS, spares: SPARES } = createReference();

/** What an operator could name instead: another resource, and the query that the rules ask for. */
const OTHER_SETTINGS: Partial<ReferenceSettings> = {
  ...SPARES,
  ...Object.fromEntries(Object.values(QUERY_SETTINGS).map((name) => [name, 'country_code=US'])),
};

/** As many as any service of the sample takes. */
const MANY_CALLS = 60;

const wantsCalls = ({ remedy = '' }: CaseResult): boolean => remedy.includes('--max-calls');

/** What the operator does who follows the remedies of these cases, and nothing else. */
export function helpFrom(rules: RuleSet, open: readonly CaseResult[]): Help {
  const asked = open.map(({ operation, remedy = '' }) => ({ operation, remedy }));
  const isWanted = (id: OperationId): boolean =>
    asked.some(({ operation, remedy }) => remedy.includes('--samples') && (remedy.includes(id) || operation === id));
  const names = asked.flatMap(({ remedy }) => remedy.match(/PCS_[A-Z_]+/g) ?? []);
  const help = helpWith(rules, OPERATION_IDS.filter(isWanted), names);
  return open.some(wantsCalls) ? { ...help, limits: { maxCalls: MANY_CALLS } } : help;
}

/** Samples for these operations, and the other values of these settings. */
function helpWith(rules: RuleSet, ids: readonly OperationId[], names: readonly string[]): Help {
  const settings = Object.fromEntries(Object.entries(OTHER_SETTINGS).filter(([name]) => names.includes(name)));
  const all = { ...SETTINGS, ...settings };
  return { settings, samples: Object.fromEntries(ids.map((id) => [id, sampleFor(rules, id, all)])) };
}

/** A body that the service accepts, with the ids of the settings: an update of few members, a call with many. */
function sampleFor(rules: RuleSet, id: OperationId, settings: ReferenceSettings): JsonObject {
  const ids: Readonly<Record<string, JsonValue>> = {
    application_id: settings.PCS_VOICE_APPLICATION_ID,
    trunk_id: settings.PCS_TRUNK_ID,
  };
  const numbers = id === 'createCall' ? { from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO } : {};
  const connection = id === 'assignNumber' ? { carrier_connection_id: settings.PCS_CARRIER_CONNECTION_ID } : {};
  const body = acceptedBodies(rules, id).at(id === 'createCall' ? -1 : 0) ?? {};
  const members = Object.entries(body as JsonObject);
  const named = members.map(([name, value]) => [name, value === null ? null : (ids[name] ?? value)] as const);
  return { ...numbers, ...connection, ...Object.fromEntries(named) };
}
