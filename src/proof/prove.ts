/** The proof, one service at a time: a lawful one is never accused, a faulty one always, and of the right thing. */

import type { Fault } from '../../fixtures/faults/index.ts';
import { createVariant, inconclusiveOf } from '../../fixtures/service/variant.ts';
import type { CaseResult, Results } from '../engine/results.ts';
import { judge, optionsFrom, skippingClock } from './harness.ts';
import type { Choices } from './sample.ts';

function casesOf(results: Results, level: 'must' | 'should'): readonly CaseResult[] {
  return results.requirements.filter((row) => row.level === level).flatMap(({ cases }) => cases);
}

/** Whether a declared entry (`REQUIREMENT/operation`, either part may be `*`) covers a case. */
function covers(entry: string, id: string): boolean {
  const [requirement, operation] = entry.split('/');
  const [ofRequirement, ofOperation] = id.split('/');
  return (requirement === '*' || requirement === ofRequirement) && (operation === '*' || operation === ofOperation);
}

/** What is wrong with how a lawful variant was judged, in sentences; empty where nothing is. */
export async function proveVariant(choices: Choices): Promise<readonly string[]> {
  const clock = skippingClock();
  const variant = createVariant(choices, { wait: clock.sleep, now: clock.now });
  const { results } = await judge(variant.service, optionsFrom(variant.settings), clock);
  const declared = inconclusiveOf(choices);
  const must = casesOf(results, 'must');
  const accused = must.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  const open = must
    .filter(({ verdict }) => verdict === 'inconclusive')
    .filter(({ id }) => !declared.some((entry) => covers(entry, id)));
  const verdict =
    declared.length === 0 && results.verdict !== 'conformant' ? [`${results.verdict}: ${results.summary}`] : [];
  return [
    ...accused.map(({ id, reason }) => `accused of ${id}: ${reason}`),
    ...open.map(({ id, reason }) => `undeclared inconclusive ${id}: ${reason}`),
    ...(accused.length + open.length === 0 ? verdict : []),
  ];
}

/** Requirements that fail or warn, in the order in which results name them. */
export function brokenIn(results: Results): readonly string[] {
  return results.requirements
    .filter(({ cases }) => cases.some(({ verdict }) => verdict === 'fail' || verdict === 'warning'))
    .map(({ id }) => id);
}

/** What is wrong with how a fault on a variant was judged, in sentences. */
export async function provePair(fault: Fault, choices: Choices): Promise<readonly string[]> {
  const clock = skippingClock();
  const variant = createVariant(choices, { wait: clock.sleep, now: clock.now });
  const faulty = fault.inject(variant.service, variant.settings);
  const { results } = await judge(faulty, optionsFrom(variant.settings), clock);
  const broken = brokenIn(results);
  return fault.breaks.some((id) => broken.includes(id)) ? [] : [`not caught: ${results.verdict}: ${broken.join(', ')}`];
}
