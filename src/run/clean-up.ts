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

const CREATED = 201;

/** Hangs up each call, with the credential that placed it, then with the valid one. */
export async function cleanUp(
  calls: readonly LeftCall[],
  options: RunOptions,
  ports: Ports,
): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const call of calls) {
    const { seq, ids, credential } = call;
    const onExchange: NonNullable<Ports['onExchange']> = (exchange) => ports.onExchange?.(exchange);
    const client = clientOf(options, ports, `s${ports.random(16)}`, onExchange, ids);
    client.adopt({ seq, ids, credential, status: CREATED, unsent: false });
    await client.hangUp();
    cleaned.push({ call, doubt: client.slot.possiblyOpen[0] ?? null });
  }
  return cleaned;
}
