/** Labels of a body and bytes behind it, on the operations that carry one; create call has a suite of its own. */

import type { OperationId } from '../src/contract/operations.ts';
import type { JsonValue } from '../src/generate/json.ts';
import { malformations } from '../src/generate/malformed.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

/** A media type that is not JSON's and that no reader takes for a form. */
export const OTHER_TYPE = 'text/plain';

/** JSON's media type with a parameter that changes nothing. */
export const JSON_WITH_CHARSET = 'application/json; charset=utf-8';

const encoder = new TextEncoder();

/** The text of a body. */
export function bytesOf(body: JsonValue): Uint8Array {
  return encoder.encode(JSON.stringify(body));
}

/** The text of a body with more bytes behind it; the members named stay as they are. */
export function withTrailingBytes(body: JsonValue, protect: readonly string[] = []): Uint8Array {
  const found = malformations(JSON.stringify(body), protect).find(({ kind }) => kind === 'bytes-after');
  if (found?.bytes == null) throw new Error('no body with bytes behind it can be made');
  return found.bytes;
}

const LANES = [
  ['updateVoiceApplication', 'voice application'],
  ['setInboundAuth', 'carrier connection'],
  ['updateTrunk', 'trunk'],
  ['assignNumber', 'number'],
] as const satisfies readonly (readonly [OperationId, string])[];

type Lane = (typeof LANES)[number];

interface Leniency {
  readonly ask: string;
  readonly about: string;
  readonly of: (body: JsonValue) => Variation;
}

const REFUSED: readonly Leniency[] = [
  {
    ask: 'TRAILING-BYTES-REFUSED',
    about: 'bytes follow the value',
    of: (body) => ({ body: withTrailingBytes(body) }),
  },
  {
    ask: 'CONTENT-TYPE-OTHER',
    about: `the body is labelled ${OTHER_TYPE}`,
    of: (json) => ({ json, contentType: OTHER_TYPE }),
  },
];

function refusal(kit: Kit, [id, lane]: Lane, { ask, about, of }: Leniency): Sequence {
  return {
    name: `${id}/${about}`,
    operation: id,
    lane,
    phase: 'main',
    serves: [ask],
    run: async (talk) => {
      demandNamed(kit, id);
      const variation = { contentType: 'application/json', ...of(baseOf(talk, id)) };
      await talk.send(kit.request(id, { ...variation, asks: [ask], step: 'lenient', about }));
    },
  };
}

/** Valid in all but the label, which is right as well: where it is accepted it closes the bracket of its lane. */
function withCharset(kit: Kit, [id, lane]: Lane): Sequence {
  const asks = ['CONTENT-TYPE-CHARSET'];
  return {
    name: `${id}/control with a charset`,
    operation: id,
    lane,
    phase: 'main',
    serves: asks,
    isControl: true,
    run: async (talk) => {
      demandNamed(kit, id);
      const json = baseOf(talk, id);
      const about = `the body is labelled ${JSON_WITH_CHARSET}`;
      const labelled = { json, contentType: JSON_WITH_CHARSET, asks, control: true, step: 'with charset', about };
      const answer = await talk.send(kit.request(id, labelled));
      if (!answer.accepted) await talk.send(kit.control(id, { json }));
    },
  };
}

/** Leniencies of the writes, and the controls that come after everything else in their lanes. */
export const LENIENCY_SUITE: Suite = {
  name: 'leniencies',
  sequences: (kit) =>
    LANES.flatMap((lane) => [...REFUSED.map((one) => refusal(kit, lane, one)), withCharset(kit, lane)]),
};
