import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { type Command, READ } from '../../../src/generate/commands.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import type { Session } from '../../../src/run/sequence.ts';
import { RunState } from '../../../src/run/state.ts';
import { commandBody } from '../../../suites/sequences/walk.ts';
import { optionsFrom } from '../../selftest/harness.ts';

const BODIES: readonly Command['body'][] = [{ kind: 'typical' }, { kind: 'valid', value: { name: '' } }];

test.each(BODIES.map((body) => ({ kind: body.kind, body })))(
  'a change of the trunk has a name of its own, so that a read tells which one took effect: $kind',
  ({ body }) => {
    const builder = new RequestBuilder(optionsFrom(createReference().settings), 'secret', []);
    const session = { builder, state: new RunState() } as unknown as Session;
    const names = ['1 0', '1 1', '2 0'].map((label) => {
      const { json } = commandBody({ ...READ, operation: 'updateTrunk', body }, session, label);
      return String(Object(json).name);
    });
    expect(names.filter((name) => !name.startsWith(builder.mark))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  },
);
