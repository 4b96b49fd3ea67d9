/** The one loop that sends again: a request, the hang-up of a call, a read during an outage, a whole sequence. */

import { WAITING, type WaitReason } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Budget } from './budget.ts';

/** What comes after what was sent so far. */
export interface Again {
  readonly reason: WaitReason;
  /** Milliseconds to wait before. */
  readonly wait: number;
  /** The status that caused it, `null` for no response. */
  readonly status?: number | null;
  /** A read is sent first: the request follows if the read is accepted, or only if it was accepted late. */
  readonly check?: 'accepted' | 'late';
}

/** It is not sent again: it was waited for in vain. What has one of these keys is not waited for either. */
export interface GivenUp {
  readonly gaveUp: readonly string[];
}

/** What is sent again and again, and what decides on it. */
export interface Sending<Sent> {
  /** What was sent before; the loop adds to it. */
  readonly sent: Sent[];
  /** `null` once it is settled. */
  readonly next: (sent: readonly Sent[]) => Again | null;
  /** Waits, where a step says so; `false` where the budget of waiting cannot give that much, or the run was stopped meanwhile. */
  readonly pause?: (again: Again) => Promise<boolean>;
  /** `null` where it may not be sent any more. */
  readonly send: (again: Again) => Promise<Sent | null>;
}

/** Sends until nothing asks for more; resolves with all that was sent, the oldest first. */
export async function sendUntilSettled<Sent>({ sent, next, pause, send }: Sending<Sent>): Promise<readonly Sent[]> {
  for (;;) {
    const again = next(sent);
    if (again === null || (again.wait > 0 && (await pause?.(again)) === false)) return sent;
    const more = await send(again);
    if (more === null) return sent;
    sent.push(more);
  }
}

/** What is sent at once, since the target may be down. */
export const OUTAGE: Again = { reason: 'outage', wait: 0 };

/** Sends a read until one is as it should be, it can't be sent, or the waits for an outage are over. */
export async function readUntil(
  budget: Budget,
  isCleanUp: boolean,
  read: () => Promise<Exchange | null>,
  isSettled: (check: Exchange) => boolean,
): Promise<readonly Exchange[]> {
  const { waits } = WAITING.outage;
  return sendUntilSettled<Exchange>({
    sent: [],
    next: (checks) => {
      const last = checks.at(-1);
      if (last === undefined) return OUTAGE;
      const wait = waits[checks.length - 1];
      if (isSettled(last) || wait === undefined) return null;
      return { ...OUTAGE, wait };
    },
    pause: ({ reason, wait: milliseconds }) => budget.wait({ reason, operation: null, milliseconds, isCleanUp }),
    send: read,
  });
}
