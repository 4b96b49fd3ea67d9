import { describe, expect, test } from 'vitest';
import { OPERATION_IDS, OPERATIONS, operationById, otherSlashForm, pathOf } from '../../../src/contract/operations.ts';

describe('operations', () => {
  test('ids and aliases are unique', () => {
    expect(new Set([...OPERATION_IDS, ...OPERATIONS.map(({ alias }) => alias)]).size).toBe(2 * OPERATIONS.length);
  });

  test('every placeholder of a path has its resource', () => {
    for (const { path, resources } of OPERATIONS) expect(path.match(/\{/g) ?? []).toHaveLength(resources.length);
  });

  test('an operation is found by its id', () => {
    expect(OPERATION_IDS.map((id) => operationById(id))).toEqual(OPERATIONS);
  });

  test('ids take the places of the placeholders in order, as they are', () => {
    expect(pathOf(operationById('muteParticipant'), ['a%2F', '$&'])).toBe('/v1/conferences/a%2F/participants/$&/mute');
  });

  test('the other slash form has the slash where the path has none', () => {
    expect(otherSlashForm('/v1/calls/')).toBe('/v1/calls');
    expect(otherSlashForm('/v1/numbers/available')).toBe('/v1/numbers/available/');
  });
});
