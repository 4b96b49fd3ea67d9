/** Observed on the voice application: what an update lets pass, on the resource where that does least (section 2). */

import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { integerEdges } from '../src/generate/edges.ts';
import type { JsonObject } from '../src/generate/json.ts';
import { type MalformationKind, malformations } from '../src/generate/malformed.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence } from '../src/run/sequence.ts';
import { acceptedBase, gapAsk, observation, UNKNOWN_MEMBER, UNKNOWN_WORD } from './observation.ts';
import { UPDATES, type Update } from './written.ts';

const UPDATE = 'updateVoiceApplication';
const RING = 'ring_timeout_seconds';
const PLACE = { lane: UPDATES[UPDATE] } as const;
const JSON_TYPE = 'application/json';

const encoder = new TextEncoder();

/** One update that differs from the accepted one; `writes` names the field that gets an unusual value. */
interface Unusual {
  readonly gap: string;
  readonly label: string;
  readonly writes?: 'name' | typeof RING;
  readonly bytesOf: (base: JsonObject) => Uint8Array | null | undefined;
}

const textOf = (json: JsonObject): Uint8Array => encoder.encode(JSON.stringify(json));

const LENGTH = 8_000;

/** White space is part of no value, so it makes a body long and nothing else. */
function padded(base: JsonObject): Uint8Array {
  const text = JSON.stringify(base);
  return encoder.encode(text + ' '.repeat(Math.max(0, LENGTH - Buffer.byteLength(text))));
}

function malformed(gap: string, kind: MalformationKind, label: string): Unusual {
  const bytesOf = (base: JsonObject) =>
    malformations(JSON.stringify(base), []).find((one) => one.kind === kind)?.bytes ?? undefined;
  return { gap, label, writes: 'name', bytesOf };
}

const NAMES = [
  ['an empty name', ''],
  ['a name of 300 characters', 'x'.repeat(300)],
  ['a name of 5,000 characters', 'x'.repeat(5_000)],
  ['a name of non-ASCII characters', 'Grüße aus 東京 😀 𝒳'],
  ['a name with U+0000', 'a\u0000b'],
] as const;

const UNUSUAL: readonly Unusual[] = [
  {
    gap: 'GAP-UNKNOWN-MEMBERS',
    label: 'one member more',
    bytesOf: (base) => textOf({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
  },
  malformed('GAP-DUPLICATE-MEMBERS', 'duplicate-member', 'the first member twice'),
  malformed('GAP-INVALID-UTF8', 'invalid-utf-8', 'a string that is no UTF-8'),
  malformed('GAP-NESTING', 'deep-nesting', 'arrays 400 deep in another member'),
  { gap: 'GAP-SIZE-LIMITS', label: 'a body of 8,000 bytes', bytesOf: padded },
  ...NAMES.map(
    ([label, name]): Unusual => ({
      gap: 'GAP-UPDATE-BOUNDS',
      label,
      writes: 'name',
      bytesOf: (base) => textOf({ ...base, name }),
    }),
  ),
  ...integerEdges(BODY_SCHEMAS['voice-application-update']).map(
    ({ literal, textOf: withLiteral }): Unusual => ({
      gap: 'GAP-RING-TIMEOUT-BOUNDS',
      label: literal,
      writes: RING,
      bytesOf: (base) => encoder.encode(withLiteral({ ...base, [RING]: 30 })),
    }),
  ),
];

function unusual(kit: Kit, { gap, label, writes, bytesOf }: Unusual): Sequence {
  const asks = [gapAsk(gap, label)];
  return observation(
    UPDATE,
    `${gap === 'GAP-RING-TIMEOUT-BOUNDS' ? `${RING} ` : ''}${label}`,
    asks,
    PLACE,
    async (talk) => {
      const body = bytesOf(acceptedBase(talk, UPDATE));
      if (body === undefined) return;
      const answer = await talk.send(
        kit.request(UPDATE, { body, contentType: JSON_TYPE, asks, step: 'unusual', about: label }),
      );
      if (answer.accepted && writes !== undefined) talk.memory.observed.add(writes);
    },
  );
}

/** Writes what stood in the fields that got unusual values, or else plain values, and says so. */
function putBack(kit: Kit): Sequence {
  return observation(UPDATE, 'put back', [], PLACE, async (talk) => {
    const written = [...talk.memory.observed];
    if (written.length === 0) return;
    const before = talk.memory.application ?? {};
    const plain = { name: kit.mark, [RING]: 30 };
    const values = Object.fromEntries(written.map((field) => [field, before[field] ?? Reflect.get(plain, field)]));
    const base = acceptedBase(talk, UPDATE);
    const json = { ...base, ...values };
    const answer = await talk.send(kit.request(UPDATE, { json, step: 'put back', about: 'plain values again' }));
    // What the accepted body holds is put back, or named, at the end of the run.
    const lost = written.filter((field) => !answer.accepted || (before[field] === undefined && !(field in base)));
    if (lost.length === 0) return;
    const application = kit.named('voiceApplication');
    talk.memory.changed.push(`voice application ${application}: ${lost.join(', ')} may not be what it was`);
  });
}

/** An update with an empty object, and one without any body; the empty one of the application is asked elsewhere. */
function without(kit: Kit, id: Update): readonly Sequence[] {
  const place = { lane: UPDATES[id] };
  const send = (label: string, gap: string, body: Uint8Array | null): Sequence => {
    const asks = [gapAsk(gap, label)];
    return observation(id, label, asks, place, async (talk) => {
      demandNamed(kit, id);
      const contentType = body === null ? null : JSON_TYPE;
      await talk.send(kit.request(id, { body, contentType, asks, step: 'without', about: label }));
    });
  };
  const empty = send('an empty object', 'GAP-EMPTY-UPDATE', textOf({}));
  return [...(id === UPDATE ? [] : [empty]), send('no body', 'GAP-BODY-REQUIRED', null)];
}

/** What updates let pass. */
export const OBSERVED_UPDATES: Suite = {
  name: 'observed updates',
  sequences: (kit) => [
    ...UNUSUAL.map((one) => unusual(kit, one)),
    putBack(kit),
    ...(Object.keys(UPDATES) as readonly Update[]).flatMap((id) => without(kit, id)),
  ],
};
