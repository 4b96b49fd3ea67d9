/** Invalid bodies of create call and of the number assignment: every place of the schema, every way to break it. */

import { Skipped } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { isArray, isObject, type JsonObject, type JsonValue, withMember } from '../../src/generate/json.ts';
import { malformations } from '../../src/generate/malformations.ts';
import type { ByPointer } from '../../src/generate/options.ts';
import type { WrongValues } from '../../src/generate/violations.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { BrokenBody } from '../../src/run/requirement.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf, CALL_MEMBERS, encoded, minimalCall, objectBase } from '../bodies.ts';
import { REQUIREMENTS } from '../catalogue.ts';
import { callOptions } from './valid-bodies.ts';

const CREATE = 'createCall';
const ASSIGN = 'assignNumber';
const JSON_TYPE = 'application/json';
/** After this many accepted bodies of one requirement, the rest are not sent: each one places a call. */
const ENOUGH = 2;
/** With this few calls left, one is enough: other requirements need the rest. */
const FEW = 4;

/** What a broken body asks: the requirements that claim it. */
export function claimsOf(operation: OperationId, broken: BrokenBody, label: string): readonly Ask[] {
  return REQUIREMENTS.flatMap(({ id, operations, send }) => {
    const isSent = typeof send === 'object' && 'violations' in send && operations.includes(operation);
    return isSent && send.violations(broken, operation) ? [{ id, variation: label }] : [];
  });
}

/** A violation as the requirements see it. */
export const brokenBody = ({ pointer, kind, tolerated }: Violation): BrokenBody => ({
  pointer,
  kind,
  ...(tolerated === undefined ? {} : { deviation: tolerated }),
});

type MakeBody = (base: JsonValue, session: Session) => Uint8Array | null;

function invalidCall(asks: readonly Ask[], label: string, bodyOf: MakeBody): Sequence {
  return sequence(CREATE, `invalid: ${label}`, asks, async (session) => {
    const { builder, state, callsLeft } = session;
    const body = bodyOf(baseOf(session, CREATE), session);
    const [{ id } = { id: '' }] = asks;
    const accepted = state.acceptedInvalid.get(id) ?? 0;
    if (accepted >= (callsLeft > FEW ? ENOUGH : 1)) {
      throw new Skipped('other invalid bodies of this kind were accepted');
    }
    session.keepCalls(1);
    const request = builder.request(CREATE, { body, contentType: JSON_TYPE, asks, about: label });
    if ((await session.send(request)).accepted) state.acceptedInvalid.set(id, accepted + 1);
  });
}

/** The containers that a violation needs in place before it can break a member of theirs. */
function withPlace(base: JsonObject, pointer: string): JsonObject {
  if (pointer.startsWith('/variables/')) return withMember(base, 'variables', { note: 'plain' });
  return pointer.startsWith('/codecs/') ? withMember(base, 'codecs', ['PCMU']) : base;
}

/** A valid value after the invalid one, for a reader that uses the last one. */
function withMore(value: JsonValue, pointer: string): JsonValue {
  if (!isObject(value)) return value;
  const { variables, codecs } = value;
  if (pointer === '/variables/*' && isObject(variables ?? null)) {
    return withMember(value, 'variables', { ...Object(variables), last: 'plain' });
  }
  return pointer === '/codecs/-' && isArray(codecs) ? withMember(value, 'codecs', [...codecs, 'PCMA']) : value;
}

const NO_ID = { name: '', kind: undefined } as const;
const IDS = [NO_ID, { name: 'application_id', kind: 'voiceApplication' }, { name: 'trunk_id', kind: 'trunk' }] as const;

/** Every third body contains one accepted id, and every third the other. */
function withId(base: JsonObject, at: number, { pointer }: Violation, { builder, state }: Session): JsonObject {
  const { name, kind } = IDS[at % IDS.length] ?? NO_ID;
  const id = kind === undefined ? undefined : builder.named(kind)?.toLowerCase();
  const isKnown = state.features.get(`/${name}: lower case`) === true;
  const isFree = !('application_id' in base || 'trunk_id' in base || pointer.endsWith('_id') || pointer === '');
  return id !== undefined && isKnown && isFree ? withMember(base, name, id) : base;
}

function ofViolation(violation: Violation, at: number): Sequence {
  const { label, pointer } = violation;
  return invalidCall(claimsOf(CREATE, brokenBody(violation), label), label, (base, session) => {
    const value = violation.apply(withPlace(withId(isObject(base) ? base : {}, at, violation, session), pointer));
    return encoded(withMore(value, pointer));
  });
}

/** Falsy and truthy values: a careless target treats the first as absent and the second as text. */
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

/** Invalid create-call bodies. Null where a lawful reader may take it for absent is a deviation, sent elsewhere. */
export function invalidCalls(builder: RequestBuilder): readonly Sequence[] {
  const minimal = minimalCall(builder);
  if (minimal === null) return [withoutNumbers()];
  const options = { ...callOptions(builder), exclude: [], wrong: wrongValues(minimal) };
  const strict = violations(BODY_SCHEMAS['call-create'], options).filter(({ tolerated }) => tolerated === undefined);
  const syntax = malformations(JSON.stringify(minimal), CALL_MEMBERS).filter((one) => one.syntax === 'invalid');
  return [
    ...strict.map(ofViolation),
    // The bytes are made of the accepted body, so that an edit has something to break.
    ...syntax.map(({ kind, label }) => {
      const asks = claimsOf(CREATE, { pointer: '', kind, syntax: 'invalid' }, label);
      return invalidCall(asks, label, (base) => {
        const same = malformations(JSON.stringify(base), CALL_MEMBERS).find((one) => one.kind === kind);
        return same?.bytes ?? null;
      });
    }),
  ];
}

function withoutNumbers(): Sequence {
  const asks = REQUIREMENTS.filter(
    ({ level, operations, send }) =>
      level === 'must' && operations.includes(CREATE) && typeof send === 'object' && 'violations' in send,
  ).map(({ id }) => ({ id, variation: '' }));
  return sequence(CREATE, 'invalid, without numbers', asks, async (session) => void baseOf(session, CREATE));
}

/** An assignment with one broken body. */
function invalidAssignment(asks: readonly Ask[], label: string, bodyOf: MakeBody): Sequence {
  return sequence(ASSIGN, `invalid: ${label}`, asks, async (session) => {
    demandNamed(session, ASSIGN);
    const body = bodyOf(objectBase(session, ASSIGN), session);
    await session.send(session.builder.request(ASSIGN, { body, contentType: JSON_TYPE, asks, about: label }));
  });
}

/** Invalid assignments; without a connection in the settings nothing is sent, but the plan names the cases. */
export function invalidAssignments(builder: RequestBuilder): readonly Sequence[] {
  const id = builder.named('carrierConnection') ?? builder.uuid('connection');
  const valid = { carrier_connection_id: id };
  // A careless target unwraps an array of one.
  const options = { pool: { '/carrier_connection_id': [id] }, wrong: { '': { array: [[valid]] } } };
  const structural = violations(BODY_SCHEMAS['number-assignment'], options).map((violation) => {
    const asks = claimsOf(ASSIGN, brokenBody(violation), violation.label);
    return invalidAssignment(asks, violation.label, (base) => encoded(violation.apply(isObject(base) ? base : {})));
  });
  const syntactic = malformations(JSON.stringify(valid), Object.keys(valid)).flatMap(({ kind, label, bytes }) => {
    const asks = claimsOf(ASSIGN, { pointer: '', kind, syntax: 'invalid' }, label);
    return asks.length === 0 ? [] : [invalidAssignment(asks, label, () => bytes)];
  });
  return [...structural, ...syntactic];
}
