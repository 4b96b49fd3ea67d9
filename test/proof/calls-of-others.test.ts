/** Whether another organization may place calls through ours: shown only beside a call of its own (conformance model, section 0, rule 2). */

import { expect, test } from 'vitest';
import { json } from '../../fixtures/faults/replies.ts';
import { spelled } from '../../fixtures/faults/spellings.ts';
import { all, crossOrganization, on } from '../../fixtures/faults/visit.ts';
import { instead } from '../../fixtures/faults/wrap.ts';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

const ofCall = all(on('createCall'), crossOrganization);

/** The case of ORG-CALL and the verdict of a run, which comes out the same from its record. */
async function judged(
  { service, settings, inspect }: Pick<Reference, 'service' | 'settings' | 'inspect'>,
  changes: Partial<RunOptions> = {},
) {
  const { record, results } = await judge(
    service,
    optionsFrom(settings, { ...narrowed('ORG-CALL', 'ORG-ISOLATION'), ...changes }),
  );
  await comesOutTheSameToo(record);
  const [call] = casesOf(results).filter(({ id }) => id === 'ORG-CALL/createCall');
  const isolation = casesOf(results).filter(({ id }) => id.startsWith('ORG-ISOLATION/'));
  const open = isolation.filter(({ verdict }) => verdict !== 'pass').map(({ operation }) => operation);
  const { sentence } = results;
  return {
    call,
    open,
    sentence,
    record,
    remedies: (call?.unanswered ?? []).map(({ remedy }) => remedy),
    left: inspect().callsOpen,
  };
}

test('a call of its own is placed once, from its own number, and hung up with its credential', async () => {
  const reference = createReference();
  const { record, call, left } = await judged(reference, { only: [] });
  const others = record.exchanges.filter(
    ({ request, tag }) => request.credential === 'other-organization' && tag.role !== 'probe',
  );
  const own = others
    .filter(({ tag }) => tag.operation === 'createCall')
    .map(({ request, response }) => [request.body?.text, response?.status]);
  const {
    PCS_OTHER_ORG_CALL_FROM: from,
    PCS_CALL_TO: to,
    PCS_OTHER_ORG_TRUNK_ID,
    PCS_OTHER_ORG_VOICE_APPLICATION_ID,
  } = reference.settings;
  const body = { from, to, trunk_id: PCS_OTHER_ORG_TRUNK_ID, application_id: PCS_OTHER_ORG_VOICE_APPLICATION_ID };
  expect(own).toEqual([[JSON.stringify(body), 201]]);
  const hungUp = others.filter(({ tag }) => tag.operation === 'hangUpCall' && tag.role === 'hang-up');
  expect(hungUp.map(({ response }) => response?.status)).toEqual([200]);
  expect([call?.verdict, left, record.calls, record.possiblyOpen]).toEqual(['pass', 0, 12, []]);
});

test('an accepted call whose answer shows no id of ours proves nothing, and no call names an id of another kind', async () => {
  const reference = createVariant({ 'call-references': 'any' });
  const { call, record, left } = await judged(reference);
  expect([call?.verdict, left]).toEqual(['not-exercised', 0]);
  expect(call?.unanswered?.map(({ reason }) => reason)).toEqual(
    ['trunk_id', 'application_id'].map((name) => `the response shows no ${name}, so the target may not have used it`),
  );
  const { PCS_TRUNK_ID: trunk, PCS_VOICE_APPLICATION_ID: application } = reference.settings;
  const sent = record.exchanges.map(({ request }) => request.body?.text ?? '').join('\n');
  expect(sent).not.toMatch(new RegExp(`"application_id":"${trunk}"|"trunk_id":"${application}"`, 'i'));
});

test.each([
  ['otherFrom', 'PCS_OTHER_ORG_CALL_FROM', 2],
  ['otherTrunk', 'PCS_OTHER_ORG_TRUNK_ID', 1],
  ['otherApplication', 'PCS_OTHER_ORG_VOICE_APPLICATION_ID', 1],
] as const)(
  'without %s nothing is concluded from a rejection, and the remedy is %s',
  async (key, setting, questions) => {
    const { call, remedies } = await judged(createReference(), { [key]: undefined });
    expect(remedies).toEqual(Array(questions).fill(expect.stringMatching(`^set ${setting} to`)));
    expect(call?.questions.answered).toBe(2 - questions);
  },
);

test('a second organization that may place no call at all proves nothing, and its message is quoted', async () => {
  const reference = createReference();
  const barred = instead(ofCall, () =>
    json(403, { success: false, error: { code: 'forbidden', message: 'No calls for this organization.' } }),
  );
  const { call, sentence, remedies } = await judged({
    ...reference,
    service: barred(reference.service, reference.settings),
  });
  expect([call?.verdict, sentence]).toEqual([
    'not-exercised',
    'CONFORMANT but for isolation (no caller of a second organization proven, no application of a second organization proven) (profile full, partial)',
  ]);
  expect(remedies[0]).toMatch(/^check PCS_OTHER_ORG_CALL_FROM.*the target says "No calls for this organization\."$/);
});

test('a call that another spelling of its id let it hang up is not held against the rejected plain one', async () => {
  const { service, settings } = createReference();
  const capitals = spelled('hangUpCall', 'the id in capitals', crossOrganization)(service, settings);
  const { results } = await judge(capitals, optionsFrom(settings));
  const [hangUp] = casesOf(results).filter(({ id }) => id === 'ORG-ISOLATION/hangUpCall');
  const expected = new Set(hangUp?.findings.map((finding) => finding.expected));
  expect([...expected]).toEqual(['rejection with a 4xx']);
});
