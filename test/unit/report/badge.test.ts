import { expect, test } from 'vitest';
import { renderBadge } from '../../../src/report/json-files.ts';
import { madeWith } from './made-run.ts';

test('a partial run and recorded traffic get no badge', () => {
  expect(renderBadge(madeWith({ verdict: 'conformant', partial: true }).results)).toBeNull();
  expect(renderBadge(madeWith({ verdict: 'no breach', profile: 'traffic', traffic: TRAFFIC }).results)).toBeNull();
  expect(renderBadge(madeWith({ verdict: 'conformant' }).results)).not.toBeNull();
});

const TRAFFIC = {
  ...{ files: [], addresses: [], read: 0, judged: 0, others: 0, silent: 0, operations: [], elsewhere: 0 },
  ...{ unknown: [], unsearched: 0, unfollowed: 0, problems: [] },
};
