/** Sequences of one request with the ids of the settings. */

import type { OperationId } from '../../src/contract/operations.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';

/** Sends one request; nothing is sent where the settings do not name a resource of its path. */
export function single(
  id: OperationId,
  label: string,
  asks: readonly Ask[],
  variationOf: (session: Session) => Variation,
  place: Pick<Partial<Sequence>, 'lane' | 'phase'> = {},
): Sequence {
  const run = async (session: Session): Promise<void> => {
    demandNamed(session, id);
    await session.send(session.builder.request(id, { asks, ...variationOf(session) }));
  };
  return sequence(id, label, asks, run, place);
}
