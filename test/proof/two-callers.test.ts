/** A call has two ways out: some numbers may call alone, others only over their trunk (conformance model, section 0, rule 12). */

import { expect, test } from 'vitest';
import { rejected } from '../../fixtures/faults/replies.ts';
import { all, authorized, membersOf, on, type Visit } from '../../fixtures/faults/visit.ts';
import { instead } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { NUMBERS } from '../../fixtures/service/seeding.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { questionsSentence } from '../../src/verdict/sentence.ts';
import { allAnswered } from '../planned.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

const [MANAGED, OWN] = NUMBERS.alpha;

/** Managed numbers call alone and own ones over their trunk; whatever else is wrong with a body is looked at first. */
const isWrongWayOut = (visit: Visit): boolean => {
  const { from, trunk_id } = membersOf(visit);
  if (typeof trunk_id === 'string') return from === MANAGED;
  return from === OWN && (trunk_id ?? null) === null;
};

/** The same where a trunk_id of the wrong type counts as none. */
const isWrongWayOutOfAny = (visit: Visit): boolean =>
  membersOf(visit)['from'] === (typeof membersOf(visit)['trunk_id'] === 'string' ? MANAGED : OWN);

async function judged(changes: Partial<RunOptions>, isWrong = isWrongWayOut) {
  const { service, settings } = createReference();
  const options = optionsFrom(settings, changes);
  const twoWays = instead(all(on('createCall'), authorized, isWrong), () => rejected(403, 'caller_not_authorized'));
  const { record, results } = await judge(twoWays(service, settings), options);
  await comesOutTheSameToo(record);
  return { options, record, results, questions: questionsSentence(results.questions) };
}

test('with a caller for each, such a target is conformant, and each call has the caller that fits it', async () => {
  const { options, record, results, questions } = await judged({ trunkFrom: OWN });
  expect([results.verdict, questions, record.calls]).toEqual(['conformant', allAnswered(options), 12]);
});

test('where a trunk_id of the wrong type counts as none, it is conformant as well', async () => {
  const { options, results, questions } = await judged({ trunkFrom: OWN }, isWrongWayOutOfAny);
  expect([results.verdict, questions]).toEqual(['conformant', allAnswered(options)]);
});

test.each([
  [MANAGED, 'CALL-CREATE-IDS/createCall', /^set PCS_TRUNK_CALL_FROM to a number/],
  [OWN, 'CALL-CREATE-MINIMAL/createCall', /^set PCS_CALL_FROM to a number that may call without a/],
] as const)(
  'with %s alone, %s is open, its remedy works, and at most four calls are rejected for it',
  async (from, id, says) => {
    const { record, results } = await judged({ numbers: { from, to: '+15005550010' } });
    const found = casesOf(results).find((one) => one.id === id);
    expect([results.verdict, found?.verdict]).toEqual(['incomplete', 'inconclusive']);
    expect([found?.reason, found?.remedy]).toEqual([
      expect.not.stringContaining('defect of the suite'),
      expect.stringMatching(says),
    ]);
    const inVain = record.exchanges.filter(({ tag, response, request }) => {
      return (
        tag.control &&
        tag.operation === 'createCall' &&
        response?.status === 403 &&
        /"trunk_id":"/.test(request.body?.text ?? '')
      );
    });
    expect(inVain.length).toBeLessThanOrEqual(from === MANAGED ? 4 : 0);
  },
);

test('a value that is rejected in a larger body does not hide why no call over the trunk is accepted', async () => {
  const isOfMedia: typeof isWrongWayOut = (visit) => membersOf(visit)['media_encryption'] !== undefined;
  const { service, settings } = createReference();
  const media = instead(all(on('createCall'), authorized, isOfMedia), () => rejected(400, 'media_encryption'));
  const trunk = instead(all(on('createCall'), authorized, isWrongWayOut), () => rejected(403, 'caller_not_authorized'));
  const options = optionsFrom(settings, { numbers: { from: MANAGED, to: '+15005550010' } });
  const { results } = await judge(media(trunk(service, settings), settings), options);
  expect(results.reason).toMatch(/to resolve: set PCS_TRUNK_CALL_FROM to /);
  expect(results.reason).not.toContain('media_encryption');
});
