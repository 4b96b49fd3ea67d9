import { describe, expect, test } from 'vitest';
import { checkOnly, operationsLeft } from '../../../src/cli/selection.ts';
import { OPERATION_IDS, OPERATIONS } from '../../../src/contract/operations.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';

describe('operations that are left', () => {
  test('are all thirteen without a word', () => {
    expect(operationsLeft([])).toEqual(OPERATION_IDS);
  });

  test('lack what is named by short word or id', () => {
    const left = OPERATION_IDS.filter((id) => id !== 'answerCall' && id !== 'muteParticipant');
    expect(operationsLeft(['answer', 'muteParticipant'])).toEqual(left);
  });

  test.each([
    ['anser', '--without names "anser", and there is no such operation: did you mean answer?'],
    [
      'video',
      '--without names "video", and there is no such operation: use create, voice-application, inbound-auth, update-trunk, assign, provider, available, hangup, answer, mute, trunk, numbers, trunks.',
    ],
  ])('are not computed where %s is named', (word, sentence) => {
    expect(() => operationsLeft([word])).toThrow(new UsageError(sentence));
  });

  test('are at least one', () => {
    expect(() => operationsLeft(OPERATIONS.map(({ alias }) => alias))).toThrow(
      new UsageError('--without leaves nothing selected: keep at least one operation.'),
    );
  });
});

describe('what --only names', () => {
  const known = ['AUTH-SCHEME', 'AUTH-SCHEME/createCall', 'PATH-SERVED'];

  test('passes where each name selects something', () => {
    expect(() => checkOnly(['AUTH-SCHEME/createCall', 'PATH-SERVED'], known, known)).not.toThrow();
    expect(() => checkOnly([], known, [])).not.toThrow();
  });

  test('is refused where a name is unknown', () => {
    expect(() => checkOnly(['PATH-SERVED', 'AUTH-SHEME'], known, known)).toThrow(
      new UsageError('--only names "AUTH-SHEME", and there is no such requirement or case: did you mean AUTH-SCHEME?'),
    );
  });

  test('is refused where one of the names selects nothing', () => {
    expect(() => checkOnly(['PATH-SERVED', 'AUTH-SCHEME'], known, ['PATH-SERVED'])).toThrow(
      new UsageError('--only AUTH-SCHEME selects nothing: the profile and --without leave no case of it.'),
    );
  });
});
