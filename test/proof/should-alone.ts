/** Cases of `should` requirements in runs of their own: test/proof tries one of each requirement, test/long the rest. */

import { expect } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
import { casesOf, isMust } from '../../src/selftest/judged.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';

export const SHOULD = REQUIREMENTS.filter(({ level }) => level === 'should');

/** The cases of each requirement. A ringing call is answered once, by the control of the whole run. */
const CASES = SHOULD.map(({ id, operations }) =>
  operations.map((operation) => `${id}/${operation}`).filter((name) => !name.endsWith('ID-REFUSED/answerCall')),
);

/** The first case of each requirement. */
export const firstCases = (): readonly string[] => CASES.flatMap((cases) => cases.slice(0, 1));

/** The cases that the sample leaves out. */
export const otherCases = (): readonly string[] => CASES.flatMap((cases) => cases.slice(1));

/** Demands that the case passes where nothing else is asked. */
export async function demandPassAlone(name: string): Promise<void> {
  const { service, settings } = createReference();
  const { results } = await judge(service, optionsFrom(settings, { only: [name] }));
  const cases = casesOf(results).filter((one) => !isMust(one));
  expect(cases.map(({ id, verdict }) => [id, verdict])).toEqual([[name, 'pass']]);
}
