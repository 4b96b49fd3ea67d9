import { describe, expect, test } from 'vitest';
import { checkOnly } from '../../../src/cli/engine.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../src/contract/operations.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { operationsLeft } from '../../../src/settings/read-settings.ts';

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
  const known = ['AUTH-SCHEME', 'AUTH-SCHEME/createCall', 'PATH-SERVED'];

  test('is accepted if each name selects something', () => {
    expect(() => checkOnly(['AUTH-SCHEME/createCall', 'PATH-SERVED'], known, known)).not.toThrow();
    expect(() => checkOnly([], known, [])).not.toThrow();
  });

  test('is rejected if a name is unknown', () => {
    expect(() => checkOnly(['PATH-SERVED', 'AUTH-SHEME'], known, known)).toThrow(
      new UsageError('Unknown requirement or case "AUTH-SHEME" in --only', 'did you mean AUTH-SCHEME?'),
    );
  });

  test('is rejected if one of the names selects nothing', () => {
    expect(() => checkOnly(['PATH-SERVED', 'AUTH-SCHEME'], known, ['PATH-SERVED'])).toThrow(
      new UsageError(
        '--only AUTH-SCHEME selects nothing: the profile and --without exclude all of its cases',
        'omit one of the three',
      ),
    );
  });
});
