import { describe, expect, test } from 'vitest';
import { commandAsCalled } from '../../../src/report/command-line.ts';

describe('the command as it was called', () => {
  test.each([
    ['from a checkout', '/home/a/dist/src/cli/main.js', '/home/a', 'node dist/src/cli/main.js'],
    ['from elsewhere', '/opt/a b/bin.cjs', '/home/a', "node '/opt/a b/bin.cjs'"],
    [
      'installed in the project',
      '/home/a/node_modules/.bin/pcs-conformance',
      '/home/a',
      'node_modules/.bin/pcs-conformance',
    ],
    ['on the PATH', '/usr/bin/pcs-conformance', '/home/a', 'pcs-conformance'],
    ['within another program', '/home/a/node_modules/.bin/vitest', '/home/a', 'npx pcs-conformance'],
  ])('%s', (_, script, folder, command) => {
    expect(commandAsCalled(script, folder)).toBe(command);
  });
});
