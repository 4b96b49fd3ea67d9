import { expect, test } from 'vitest';
import { evaluated } from '../rules/evaluated.ts';
import { exchangeOf } from '../rules/exchanges.ts';

/** What a run names as muted, after a request to each of these paths that got that status. */
const mutedBy = (...sent: readonly (readonly [path: string, status: number])[]) => {
  const exchanges = sent.map(([path, status], at) =>
    exchangeOf({ status, tag: { operation: 'muteParticipant' }, request: { path } }, at),
  );
  return evaluated({ record: { exchanges } }).changed;
};

const PATH = '/v1/conferences/c1/participants/p1/mute';
const IN_CAPITALS = PATH.replace('c1', 'C1').replace('p1', 'P1');
const named = (was: string) => [`participant p1 of conference c1 ${was}, and no operation of the interface undoes it`];

test('the participant of the settings is named once, however the path spells it', () => {
  expect(mutedBy([PATH, 204], [IN_CAPITALS, 204])).toEqual(named('was muted'));
  expect(mutedBy([PATH, 404], [IN_CAPITALS, 502])).toEqual(named('may have been muted'));
  expect(mutedBy([PATH, 404], [IN_CAPITALS, 404])).toEqual([]);
});
