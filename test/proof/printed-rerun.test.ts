/** The command that a report prints for a failing case, as it stands, against a service that is faulty until it is repaired. */

import { expect, test } from 'vitest';
import { World } from './simulation.ts';

test('fails while the case does, passes once it is repaired, and leaves the reports of the run as they are', async () => {
  let isFaulty = true;
  const world = new World({
    request: (_, when, { target }) => {
      if (when === 'before' || !isFaulty || target !== '/v1/trunks/') return null;
      return { status: 206, headers: [['Content-Type', 'application/json']], body: '{"data":[]}' };
    },
  });
  const results = (): string => world.disk.files.get('conformance-report/results.json')?.text ?? '';
  const { code, screen } = await world.run(['run', '--profile', 'read-only', '--quiet']);
  expect(code).toBe(1);
  const before = results();
  const [, printed = ''] =
    /^ {2}rerun +│ (?:node \S+|npx pcs-conformance) (.* --only LIST-STATUS\/listTrunks .*)$/m.exec(screen) ?? [];
  expect(printed).toMatch(/ --base-url http:\/\/service\.invalid .*--seed \d+ /);
  expect((await world.run(printed.split(' '))).code).toBe(1);
  isFaulty = false;
  expect((await world.run(printed.split(' '))).code).toBe(0);
  expect(results()).toBe(before);
});
