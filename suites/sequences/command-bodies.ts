/** The bodies that commands of a walk send, within what the safety rules decide (conformance model, section 7). */

import type { OperationId } from '../../src/contract/operations.ts';
import type { Command } from '../../src/generate/commands.ts';
import type { Edge } from '../../src/generate/edges.ts';
import { BODY_LIMIT, isObject, type JsonObject, type JsonValue } from '../../src/generate/json.ts';
import { malformations } from '../../src/generate/malformations.ts';
import { bothCases } from '../../src/generate/options.ts';
import type { InvalidOptions } from '../../src/generate/random.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Session } from '../../src/run/sequence.ts';
import { applicationUrls, CALL_MEMBERS, encoded, objectBase } from '../bodies.ts';
import { CREATE, isOneOf } from '../operations.ts';
import { edgesFor } from './edges.ts';
import { callOptions } from './valid-bodies.ts';

/** Members whose bytes no edit touches: ids, numbers to dial and the secret. */
const PROTECTED = [...CALL_MEMBERS, 'carrier_connection_id', 'secret'];
/** A wrong value may be stored: the secret stays random, and the state of a trunk stays what it is. */
const NEVER_WRONG: readonly string[] = ['/secret', '/direction', '/status'];
/** Members that an edge may change where others are left alone. */
const EDGES_OF_TRUNK: readonly string[] = ['/name'];

function decided(id: OperationId, builder: RequestBuilder): InvalidOptions {
  const { options } = builder;
  switch (id) {
    case CREATE:
      return { ...callOptions(builder), exclude: [] };
    case 'assignNumber': {
      const own = builder.named('carrierConnection') ?? builder.uuid('connection');
      return { pool: { '/carrier_connection_id': [...bothCases(own), builder.uuid('explored connection')] } };
    }
    case 'updateVoiceApplication': {
      const { voice_url, callback_url } = applicationUrls(options);
      const fixed = { '/voice_url': voice_url, '/callback_url': callback_url };
      return options.numbers === null
        ? { fixed, exclude: ['/caller_id'] }
        : { fixed: { ...fixed, '/caller_id': options.numbers.from } };
    }
    case 'setInboundAuth':
      // The secret is put in when the request is sent: what is drawn depends on the seed alone.
      return { fixed: { '/secret': 'secret' } };
    default:
      return { exclude: ['/direction', '/status'] };
  }
}

/** What is drawn for an operation; null may be read as absent, so it need not be rejected. */
export function bodyOptions(id: OperationId, builder: RequestBuilder): InvalidOptions {
  return {
    ...decided(id, builder),
    where: ({ kind, pointer }) => kind !== 'null' && !NEVER_WRONG.includes(pointer),
  };
}

const ofList = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

/**
 * The body of a command, and the same in words; `label` distinguishes what it writes from everything else that the run
 * writes.
 */
export function bodyOf(
  { operation, body }: Command,
  session: Session,
  label: string,
): Pick<Variation, 'json' | 'body' | 'about'> {
  if (body.kind === 'none') return {};
  const typical = typicalBody(operation, session, label);
  switch (body.kind) {
    case 'typical':
      return { json: typical, about: TYPICAL };
    case 'valid':
      return { json: withOwn(body.value, session, label), about: 'a random valid body' };
    case 'invalid':
      return { json: withOwn(body.value, session, label), about: body.violation.label };
    case 'boundary': {
      const edge = operation === CREATE ? undefined : ofList(edgesFor(operation, session.builder), body.at);
      if (edge === undefined) return { json: typical, about: TYPICAL };
      return { body: atEdge(edge, operation, typical, body.at), about: edge.label };
    }
    case 'malformed': {
      const edit = ofList(malformations(JSON.stringify(typical), PROTECTED), body.at);
      return { body: edit?.bytes ?? null, about: edit?.label ?? TYPICAL };
    }
  }
}

const TYPICAL = 'a typical body';

/** The body that the run knows to be accepted, with a name that no other request writes. */
function typicalBody(id: OperationId, session: Session, label: string): JsonObject {
  const base = objectBase(session, id);
  const isNamed = isOneOf(['updateTrunk', 'updateVoiceApplication'], id) && 'name' in base;
  return isNamed ? { ...base, name: nameFor(session, label) } : base;
}

/** A name with the mark of the run that no other command writes. */
const nameFor = ({ builder }: Session, label: string): string =>
  `${builder.mark} ${builder.digest(`name ${label}`).slice(0, 8)}`;

/**
 * A drawn body with the secret of the run. A drawn name may have been drawn before: a read that shows it would not tell
 * which change took effect.
 */
function withOwn(value: JsonValue, session: Session, label: string): JsonValue {
  if (!isObject(value)) return value;
  const { name, secret } = value;
  return {
    ...value,
    ...(secret === 'secret' ? { secret: session.builder.secret } : {}),
    ...(typeof name === 'string' ? { name: `${nameFor(session, label)} ${name}` } : {}),
  };
}

/** The value in all members that may have it, or in a single one. */
function atEdge(edge: Edge, id: OperationId, base: JsonObject, at: number): Uint8Array {
  const open = id === 'updateTrunk' ? edge.pointers.filter((one) => EDGES_OF_TRUNK.includes(one)) : edge.pointers;
  const [first, ...rest] = open;
  const chosen = ofList([open, ...open.map((one) => [one])], at >> 4) ?? open;
  const candidates = [chosen, first === undefined || rest.length === 0 ? [] : [first]];
  const fitting = candidates.map((pointers) => edge.bytesOf(base, pointers)).find(({ length }) => length < BODY_LIMIT);
  return fitting ?? encoded(base);
}
