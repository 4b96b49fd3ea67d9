/** What follows from the options of a run: the names of its settings, the ids that the record looks for, the listed trunk. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { type RunOptions, readsListedTrunk, settingsPresent, watchedIds } from '../../../src/run/options.ts';
import { optionsFrom } from '../../selftest/harness.ts';

const { settings } = createReference();
const whole = optionsFrom(settings, { queries: { listTrunks: 'a=1' }, trunkFrom: '+15550109' });
const ADDRESS = ['PCS_BASE_URL', 'PCS_AVAILABLE_NUMBERS_QUERY', 'PCS_LIST_NUMBERS_QUERY'];
const INBOUND = /^PCS_INBOUND_/;

test('every setting that is given is named once, in order, and none without a value', () => {
  const given = Object.keys(settings).filter((name) => !ADDRESS.includes(name) && !INBOUND.test(name));
  const due = [...given, 'PCS_LIST_TRUNKS_QUERY', 'PCS_TRUNK_CALL_FROM'].toSorted();
  expect(settingsPresent(whole)).toEqual(due);
  const less = settingsPresent({
    ...whole,
    numbers: null,
    queries: {},
    otherConnection: undefined,
  } as unknown as RunOptions);
  const gone = ['PCS_CALL_FROM', 'PCS_CALL_TO', 'PCS_LIST_TRUNKS_QUERY', 'PCS_OTHER_ORG_CARRIER_CONNECTION_ID'];
  expect(less).toEqual(due.filter((name) => !gone.includes(name)));
});

test('the record looks for the ids of our resources, and for the trunk and the connection of the other organization', () => {
  const ids = Object.fromEntries(watchedIds(whole));
  expect(ids[settings.PCS_TRUNK_ID]).toBe('PCS_TRUNK_ID');
  expect(ids[settings.PCS_OTHER_ORG_TRUNK_ID ?? '']).toBe('PCS_OTHER_ORG_TRUNK_ID');
  expect(ids[settings.PCS_OTHER_ORG_CARRIER_CONNECTION_ID ?? '']).toBe('PCS_OTHER_ORG_CARRIER_CONNECTION_ID');
  expect(Object.values(ids)).toHaveLength(Object.keys(whole.resources).length + 2);
});

test.each<readonly [string, Partial<RunOptions>, boolean]>([
  ['in the read-only profile without a trunk', {}, true],
  ['not in a full run', { profile: 'full' }, false],
  ['not where the settings name one', { resources: whole.resources }, false],
  ['not without the list', { without: ['listTrunks'] }, false],
  ['not without the read', { without: ['getTrunk'] }, false],
  ['without another operation as well', { without: ['listNumbers'] }, true],
])('a trunk of the list is read %s', (_, changes, isRead) => {
  expect(readsListedTrunk({ ...whole, profile: 'read-only', resources: {}, ...changes })).toBe(isRead);
});
