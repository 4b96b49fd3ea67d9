/** Stands in for the suites: does in a worker what the input tells it. */

import { afterAll, expect, inject, test } from 'vitest';
import { openSuitesEnd } from '../../../src/run/run-channel.ts';
import type { StubEvent, StubInput } from './stub-input.ts';

const run = inject('conformanceRun');
const { does, events } = run.input as StubInput;
const end = openSuitesEnd<StubEvent>(run.channel);

console.log('this line is nobody’s business');
if (does === 'break') throw new Error('a declaration is wrong\nin two lines');

test('stands in for the cases', async () => {
  end.report({ is: 'started', at: 0 });
  if (does === 'fail') expect(1).toBe(2);
  if (does === 'wait') await aborted(end.signal);
  if (does === 'reject') void Promise.reject(new Error('nobody awaits this'));
});

afterAll(() => {
  for (let at = 1; at <= events; at += 1) end.report({ is: 'verdict', at });
  if (does === 'wait') end.report({ is: String(end.signal.reason), at: 0 });
  if (does !== 'leave') end.finish();
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
