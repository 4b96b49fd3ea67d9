/** Create-call bodies that are refused with 400 (sections 2, 4 and 7). */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import type { Kit } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import type { Sequence } from '../src/engine/sequence.ts';
import { type Breach, breaches } from '../src/generate/breach.ts';
import { isObject, type JsonObject, type JsonValue, withMember } from '../src/generate/json.ts';
import { type Malformation, malformations } from '../src/generate/malformed.ts';
import type { ByPointer } from '../src/generate/options.ts';
import type { WrongValues } from '../src/generate/wrong.ts';
import { minimalCall } from './bases.ts';
import { callOptions } from './call-valid.ts';
import { baseOf } from './controls.ts';

const CREATE = 'createCall';
const encoder = new TextEncoder();
/** Members that no edit of the bytes may touch: half an id could be read as another one. */
const PROTECTED = ['from', 'to', 'application_id', 'trunk_id'];
/** After so many accepted bodies of one requirement the rest of it is not sent: each one places a call. */
const ENOUGH = 2;
/** With so few calls left one is enough: other requirements need theirs. */
const FEW = 4;

/** The requirement that a breach of the schema asks. */
export function requirementOf({ pointer, kind }: Pick<Breach, 'pointer' | 'kind'>): string {
  if (pointer === '') return 'CALL-CREATE-BODY';
  if (pointer === '/from' || pointer === '/to') return 'CALL-CREATE-REQUIRED-FIELDS';
  return kind === 'word' || kind === 'past-f' ? 'CALL-CREATE-UUID' : 'CALL-CREATE-FIELD-TYPES';
}

/** A plain value of each member that a breach needs in place before it can break it. */
function withPlace(base: JsonObject, pointer: string): JsonObject {
  if (pointer.startsWith('/variables/')) return withMember(base, 'variables', { note: 'plain' });
  return pointer.startsWith('/codecs/') ? withMember(base, 'codecs', ['PCMU']) : base;
}

function refusal(
  kit: Kit,
  requirement: string,
  label: string,
  bytesOf: (base: JsonValue) => Uint8Array | null,
): Sequence {
  const ask = `${requirement}#${label}`;
  return {
    name: `${CREATE}/invalid: ${label}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [ask],
    run: async (talk) => {
      const body = bytesOf(baseOf(talk, CREATE));
      const accepted = talk.memory.acceptedInvalid.get(requirement) ?? 0;
      if (accepted >= (talk.callsLeft > FEW ? ENOUGH : 1))
        throw new Withheld('other invalid bodies of this kind were accepted', 'raise --max-calls to see more of them');
      if (talk.callsLeft <= 1) throw new Withheld('the last call is kept for the control', 'raise --max-calls');
      const variation = { body, contentType: 'application/json', asks: [ask], step: 'invalid', about: label };
      const answer = await talk.send(kit.request(CREATE, variation));
      if (answer.accepted) talk.memory.acceptedInvalid.set(requirement, accepted + 1);
    },
  };
}

function ofBreach(kit: Kit, breach: Breach): Sequence {
  return refusal(kit, requirementOf(breach), breach.label, (base) => {
    const value = breach.apply(withPlace(isObject(base) ? base : {}, breach.pointer));
    if (value === undefined) throw new Error(`the breach "${breach.label}" does not fit the base body`);
    return encoder.encode(JSON.stringify(value));
  });
}

/** The bytes are made from a body with one more member, so that an edit has something to break. */
function ofMalformation(kit: Kit, { label, kind }: Malformation): Sequence {
  return refusal(kit, 'CALL-CREATE-BODY', label, (base) => {
    const text = JSON.stringify(base);
    return malformations(text, PROTECTED).find((one) => one.kind === kind)?.bytes ?? null;
  });
}

/** Falsy values beside truthy ones: a careless target takes the first for absent and the second for text. */
function wrongValues(minimal: JsonObject): ByPointer<WrongValues> {
  const texts = ['/application_id', '/trunk_id', '/dtmf_mode', '/variables/*', '/codecs/-'];
  return {
    ...Object.fromEntries(texts.map((pointer) => [pointer, { boolean: [false] }])),
    '/media_encryption': { boolean: [false, true] },
    '/privacy': { integer: [0, 1], string: ['true', ''] },
    '/variables': { boolean: [false] },
    '/codecs': { boolean: [false] },
    '': { array: [[minimal]] },
  };
}

/** Every place of the schema, every way to be wrong there, and bodies that are no JSON. */
export const CALL_BODY_SUITE: Suite = {
  name: 'call bodies',
  sequences: (kit) => {
    const minimal = minimalCall(kit);
    if (minimal === null) return [withoutNumbers()];
    const options = { ...callOptions(kit), exclude: [], wrong: wrongValues(minimal) };
    // Null may lawfully be read as absent or empty, but for the two members that are required.
    const strict = breaches(BODY_SCHEMAS['call-create'], options).filter(
      ({ leniency, pointer }) => leniency !== 'null' || pointer === '/from' || pointer === '/to',
    );
    const syntax = malformations(JSON.stringify(minimal), PROTECTED).filter(({ syntax }) => syntax === 'invalid');
    return [...strict.map((breach) => ofBreach(kit, breach)), ...syntax.map((one) => ofMalformation(kit, one))];
  },
};

function withoutNumbers(): Sequence {
  const words = ['REQUIRED-FIELDS', 'FIELD-TYPES', 'UUID', 'BODY'];
  return {
    name: `${CREATE}/invalid, without numbers`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: words.map((word) => `CALL-CREATE-${word}`),
    run: async (talk) => void baseOf(talk, CREATE),
  };
}
