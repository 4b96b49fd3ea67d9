/** What a path is to the guards: its operation. */

import { describe, expect, test } from 'vitest';
import { foundOperation } from '../../../src/client/request.ts';

describe('the operation of a path', () => {
  test.each([
    ['GET', '/v1/trunks/', 'listTrunks', true, []],
    ['GET', '/v1/trunks', 'listTrunks', false, []],
    ['PATCH', '/v1/trunks/a%2Fb?x=/', 'updateTrunk', true, ['a%2Fb']],
    ['PATCH', '/v1/trunks/a/#b', 'updateTrunk', false, ['a']],
    ['POST', '/v1/calls/a\nb/hangup', 'hangUpCall', true, ['a\nb']],
    ['POST', '/v1/conferences/a/participants/b/mute', 'muteParticipant', true, ['a', 'b']],
  ])('%s %s is found with its ids', (method, path, operation, documented, ids) => {
    expect(foundOperation(method, path)).toEqual({ operation, documented, ids });
  });

  test.each([
    ['PUT', '/v1/trunks/a'],
    ['PATCH', '/v1/trunks/'],
    ['PATCH', '/v1/trunks/a/b'],
    ['PATCH', '/x/v1/trunks/a'],
    ['PATCH', '/v1/trunks/a//'],
    ['HEAD', '/v1/trunks/'],
    ['patch', '/v1/trunks/a'],
  ])('%s %s has none', (method, path) => {
    expect(foundOperation(method, path)).toBeNull();
  });
});
