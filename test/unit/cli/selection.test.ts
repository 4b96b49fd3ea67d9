import { describe, expect, test } from 'vitest';
import { checkOnly, operationsLeft } from '../../../src/cli/selection.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../src/contract/operations.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';

describe('--without', () => {
  test('leaves all thirteen operations if it is empty', () => {
    expect(operationsLeft([])).toEqual(OPERATION_IDS);
  });

  test('excludes operations by short word or id', () => {
    const left = OPERATION_IDS.filter((id) => id !== 'answerCall' && id !== 'muteParticipant');
    expect(operationsLeft(['answer', 'muteParticipant'])).toEqual(left);
  });

  test.each([
    ['anser', 'Unknown operation "anser" in --without: did you mean answer?'],
    [
      'video',
      'Unknown operation "video" in --without: use create, voice-application, inbound-auth, update-trunk, assign, provider, available, hangup, answer, mute, trunk, numbers, trunks.',
    ],
  ])('rejects the unknown operation %s', (word, sentence) => {
    expect(() => operationsLeft([word])).toThrow(new UsageError(sentence));
  });

  test('must leave at least one operation', () => {
    expect(() => operationsLeft(OPERATIONS.map(({ alias }) => alias))).toThrow(
      new UsageError('--without excludes every operation: keep at least one.'),
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
      new UsageError('Unknown requirement or case "AUTH-SHEME" in --only: did you mean AUTH-SCHEME?'),
    );
  });

  test('is rejected if one of the names selects nothing', () => {
    expect(() => checkOnly(['PATH-SERVED', 'AUTH-SCHEME'], known, ['PATH-SERVED'])).toThrow(
      new UsageError('--only AUTH-SCHEME selects nothing: the profile and --without exclude all of its cases.'),
    );
  });
});
