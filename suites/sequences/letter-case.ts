/** The id of a connection in the other letter case: RFC 9562 has UUIDs compared without regard to it. */

import { ask, type RequestBuilder } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, sequence } from '../../src/run/sequence.ts';
import { objectBase } from '../bodies.ts';
import { NUMBER_ASSIGN_LETTER_CASE } from '../updates.ts';

const ASSIGN = 'assignNumber';

/** The accepted assignment in the other letter case; nothing is sent where the id has no letters. */
export function otherLetterCase(builder: RequestBuilder): Sequence {
  const id = builder.named('carrierConnection') ?? '';
  const other = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  const asks = [ask(NUMBER_ASSIGN_LETTER_CASE)];
  return sequence(ASSIGN, 'the other letter case', asks, async (session) => {
    demandNamed(session, ASSIGN);
    const base = objectBase(session, ASSIGN);
    if (other === id) return;
    const json = { ...base, carrier_connection_id: other };
    const about = `the id of the connection in ${other === other.toUpperCase() ? 'upper' : 'lower'} case`;
    await session.probe(builder.request(ASSIGN, { json, asks, about }), base, 'acceptance');
  });
}
