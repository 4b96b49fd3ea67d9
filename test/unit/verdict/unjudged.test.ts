/** What a profile asks does not depend on the settings, and what no case judged is said in the verdict. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Profile } from '../../../src/contract/operations.ts';
import { renderBadge } from '../../../src/report/json-files.ts';
import { COLOURS } from '../../../src/report/model.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { planRun } from '../../../src/run/plan.ts';
import { plannerFor, SUITE } from '../../../suites/index.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

const PROFILES: readonly Profile[] = ['read-only', 'full'];

function alone({ ringingCallId: _, otherConnection: __, ...options }: RunOptions): RunOptions {
  return { ...options, credentials: { access: options.credentials.access } };
}

test.each(PROFILES)(
  'profile %s asks the same questions without a second organization or a revoked credential',
  (profile) => {
    const whole = optionsFrom(createReference().settings, { profile });
    const questionsOf = (options: RunOptions) =>
      planRun(SUITE, plannerFor(options)).cases.map(({ id, questions }) => [id, questions.length]);
    expect(questionsOf(alone(whole))).toEqual(questionsOf(whole));
  },
);

test.each([
  ['LIST-STATUS/listTrunks', ['listTrunks/read'], []],
  ['AUTH-SCHEME/listTrunks', ['listTrunks/credential: bare', 'listTrunks/6 reads at once'], ['listTrunks/read']],
  ['SUCCESS-STATUS/updateTrunk', ['getTrunk/read', 'updateTrunk/control before'], ['setInboundAuth/control before']],
])('--only %s sends %j with what restores the target, and not %j', (only, sent, unsent) => {
  const options = optionsFrom(createReference().settings, { only: [only] });
  const names = planRun(SUITE, plannerFor(options)).sequences.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...sent, 'updateTrunk/restore']));
  if (sent.length === 1) expect(names.filter((name) => !name.endsWith('/restore'))).toEqual(sent);
  expect(names.filter((name) => unsent.includes(name))).toEqual([]);
});

describe('a run with one credential alone', () => {
  const LIMITS = ' but for isolation and revocation (no second organization, no revoked credential)';

  test('is conformant but for isolation and revocation, and its badge is not plain green', async () => {
    const { service, settings } = createReference();
    const { results } = await judge(service, alone(optionsFrom(settings, { profile: 'read-only' })));
    expect([results.verdict, results.sentence]).toEqual(['conformant', `CONFORMANT${LIMITS} (profile read-only)`]);
    expect(results.questions.answered).toBeLessThan(results.questions.planned);
    expect(JSON.parse(renderBadge(results) ?? '')).toMatchObject({
      message: expect.stringContaining(`CONFORMANT${LIMITS}`),
      color: COLOURS.pale.badge,
    });
  });

  test('names what a read-only run never read, since no list shows it', async () => {
    const { service, settings } = createReference();
    const whole = optionsFrom(settings, { profile: 'read-only' });
    const { carrierProvider: _, ...resources } = whole.resources;
    const { results } = await judge(service, { ...whole, resources });
    expect(results.sentence).toBe('CONFORMANT but for carrier providers (no carrier provider) (profile read-only)');
  });

  test('rejects a selection that asks nothing', () => {
    const planning =
      (...only: readonly string[]) =>
      () =>
        planRun(SUITE, plannerFor({ ...alone(optionsFrom(createReference().settings)), only }));
    const says = '--only selects nothing that can be asked: PCS_REVOKED_ACCESS_TOKEN is not set';
    expect(planning('AUTH-REVOKED')).toThrow(says);
    for (const more of ['LIST-STATUS', 'NO-SERVER-ERROR']) expect(planning('AUTH-REVOKED', more)).not.toThrow();
  });

  test('shows nothing where it alone was to be judged', async () => {
    const { service, settings } = createReference();
    const options = alone(optionsFrom(settings, { profile: 'read-only', only: ['ORG-ISOLATION'] }));
    const { results } = await judge(service, options);
    expect([results.verdict, results.counts.cases.pass]).toEqual(['incomplete', 0]);
    expect(results.reason).toMatch(/could not be judged: .*set PCS_OTHER_ORG_ACCESS_TOKEN/);
  });
});

test('--without leaves no sequence of its operations in the plan', () => {
  const options = optionsFrom(createReference().settings, { without: ['getTrunk'] });
  const operations = planRun(SUITE, plannerFor(options)).sequences.map(({ operation }) => operation);
  expect([operations.includes('updateTrunk'), operations.includes('getTrunk')]).toEqual([true, false]);
});
