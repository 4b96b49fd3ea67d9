/**
 * The proof for services with business rules: none is accused, and what stays open has a remedy that helps, or says that
 * this target cannot show it.
 */

import { createReference } from '../../fixtures/service/reference.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import { acceptedBody } from '../../fixtures/variants/lawful-rules.ts';
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import type { JsonValue } from '../generate/json.ts';
import type { RunOptions } from '../run/options.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { judge, optionsFrom, skippingClock } from './harness.ts';
import { casesOf, isBroken, isMust } from './judged.ts';
import type { Proof } from './prove.ts';
import type { RuleSet } from './rule-services.ts';

/** What an operator gave the run because a remedy asked for it. */
export interface Help {
  readonly samples: readonly OperationId[];
  readonly settings: readonly (keyof ReferenceSettings)[];
}

const NO_HELP: Help = { samples: [], settings: [] };

/** A reason that ends the search: no setting makes this target show it. */
const FINAL = /this target cannot show/;

/** What the rules ask of a list; see `fixtures/variants/rules.ts`. */
const QUERY = 'country_code=US';

/** Judges the service with these rules, with the help of its operator. */
export async function judgedRules(rules: RuleSet, help: Help = NO_HELP): Promise<Results> {
  const clock = skippingClock();
  const { service, settings, spares } = createReference({
    wait: clock.sleep,
    now: clock.now,
    // Where a rule rejects null, the types must not be the reason.
    policy: { rules, optionalNulls: 'absent' },
  });
  const others: Partial<ReferenceSettings> = { ...spares, PCS_AVAILABLE_NUMBERS_QUERY: QUERY };
  const named = Object.fromEntries(help.settings.map((name) => [name, others[name]]));
  const helped = { ...settings, ...named };
  const samples = Object.fromEntries(help.samples.map((id) => [id, sampleFor(rules, id, helped)]));
  const { results } = await judge(service, optionsFrom(helped, { samples: samples as RunOptions['samples'] }), clock);
  return results;
}

/** The body that the operator knows to be accepted. */
function sampleFor(rules: RuleSet, id: OperationId, settings: ReferenceSettings): JsonValue {
  const own: Readonly<Record<string, JsonValue>> = {
    application_id: settings.PCS_VOICE_APPLICATION_ID,
    trunk_id: settings.PCS_TRUNK_ID,
  };
  const numbers = id === 'createCall' ? { from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO } : {};
  const required = id === 'assignNumber' ? { carrier_connection_id: settings.PCS_CARRIER_CONNECTION_ID } : {};
  const members = Object.entries(acceptedBody(rules, id) ?? {});
  const optional = members.map(([name, value]) => [name, value === null ? null : (own[name] ?? value)]);
  return { ...numbers, ...required, ...Object.fromEntries(optional) };
}

/** What the remedies of the open cases ask for. */
function helpFrom(open: readonly CaseResult[]): Help {
  const asks = open.map(({ id, remedy = '' }) => ({ operation: id.split('/')[1], remedy }));
  const wantsSample = (id: OperationId): boolean =>
    asks.some(({ operation, remedy }) => remedy.includes('--samples') && (remedy.includes(id) || operation === id));
  const names = new Set(asks.flatMap(({ remedy }) => remedy.match(/PCS_[A-Z_]+/g) ?? []));
  return {
    samples: OPERATION_IDS.filter(wantsSample),
    settings: [...names] as (keyof ReferenceSettings)[],
  };
}

const openIn = (results: Results): readonly CaseResult[] =>
  casesOf(results).filter((one) => isMust(one) && one.verdict === 'inconclusive');

/** Neither a failure nor a warning: no rule of a lawful service breaks a requirement or a recommendation. */
const accusationsIn = (results: Results, when: string): readonly string[] =>
  casesOf(results)
    .filter(isBroken)
    .map(({ id, reason }) => `${when}, accused of ${id}: ${reason}`);

const isFinal = ({ reason = '', remedy = '' }: CaseResult): boolean => FINAL.test(`${reason} ${remedy}`);

const told = ({ id, reason, remedy }: CaseResult): string => `${id}: ${reason} (remedy: ${remedy})`;

/** Proves one service; the operator follows every remedy once. */
export async function proveRules(rules: RuleSet): Promise<Proof> {
  const results = await judgedRules(rules);
  const open = openIn(results);
  const unsaid = open.filter((one) => one.remedy === undefined && !isFinal(one));
  const problems = [
    ...accusationsIn(results, 'unaided'),
    ...unsaid.map((one) => `without a remedy, ${told(one)}`),
    ...(await problemsAfter(
      rules,
      open.filter((one) => !isFinal(one)),
    )),
  ];
  return problems.length === 0 ? { kind: 'holds' } : { kind: 'broken', problems };
}

async function problemsAfter(rules: RuleSet, open: readonly CaseResult[]): Promise<readonly string[]> {
  if (open.length === 0) return [];
  const results = await judgedRules(rules, helpFrom(open));
  const left = openIn(results).filter((one) => !isFinal(one));
  return [
    ...accusationsIn(results, 'with help'),
    ...left.map((one) => `open although the remedies were followed, ${told(one)}`),
  ];
}
