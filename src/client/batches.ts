/** Simultaneous batches: which of their requests fails is chance, so they are repeated as a whole (docs/design/symptoms.md). */

import { WAITING } from '../contract/waiting.ts';
import { type Exchange, isUnanswered } from '../exchange/exchange.ts';
import type { Budget } from './budget.ts';
import type { Presence } from './presence.ts';
import type { Sent } from './reasons.ts';
import type { PlacedRequest } from './request.ts';
import type { Settlements } from './settlements.ts';
import type { Admitted } from './wire.ts';

/** A request of a batch, and what came of it. */
export interface Batched {
  readonly admitted: Admitted;
  readonly result: PromiseSettledResult<Sent>;
}

interface BatchPorts {
  readonly budget: Budget;
  readonly settlements: Settlements;
  readonly presence: Presence;
  /** Sends the batch once more, in the place of that one. */
  readonly send: (before: readonly Batched[]) => Promise<readonly Batched[]>;
}

/** The request in the place of that of an earlier batch. */
export function replacing({ request, place }: PlacedRequest, before: Batched | undefined): PlacedRequest {
  const replaced = before?.result.status === 'fulfilled' ? { replaces: before.result.value.exchange.seq } : {};
  return { request, place: { ...place, ...replaced } };
}

const OF_A_GATEWAY: ReadonlySet<number> = new Set([502, 503, 504, 429]);

/** Whether the service itself wrote the answer; a gateway that limits connections writes 429, 502, 503 and 504, or nothing. */
const isWritten = (exchange: Exchange): boolean =>
  !isUnanswered(exchange) && !OF_A_GATEWAY.has(exchange.response?.status ?? 0);

/**
 * Repeats a batch, adding to these, while it shows symptoms that the service itself wrote; what each batch shows is confirmed.
 * What a gateway rejects goes out again alone.
 */
export async function repeatBatch(batches: (readonly Batched[])[], ports: BatchPorts): Promise<void> {
  const { budget, settlements, presence, send } = ports;
  const { waits } = WAITING.symptom;
  const [first] = batches[0] ?? [];
  if (first === undefined) return;
  const troubledIn = (batch: readonly Batched[] = []): readonly Exchange[] => {
    const sent = batch.flatMap(({ result }) => (result.status === 'fulfilled' ? [result.value] : []));
    const troubled = sent.filter(({ symptom }) => !settlements.isBelieved(symptom)).map(({ exchange }) => exchange);
    return troubled.every(isWritten) ? troubled : [];
  };
  await budget.untilSettled({
    sent: batches,
    operation: first.admitted.request.operation,
    next: (sent) => {
      const wait = waits[sent.length - 1];
      return troubledIn(sent.at(-1)).length > 0 && wait !== undefined ? { reason: 'symptom', wait } : null;
    },
    send: async () => {
      const isGone = batches.length === 1 && (await presence.of(first.admitted)) === 'gone';
      return isGone ? null : send(batches.at(-1) ?? []);
    },
  });
  if (batches.length > waits.length) settlements.confirm(troubledIn(batches.at(-1)));
}
