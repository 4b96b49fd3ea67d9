import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import type { Session } from '../../../src/run/sequence.ts';
import { RunState } from '../../../src/run/state.ts';
import { commandBody } from '../../../suites/sequences/walk.ts';
import { optionsFrom } from '../../selftest/harness.ts';

/** Odd places draw a random body, here one with a name. */
const BODIES = [
  ['a typical body', 0],
  ['a random valid body', 3],
] as const;

test.each(BODIES)('%s for the trunk has a name of its own, so that a read tells which change took effect', (_, at) => {
  const builder = new RequestBuilder(optionsFrom(createReference().settings), 'secret', []);
  const session = { builder, state: new RunState() } as unknown as Session;
  const bodies = ['1 0', '1 1', '2 0'].map((label) =>
    commandBody({ operation: 'updateTrunk', unusual: null, at }, session, label),
  );
  const names = bodies.map(({ json }) => String(Object(json).name));
  expect(names.filter((name) => !name.startsWith(builder.mark))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
