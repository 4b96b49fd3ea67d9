/** That what a killed run recorded can be judged, wherever it ends. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judgedAsFar } from '../../src/run/rerun.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { isWhole, narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';

const { service, settings } = createReference();
const asStored = (record: RunRecord): RunRecord => JSON.parse(JSON.stringify(record));
const stored = asStored((await judge(service, optionsFrom(settings))).record);

/** The record of a run that was killed after so many answers; `lost` answers before the last were still under way. */
const killedAfter = (answers: number, lost: number, stored: RunRecord): RunRecord => ({
  ...stored,
  skipped: [],
  settled: {},
  endedEarly: 'the run was killed',
  exchanges: stored.exchanges.slice(0, answers).filter((_, at) => at < answers - 1 - lost || at === answers - 1),
});

const STEP = isWhole() ? 7 : 239;
// Right behind a rejection of the other organization, which nothing had accepted yet.
const [first, second] = ['answerCall', 'hangUpCall'].map((operation) =>
  stored.exchanges.findIndex(({ tag }) => tag.role === 'probe' && tag.sequence === `${operation}/other organization`),
) as [number, number];
const steps = Array.from({ length: Math.floor(stored.exchanges.length / STEP) }, (_, at) => 1 + at * STEP);
const ends = [...steps, first + 1, second + 1];

test.each(ends)('a run that was killed after %i answers is judged as far as it goes', async (answers) => {
  for (const lost of [0, 1]) {
    const killed = killedAfter(answers, Math.min(lost, answers - 1), stored);
    const results = resultsOf(await judgedAsFar(killed, SUITE));
    expect([results.verdict, results.reason]).toEqual(['incomplete', expect.stringContaining('the run was killed')]);
    // No setting is wrong in a run against the reference service, so no remedy may name one.
    const cases = casesOf(results);
    const remedies = [...cases, ...cases.flatMap(({ unanswered = [] }) => unanswered)].map(
      ({ remedy }) => remedy ?? '',
    );
    expect(remedies.filter((remedy) => remedy !== '' && !remedy.startsWith('run again'))).toEqual([]);
  }
});

// Both kinds of request go out together, and the last of them was under way.
test.each([
  ['updateTrunk/other organization', 'other-organization', 'organizations-alike-but-for-trunks', 'ORG-ISOLATION'],
  ['updateTrunk/no effect: invalid credentials', 'none', 'anonymous-everywhere', 'AUTH-NO-EFFECT'],
])(
  'the access that %s gave is found in a run that was killed right behind it',
  async (sequence, credential, name, id) => {
    const fault = FAULTS.find((one) => one.name === name);
    const faulty = createReference();
    const run = await judge(
      fault?.inject(faulty.service, faulty.settings) ?? faulty.service,
      optionsFrom(faulty.settings, narrowed(id)),
    );
    const whole = asStored(run.record);
    const isAccess = ({ tag, request, response }: (typeof whole.exchanges)[number]): boolean =>
      tag.sequence === sequence && request.credential === credential && response?.status === 200;
    const answers = whole.exchanges.findIndex(isAccess) + 1;
    expect(whole.exchanges[answers]?.tag.sequence).toBe(sequence);
    const killed = resultsOf(await judgedAsFar(killedAfter(answers, 0, whole), SUITE));
    expect(casesOf(killed).find((one) => one.id === `${id}/updateTrunk`)).toMatchObject({ verdict: 'fail' });
  },
);
