/** Nothing is left out in silence: what a machine lacks is named with the tests that did not run. */

import { afterEach, expect, test, vi } from 'vitest';
import { lacks, notRunSentences } from './programs.ts';

afterEach(() => vi.unstubAllEnvs());

test('a program that is missing stops a pipeline, with the file and the remedy', () => {
  vi.stubEnv('CI', 'true');
  expect(lacks('node', import.meta.url)).toBe(false);
  expect(() => lacks('no-such-program', import.meta.url)).toThrow(
    'test/programs.test.ts needs no-such-program: install it, as .ci/run does',
  );
});

test('each missing program is named once, with every file that needs it', () => {
  expect(notRunSentences('jq\ttest/b.ts\ncurl\ttest/c.ts\njq\ttest/a.ts\njq\ttest/b.ts\n')).toEqual([
    'curl is not installed, so these tests did not run: test/c.ts.',
    'jq is not installed, so these tests did not run: test/a.ts, test/b.ts.',
  ]);
});
