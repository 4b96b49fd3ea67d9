/** The settings for the facts of a run. */

import { expect, test } from 'vitest';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';

const read = (flags: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
  readSettings({ reference: true, ...flags }, variablesOnly(env));

test('a version is one line of plain text', () => {
  expect(read({ 'target-version': '4.2 (β)' })).toMatchObject({
    targetVersion: '4.2 (β)',
  });
  expect(() => read({ 'target-version': 'x'.repeat(201) })).toThrow('is too long');
  expect(() => read({ 'target-version': 'a\u0007' })).toThrow('contains a control character');
});
