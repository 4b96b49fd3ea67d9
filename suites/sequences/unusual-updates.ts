/** Unusual updates, sent mostly to the voice application, where they do the least harm (section 2). */

import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import { integerEdges } from '../../src/generate/boundary.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import { type MalformationKind, malformations } from '../../src/generate/malformations.ts';
import { ask } from '../../src/run/builder.ts';
import type { Observation } from '../../src/run/requirement.ts';
import { demandNamed, type Sequence, sequence } from '../../src/run/sequence.ts';
import { acceptedBase, encoded } from '../bodies.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from '../observations/choices.ts';
import {
  BODY_REQUIRED,
  DUPLICATE_MEMBERS,
  GAP_EMPTY_UPDATE,
  GAP_NESTING,
  GAP_SIZE_LIMITS,
  GAP_UNKNOWN_MEMBERS,
  INVALID_UTF8,
  RING_BOUNDS,
  UPDATE_BOUNDS,
} from '../observations/updates.ts';
import { UPDATES, type Update } from '../operations.ts';

const UPDATE = 'updateVoiceApplication';
const RING = 'ring_timeout_seconds';
const JSON_TYPE = 'application/json';

const encoder = new TextEncoder();

/** One update that differs from the accepted one; `writes` names the field that gets an unusual value. */
interface Unusual {
  readonly gap: Observation;
  readonly label: string;
  readonly writes?: 'name' | typeof RING;
  readonly bytesOf: (base: JsonObject) => Uint8Array | null | undefined;
}

const LENGTH = 8_000;

/** White space is not part of any value: it only makes the body longer. */
function padded(base: JsonObject): Uint8Array {
  const text = JSON.stringify(base);
  return encoder.encode(text + ' '.repeat(Math.max(0, LENGTH - Buffer.byteLength(text))));
}

function malformed(gap: Observation, kind: MalformationKind, label: string): Unusual {
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
    gap: GAP_UNKNOWN_MEMBERS,
    label: 'one member more',
    bytesOf: (base) => encoded({ ...base, [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
  },
  malformed(DUPLICATE_MEMBERS, 'duplicate-member', 'the first member twice'),
  malformed(INVALID_UTF8, 'invalid-utf-8', 'a string that is not UTF-8'),
  malformed(GAP_NESTING, 'deep-nesting', 'arrays 400 deep in another member'),
  { gap: GAP_SIZE_LIMITS, label: 'a body of 8,000 bytes', bytesOf: padded },
  ...NAMES.map(
    ([label, name]): Unusual => ({
      gap: UPDATE_BOUNDS,
      label,
      writes: 'name',
      bytesOf: (base) => encoded({ ...base, name }),
    }),
  ),
  ...integerEdges(BODY_SCHEMAS['voice-application-update']).map(
    ({ literal, textOf: withLiteral }): Unusual => ({
      gap: RING_BOUNDS,
      label: literal,
      writes: RING,
      bytesOf: (base) => encoder.encode(withLiteral({ ...base, [RING]: 30 })),
    }),
  ),
];

function unusual({ gap, label, writes, bytesOf }: Unusual): Sequence {
  const asks = [ask(gap, label)];
  const prefix = writes === RING ? `${RING} ` : '';
  return sequence(UPDATE, `observed: ${prefix}${label}`, asks, async (session) => {
    demandNamed(session, UPDATE);
    const body = bytesOf(acceptedBase(session, UPDATE));
    if (body === undefined) return;
    const request = session.builder.request(UPDATE, { body, contentType: JSON_TYPE, asks, about: label });
    const answer = await session.send(request);
    if (answer.accepted && writes !== undefined) session.state.observed.add(writes);
  });
}

/** Gives typical values to the fields that got unusual ones: calls may use the application before the run restores it. */
function restoreFields(): Sequence {
  return sequence(UPDATE, 'observed: restore', [], async (session) => {
    const { builder, state } = session;
    const written = [...state.observed];
    if (written.length === 0) return;
    demandNamed(session, UPDATE);
    const before = state.facts.application ?? {};
    const typical: JsonObject = { name: builder.mark, [RING]: 30 };
    const base = acceptedBase(session, UPDATE);
    const values = Object.fromEntries(written.map((field) => [field, before[field] ?? typical[field] ?? null]));
    const json = { ...base, ...values };
    await session.send(builder.request(UPDATE, { json, role: 'restore', about: 'typical values again' }));
  });
}

/** An update with an empty object, and one without any body; the empty one of the application is a control. */
function without(id: Update): readonly Sequence[] {
  const send = (label: string, gap: Observation, body: Uint8Array | null): Sequence => {
    const asks = [ask(gap, label)];
    return sequence(id, `observed: ${label}`, asks, async (session) => {
      demandNamed(session, id);
      const contentType = body === null ? null : JSON_TYPE;
      await session.send(session.builder.request(id, { body, contentType, asks, about: label }));
    });
  };
  const empty = send('an empty object', GAP_EMPTY_UPDATE, encoded({}));
  return [...(id === UPDATE ? [] : [empty]), send('no body', BODY_REQUIRED, null)];
}

/** All unusual updates. */
export function observedUpdates(): readonly Sequence[] {
  return [...UNUSUAL.map(unusual), restoreFields(), ...UPDATES.flatMap(without)];
}
