/** What most sequences are made of: a request that is built and sent, alone or next to a valid body. */

import type { Answer } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { JsonValue } from '../../src/generate/json.ts';
import type { Variation } from '../../src/run/builder.ts';
import { type Due, demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf } from '../bodies.ts';

type Sending = Pick<Session, 'builder' | 'send'>;

/** Sends a request to the operation. */
export const sendTo = (session: Sending, id: OperationId, variation: Variation): Promise<Answer> =>
  session.send(session.builder.request(id, variation));

/** Sends a valid request with the valid credential. */
export const sendValid = (session: Sending, id: OperationId, variation?: Variation): Promise<Answer> =>
  session.send(session.builder.control(id, variation));

type SequencePlace = Pick<Partial<Sequence>, 'lane' | 'phase' | 'stimulus'>;

/** A sequence of one request; nothing is sent where the settings do not name a resource of its path. */
export function single(
  id: OperationId,
  label: string,
  asks: readonly Ask[],
  variationOf: (session: Session) => Variation,
  place: SequencePlace = {},
): Sequence {
  const run = async (session: Session): Promise<void> => {
    demandNamed(session, id);
    await sendTo(session, id, { asks, ...variationOf(session) });
  };
  return sequence(id, label, asks, run, place);
}

/** The same, of a request that differs from the accepted one in a single element. */
export function compared(
  id: OperationId,
  label: string,
  asks: readonly Ask[],
  due: Due,
  variationOf: (base: JsonValue) => Variation,
  place: SequencePlace = {},
): Sequence {
  const run = async (session: Session): Promise<void> => {
    demandNamed(session, id);
    const base = baseOf(session, id);
    await session.probe(session.builder.request(id, { asks, ...variationOf(base) }), base, due);
  };
  return sequence(id, label, asks, run, place);
}
