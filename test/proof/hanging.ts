/** Targets that leave requests without a response, in virtual time: a wait of one lane does not delay the others. */

import { createReference } from '../../fixtures/service/reference.ts';
import type { Clock } from '../../src/client/client-options.ts';
import { foundOperation } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Transport, WireRequest } from '../../src/exchange/message.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';
import { judge, optionsFrom, transportTo } from '../selftest/harness.ts';

/** A clock whose time passes when everything else waits. It begins in 2025: in 1970 an epoch looks like seconds from now. */
export function parallelClock(): Clock {
  let [now, isRunning] = [Date.UTC(2025, 0, 1), false];
  const due: { readonly at: number; readonly wake: () => void }[] = [];
  const next = (): void => {
    const first = due.sort((a, b) => a.at - b.at).shift();
    isRunning = first !== undefined;
    if (first === undefined) return;
    now = first.at;
    first.wake();
    setImmediate(next);
  };
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      due.push({ at: now + milliseconds, wake });
      if (!isRunning) setImmediate(next);
      isRunning = true;
    });
  return { now: () => now, sleep, rest: sleep };
}

/** The operation of a request. */
export const operationAt = ({ method, path }: WireRequest): OperationId | null =>
  foundOperation(method, path.replace(/\?.*/s, ''))?.operation ?? null;

/** What a run came to, and how many seconds it took. */
export interface Judgement {
  readonly record: RunRecord;
  readonly results: Results;
  readonly seconds: number;
  /** Calls that are open and that no sentence of the run names. */
  readonly unnamed: number;
}

/** Judges the reference service where it takes this long (milliseconds) for a request, or does not answer (`null`). */
export async function judgeSlow(delay: (request: WireRequest, nth: number) => number | null): Promise<Judgement> {
  const { service, settings, inspect } = createReference();
  const clock = parallelClock();
  const startedAt = clock.now();
  const toService = transportTo(service);
  let count = 0;
  const transport: Transport = async (request) => {
    count += 1;
    const milliseconds = delay(request, count) ?? Infinity;
    await clock.sleep(Math.min(milliseconds, request.timeout));
    if (milliseconds < request.timeout) return toService(request);
    return { kind: 'failure', failure: 'timeout', detail: 'no response came in time' };
  };
  const { record, results } = await judge(service, optionsFrom(settings), clock, transport);
  const { calls } = inspect();
  const open = calls.filter(({ direction, status }) => direction === 'outbound' && status !== 'ended');
  const named = record.possiblyOpen.length;
  return { record, results, seconds: (clock.now() - startedAt) / 1_000, unnamed: Math.max(0, open.length - named) };
}
