/** Hangs up what a killed run left open: one call after the other, through the same client as in a run. */

import type { LeftCall } from './left-open.ts';
import type { RunOptions } from './options.ts';
import type { Ports } from './ports.ts';
import { clientOf } from './run-client.ts';

/** What became of one call. */
export interface Cleaned {
  readonly call: LeftCall;
  /** `null` where it was hung up, or had ended; otherwise one sentence. */
  readonly doubt: string | null;
}

/** Hangs up each call, with the credential that placed it, then with the valid one. */
export async function cleanUp(
  calls: readonly LeftCall[],
  options: RunOptions,
  ports: Ports,
): Promise<readonly Cleaned[]> {
  const onExchange: NonNullable<Ports['onExchange']> = (exchange) => ports.onExchange?.(exchange);
  const ids = calls.flatMap((call) => call.ids);
  const client = clientOf(options, ports, `s${ports.random(16)}`, onExchange, ids);
  // The run that placed these calls has seen that the target is the service.
  client.admit();
  const startedAt = ports.clock.now();
  for (const { ids: candidates, seq, credential, createdAt } of calls) {
    client.adopt(candidates, { seq, credential, createdAt: createdAt - startedAt });
    await client.hangUp();
  }
  const left = await client.closeRemaining();
  return calls.map((call) => {
    const at = left.findIndex(({ seq }) => seq === call.seq);
    return { call, doubt: client.slot.possiblyOpen[at] ?? null };
  });
}
