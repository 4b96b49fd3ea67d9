/** Cases in runs of their own: test/proof tries the first of each requirement, test/long the rest. */

import { expect } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, isBinding, isMust } from '../selftest/judged.ts';

/** The cases of each requirement. */
const CASES = REQUIREMENTS.map(({ id, operations }) => operations.map((operation) => `${id}/${operation}`));

/** The first case of each requirement. */
export const firstCases = (): readonly string[] => CASES.flatMap((cases) => cases.slice(0, 1));

/** The cases that the sample leaves out. */
export const otherCases = (): readonly string[] => CASES.flatMap((cases) => cases.slice(1));

/** Demands that the case is judged, and not as a failure, where nothing else is asked. */
export async function demandJudgedAlone(name: string): Promise<RunRecord> {
  const { service, settings } = createReference();
  const { record, results } = await judge(service, optionsFrom(settings, { only: [name] }));
  const isOfMust = isBinding(name.split('/')[0] ?? '');
  const cases = casesOf(results).filter((one) => isMust(one) === isOfMust);
  expect(results.partial).toBe(true);
  const [own, ...others] = cases;
  expect([own?.id, others]).toEqual([name, []]);
  // What was planned is answered; only what no client can trigger is not exercised.
  expect(own?.questions.answered).toBe(own?.questions.planned);
  expect(own?.verdict).toBe(isOfMust && own?.questions.planned === 0 && own.judged === 0 ? 'not-exercised' : 'pass');
  return record;
}
