import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { demandAsWide } from '../../../src/cli/engine.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../src/contract/operations.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { planRun } from '../../../src/run/plan.ts';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { operationsLeft, readSettings } from '../../../src/settings/read-settings.ts';
import { plannerFor, SUITE } from '../../../suites/index.ts';
import { optionsFrom } from '../../selftest/harness.ts';
import { soundRun } from '../regression/judged-runs.ts';

describe('--without', () => {
  test('leaves all operations if it is empty', () => {
    expect(operationsLeft([])).toEqual(OPERATION_IDS);
  });

  test('excludes operations by short word or id', () => {
    const left = OPERATION_IDS.filter((id) => id !== 'answerCall' && id !== 'muteParticipant');
    expect(operationsLeft(['answer', 'muteParticipant'])).toEqual(left);
  });

  test.each([
    ['calls', '/v1/calls/'],
    ['voice-applications', '/v1/voice-applications/'],
    ['applications', '/v1/voice-applications/'],
    ['connections', '/v1/carrier-connections/'],
    ['trunks', '/v1/trunks/'],
    ['numbers', '/v1/numbers/'],
    ['carrier-providers', '/v1/carrier-providers/'],
    ['conferences', '/v1/conferences/'],
  ])('excludes the group %s', (group, start) => {
    const left = OPERATIONS.filter(({ path }) => !path.startsWith(start));
    expect(operationsLeft([group])).toEqual(left.map(({ id }) => id));
  });

  test('has no name that is both an operation and a group', () => {
    for (const { alias, id } of OPERATIONS) {
      expect(operationsLeft([alias])).toEqual(OPERATION_IDS.filter((other) => other !== id));
    }
  });

  test.each([
    ['anser', 'did you mean answer?'],
    [
      'video',
      `use ${OPERATIONS.map(({ alias }) => alias).join(', ')}, or the group calls, applications, connections, trunks, numbers, providers, conferences`,
    ],
  ])('rejects the unknown operation %s', (word, remedy) => {
    expect(() => operationsLeft([word])).toThrow(new UsageError(`Unknown operation "${word}" in --without`, remedy));
  });

  test('must leave at least one operation', () => {
    expect(() => operationsLeft(OPERATIONS.map(({ alias }) => alias))).toThrow(
      new UsageError('--without excludes every operation', 'keep at least one'),
    );
  });
});

describe('--only', () => {
  const { settings } = createReference();
  const planned = (only: readonly string[], changed: Partial<RunOptions> = {}) =>
    planRun(SUITE, plannerFor({ ...optionsFrom(settings), only, ...changed })).cases.map(
      ({ requirement }) => requirement,
    );

  test('is accepted if each name selects something', () => {
    expect(new Set(planned(['AUTH-SCHEME/createCall', 'LIST-STATUS']))).toEqual(
      new Set(['LIST-STATUS', 'AUTH-SCHEME']),
    );
  });

  test('sends the walk of --path all the same, with the reads and updates that it builds on, and no call', () => {
    const names = (path?: string): readonly string[] =>
      planRun(
        SUITE,
        plannerFor({ ...optionsFrom(settings), only: ['LIST-STATUS'], explore: 60, ...(path && { path }) }),
      ).sequences.map(({ name }) => name);
    const added = names('3').filter((name) => !names().includes(name));
    const builtOn = ['updateTrunk', 'updateVoiceApplication'].map((id) => `${id}/control before`);
    expect(added).toEqual(expect.arrayContaining(['exploration/3', ...builtOn]));
    expect(added.filter((name) => /^(?:createCall|hangUpCall)|credential: |invalid: /.test(name))).toEqual([]);
  });

  test.each([
    [
      ['LIST-STATUS', 'AUTH-SHEME'],
      {},
      'Unknown requirement or case "AUTH-SHEME" in --only: did you mean AUTH-SCHEME?',
    ],
    [['x'], {}, 'Unknown requirement or case "x" in --only: the command list shows them'],
    [
      ['LIST-STATUS', 'CALL-CREATE-STATUS/createCall'],
      { profile: 'read-only' as const },
      '--only CALL-CREATE-STATUS/createCall selects nothing: the profile and --without exclude all of its cases',
    ],
  ])('of %j is rejected if one of the names is unknown or selects nothing', (only, changed, message) => {
    expect(() => planned(only, changed)).toThrow(message);
  });
});

describe('a baseline', async () => {
  const [reads, few] = [await soundRun(), await soundRun({ profile: 'read-only', only: ['LIST-STATUS'] })];
  const exploring = { ...reads, results: { ...reads.results, explore: 60 } };
  const under = (env: Record<string, string>, baseline = exploring) =>
    demandAsWide(
      readSettings({}, variablesOnly({ PCS_BASE_URL: 'http://a.invalid', PCS_ACCESS_TOKEN: 'a_org_1', ...env })),
      baseline,
    );

  test.each([
    [
      { PCS_ONLY: 'LIST-STATUS' },
      /^--only LIST-STATUS \(PCS_ONLY\) leaves out \d{2,} cases that the baseline judged: judge/,
    ],
    [{ PCS_WITHOUT: 'trunks', PCS_ONLY: 'LIST-STATUS' }, /\(PCS_ONLY\) and --without \S+ \(PCS_WITHOUT\) leave out/],
    [{ PCS_PATH: '3' }, /^--path 3 \(PCS_PATH\) leaves out walks that the baseline explored: omit it\.$/],
  ])('is not compared with a run that %j narrows', (env, message) => {
    expect(() => under(env)).toThrow(message);
  });

  test('may be wider in its profile no more than in its cases', () => {
    const full = { ...reads, results: { ...few.results, profile: 'full' as const } };
    expect(() => under({}, full)).not.toThrow();
    expect(() => under({ PCS_ONLY: 'PATH-SERVED' }, full)).toThrow(
      /^--only .* and --profile read-only .* leave out 2 cases/,
    );
  });

  test('may have been narrowed itself, by the same flags or others', () => {
    for (const env of [{}, { PCS_ONLY: 'LIST-STATUS' }, { PCS_ONLY: 'LIST-STATUS,PATH-SERVED' }])
      expect(() => under(env, few)).not.toThrow();
  });
});
