/** Unusual updates, sent mostly to the voice application, where they do the least harm (section 2). */

import { EDGE_INTEGERS } from '../../src/generate/edges.ts';
import { type JsonObject, textWith } from '../../src/generate/json.ts';
import { boundary, type Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { acceptedBase, encoded, malformed } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from '../observations/choices.ts';
import type { GapId } from '../observations/index.ts';
import { APPLICATION, TRUNK, UPDATES, type Update } from '../operations.ts';
import { single } from './sending.ts';

const RING = 'ring_timeout_seconds';

const encoder = new TextEncoder();

/** One update that differs from the accepted one. */
interface Unusual {
  readonly gap: GapId;
  readonly label: string;
  readonly bytesOf: (base: JsonObject) => Uint8Array | null;
}

const LENGTH = 8_000;

/** White space is not part of any value: it only makes the body longer. */
function padded(base: JsonObject): Uint8Array {
  const text = JSON.stringify(base);
  return encoder.encode(text + ' '.repeat(Math.max(0, LENGTH - Buffer.byteLength(text))));
}

/** Records that take every member for a column fail at one that is none. */
const ONE_MORE: Unusual = {
  gap: 'GAP-UNKNOWN-MEMBERS',
  label: 'one member more',
  bytesOf: (base) => encoded({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
};

const UNUSUAL: readonly Unusual[] = [
  ONE_MORE,
  {
    gap: 'GAP-DUPLICATE-MEMBERS',
    label: 'the first member twice',
    bytesOf: (base) => malformed(base, 'duplicate-member'),
  },
  { gap: 'GAP-SIZE-LIMITS', label: 'a body of 8,000 bytes', bytesOf: padded },
];

function unusual(id: Update, { gap, label, bytesOf }: Unusual): Sequence {
  const variationOf = (session: Session): Variation => ({ body: bytesOf(acceptedBase(session, id)), about: label });
  return single(id, `observed: ${label}`, [ask(gap, label)], variationOf);
}

/** Integers at the edge of what implementations store, after everything ordinary. */
export const integers = (): readonly Sequence[] =>
  EDGE_INTEGERS.map((label) => {
    const about = `${RING} is ${label}`;
    const bodyOf = (session: Session): Uint8Array =>
      encoder.encode(textWith(acceptedBase(session, APPLICATION), { [RING]: label }));
    const asks = [ask('GAP-RING-TIMEOUT-BOUNDS', label), boundary(about)];
    return single(APPLICATION, `boundary: ${about}`, asks, (session) => ({ body: bodyOf(session), about }), {
      phase: 'hazards',
    });
  });

/** An update with an empty object, and one without any body; the empty one of the application is a control. */
function without(id: Update): readonly Sequence[] {
  const send = (about: string, gap: GapId, body: Variation): Sequence =>
    single(id, `observed: ${about}`, [ask(gap, about)], () => ({ ...body, about }));
  const empty = send('an empty object', 'GAP-EMPTY-UPDATE', { json: {} });
  return [...(id === APPLICATION ? [] : [empty]), send('no body', 'GAP-BODY-REQUIRED', {})];
}

/** All unusual updates. */
export function observedUpdates(): readonly Sequence[] {
  return [...UNUSUAL.map((one) => unusual(APPLICATION, one)), unusual(TRUNK, ONE_MORE), ...UPDATES.flatMap(without)];
}
