/** Unusual updates, sent mostly to the voice application, where they do the least harm (section 2). */

import { EDGE_INTEGERS } from '../../src/generate/edges.ts';
import { type JsonObject, textWith } from '../../src/generate/json.ts';
import { ask, boundary, type Variation } from '../../src/run/builder.ts';
import type { Observation } from '../../src/run/requirement.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { acceptedBase, encoded, malformed } from '../bodies.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from '../observations/choices.ts';
import {
  BODY_REQUIRED,
  DUPLICATE_MEMBERS,
  GAP_EMPTY_UPDATE,
  GAP_SIZE_LIMITS,
  GAP_UNKNOWN_MEMBERS,
  RING_BOUNDS,
} from '../observations/updates.ts';
import { UPDATES, type Update } from '../operations.ts';
import { single } from './single.ts';

const UPDATE = 'updateVoiceApplication';
const RING = 'ring_timeout_seconds';

const encoder = new TextEncoder();

/** One update that differs from the accepted one. */
interface Unusual {
  readonly gap: Observation;
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
  gap: GAP_UNKNOWN_MEMBERS,
  label: 'one member more',
  bytesOf: (base) => encoded({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
};

const UNUSUAL: readonly Unusual[] = [
  ONE_MORE,
  { gap: DUPLICATE_MEMBERS, label: 'the first member twice', bytesOf: (base) => malformed(base, 'duplicate-member') },
  { gap: GAP_SIZE_LIMITS, label: 'a body of 8,000 bytes', bytesOf: padded },
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
      encoder.encode(textWith(acceptedBase(session, UPDATE), { [RING]: label }));
    const asks = [ask(RING_BOUNDS, label), boundary(about)];
    return single(UPDATE, `boundary: ${about}`, asks, (session) => ({ body: bodyOf(session), about }), {
      phase: 'hazards',
    });
  });

/** An update with an empty object, and one without any body; the empty one of the application is a control. */
function without(id: Update): readonly Sequence[] {
  const send = (about: string, gap: Observation, body: Variation): Sequence =>
    single(id, `observed: ${about}`, [ask(gap, about)], () => ({ ...body, about }));
  const empty = send('an empty object', GAP_EMPTY_UPDATE, { json: {} });
  return [...(id === UPDATE ? [] : [empty]), send('no body', BODY_REQUIRED, {})];
}

/** All unusual updates. */
export function observedUpdates(): readonly Sequence[] {
  return [...UNUSUAL.map((one) => unusual(UPDATE, one)), unusual('updateTrunk', ONE_MORE), ...UPDATES.flatMap(without)];
}
