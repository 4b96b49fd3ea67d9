/** Create-call bodies that are refused with 400 (sections 2, 4 and 7). */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { type Breach, breaches } from '../src/generate/breach.ts';
import { isArray, isObject, type JsonObject, type JsonValue, withMember } from '../src/generate/json.ts';
import { type Malformation, malformations } from '../src/generate/malformed.ts';
import type { ByPointer } from '../src/generate/options.ts';
import type { WrongValues } from '../src/generate/wrong.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
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
  bytesOf: (base: JsonValue, talk: Talk) => Uint8Array | null,
): Sequence {
  const ask = `${requirement}#${label}`;
  return {
    name: `${CREATE}/invalid: ${label}`,
    operation: CREATE,
    lane: 'call',
    phase: 'main',
    serves: [ask],
    run: async (talk) => {
      const body = bytesOf(baseOf(talk, CREATE), talk);
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

/** A right value behind the wrong one, for whoever believes the last. */
function withMore(value: JsonValue, pointer: string): JsonValue {
  if (!isObject(value)) return value;
  const { variables, codecs } = value;
  if (pointer === '/variables/*' && isObject(variables ?? null)) {
    return withMember(value, 'variables', { ...Object(variables), last: 'plain' });
  }
  return pointer === '/codecs/-' && isArray(codecs) ? withMember(value, 'codecs', [...codecs, 'PCMA']) : value;
}

function ofBreach(kit: Kit, breach: Breach, at: number): Sequence {
  return refusal(kit, requirementOf(breach), breach.label, (base, talk) => {
    const body = withPlace(withId(isObject(base) ? base : {}, at, breach, talk), breach.pointer);
    const value = breach.apply(body);
    if (value === undefined) throw new Error(`the breach "${breach.label}" does not fit the base body`);
    return encoder.encode(JSON.stringify(withMore(value, breach.pointer)));
  });
}

const NO_ID = { name: '', kind: undefined } as const;
const IDS = [NO_ID, { name: 'application_id', kind: 'voiceApplication' }, { name: 'trunk_id', kind: 'trunk' }] as const;

/** An id that bodies with it were accepted for: every third body holds the one, and every third the other. */
function withId(base: JsonObject, at: number, { pointer }: Breach, { kit, memory }: Talk): JsonObject {
  const { name, kind } = IDS[at % IDS.length] ?? NO_ID;
  const id = kind === undefined ? undefined : kit.named(kind)?.toLowerCase();
  const isKnown = memory.elements.get(`/${name}: lower case`) === true;
  const isFree = !('application_id' in base || 'trunk_id' in base || pointer.endsWith('_id') || pointer === '');
  return id !== undefined && isKnown && isFree ? withMember(base, name, id) : base;
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
    return [...strict.map((breach, at) => ofBreach(kit, breach, at)), ...syntax.map((one) => ofMalformation(kit, one))];
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
