import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import type { Session } from '../../../src/run/sequence.ts';
import { RunState } from '../../../src/run/state.ts';
import { commandBody } from '../../../suites/sequences/walk.ts';
import { optionsFrom } from '../../selftest/harness.ts';

const builder = new RequestBuilder(optionsFrom(createReference().settings), 'Wq5t', []);
const session = { builder, state: new RunState() } as unknown as Session;

/** Odd places draw a random body, here one with a name. */
const BODIES = [
  ['a typical body', 0],
  ['a random valid body', 3],
] as const;

test.each(BODIES)('%s for the trunk has a name of its own, so that a read tells which change took effect', (_, at) => {
  const bodies = ['1 0', '1 1', '2 0'].map((label) =>
    commandBody({ operation: 'updateTrunk', unusual: null, at }, session, label),
  );
  const names = bodies.map(({ json }) => String(Object(json).name));
  expect(names.filter((name) => !name.startsWith(builder.mark))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('no invalid body has a secret other than that of the run', () => {
  const bodies = Array.from({ length: 40 }, (_, at) =>
    commandBody({ operation: 'setInboundAuth', unusual: 'invalid body', at }, session, '1 0'),
  );
  expect(new Set(bodies.flatMap(({ json }) => Object(json).secret ?? []))).toEqual(new Set(['Wq5t']));
});
