/** The settings for the facts of a run. */

import { expect, test } from 'vitest';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';

const read = (flags: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
  readSettings({ reference: true, ...flags }, variablesOnly(env));

test('labels come one a line, the last of a key counts, and values may hold an equals sign', () => {
  expect(read({}, { PCS_LABEL: 'build=1\nci/job = a=b \nbuild=2' }).label).toEqual([
    ['build', '2'],
    ['ci/job', 'a=b'],
  ]);
  for (const text of ['build', '=1', 'a b=1', 'build=\u202e1', `build=${'x'.repeat(201)}`, '\n']) {
    expect(() => read({ label: text }), text).toThrow(/--label .* (is not a label|is empty): /);
  }
});

test('a time is a moment in UTC', () => {
  expect(read({ 'run-time': '2026-01-31T12:00:00Z' }).runTime).toBe(Date.UTC(2026, 0, 31, 12));
  for (const text of ['now', '2026-01-31', '2026-01-31T12:00:00+01:00', '2026-13-31T12:00:00Z']) {
    expect(() => read({ 'run-time': text })).toThrow('is not a moment in UTC: write it as in');
  }
});

test('versions and hosts are one line of plain text, and a header field has a name', () => {
  expect(read({ 'target-version': '4.2 (β)', 'run-host': 'build-7' })).toMatchObject({
    targetVersion: '4.2 (β)',
    runHost: 'build-7',
  });
  expect(() => read({ 'target-version': 'x'.repeat(201) })).toThrow('is too long');
  expect(() => read({ 'run-host': 'a\u0007' })).toThrow('contains a control character');
  expect(() => read({ 'target-version-header': 'X Build' })).toThrow('is not the name of a header field');
});
