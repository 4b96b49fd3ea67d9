/** The valid bodies from which probes differ in a single element (conformance model, section 1). */

import type { OperationId } from '../src/contract/operations.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../src/generate/json.ts';
import type { RequestBuilder } from '../src/run/builder.ts';
import type { Session } from '../src/run/sequence.ts';
import { asObject, baseOf, minimalCall, namedIds } from './bodies.ts';
import { CREATE } from './operations.ts';

const REQUIRED: readonly string[] = ['from', 'to'];

/** Several pairs, so that a wrong value can stand between valid ones. */
const PAIRS = { first: 'plain', key: 'plain', last: 'plain' } as const;

/**
 * Members that a call can carry beside others. Which values of `dtmf_mode`, `codecs` and `media_encryption` are accepted
 * is not shown: all together first, then each with common ones.
 */
export const RIDERS: readonly JsonObject[] = [
  { dtmf_mode: 'rfc2833', codecs: ['PCMU', 'PCMA', 'G722'], media_encryption: 'none' },
  { variables: PAIRS },
  { dtmf_mode: 'rfc2833' },
  { codecs: ['PCMU', 'PCMA'] },
  { media_encryption: 'none' },
  { dtmf_mode: 'inband' },
  { codecs: ['PCMU'] },
  { media_encryption: 'sdes' },
  { dtmf_mode: 'info' },
  { media_encryption: 'srtp' },
];

/** The member to which a place belongs; empty for the body itself. */
const memberOf = (pointer: string): string => pointer.split('/')[1] ?? '';

/** A create-call body without the optional member to which the place belongs; `null` if there is none. */
export function withoutElement(body: JsonObject, pointer: string): JsonObject | null {
  const name = memberOf(pointer);
  if (!(name in body) || REQUIRED.includes(name)) return null;
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** Whether a body has a value other than null in a place, or in the container of the place something to replace. */
function isFilled(body: JsonValue, pointer: string): boolean {
  if (!isObject(body)) return false;
  if (pointer === '') return true;
  const value = body[memberOf(pointer)] ?? null;
  if (!/\/[*-]$/.test(pointer)) return value !== null && value !== '';
  return isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** The longest maps and lists first: the wrong value then has neighbours on both sides. */
function fullest(bodies: readonly JsonObject[], pointer: string): readonly JsonObject[] {
  if (!/\/[*-]$/.test(pointer)) return bodies;
  const size = (body: JsonObject): number => Object.keys(Object(body[memberOf(pointer)])).length;
  const most = Math.max(...bodies.map(size));
  return bodies.filter((body) => size(body) === most);
}

/** What may have to stand beside a member of a create call, each with a typical value. */
export function companions(builder: RequestBuilder): readonly JsonObject[] {
  const members = Object.entries({ ...namedIds(builder), variables: PAIRS, privacy: true });
  return [...members.map(([name, value]) => ({ [name]: value })), ...RIDERS.slice(0, 1)];
}

/** Create-call bodies with the place filled, on top of the accepted one: with every member, then with this one. */
function callsWith(session: Session, pointer: string): readonly JsonObject[] {
  const { builder, state } = session;
  const body = asObject(state.bases.get(CREATE) ?? minimalCall(builder));
  const plain = { ...namedIds(builder), variables: PAIRS, privacy: true };
  const sample = builder.options.samples[CREATE];
  const riders = RIDERS.filter((rider) => memberOf(pointer) in rider);
  const own = Object.entries(plain).flatMap(([name, value]) => (name === memberOf(pointer) ? [{ [name]: value }] : []));
  const all = pointer === '' ? [] : [{ ...plain, ...RIDERS[0] }, ...riders, ...own];
  const given = [body, ...(sample !== undefined && isObject(sample) ? [sample] : [])];
  return [...given.filter((one) => isFilled(one, pointer)), ...all.map((members) => ({ ...body, ...members }))];
}

/**
 * A valid body with the place filled: the one in turn of those that the run saw accepted, otherwise the first of these
 * that is accepted, otherwise the first of them, with which a rejection proves nothing.
 */
export async function siblingFor(
  session: Session,
  id: OperationId,
  pointer: string,
  candidates: readonly JsonObject[],
  turn = 0,
): Promise<JsonObject> {
  const { builder, state } = session;
  const accepted = state.acceptedBodies(id).filter(isObject);
  const known = fullest(
    accepted.filter((body) => isFilled(body, pointer)),
    pointer,
  );
  const [own] = known.slice(turn % Math.max(1, known.length));
  if (own !== undefined) return own;
  const possible = candidates.filter((body) => isFilled(body, pointer));
  for (const json of possible) {
    if (state.isAcceptedBody(id, JSON.stringify(json)) !== undefined) continue;
    const about = `a valid body with ${pointer || 'its members'}`;
    const answer = await session.sendIfAllowed(builder.control(id, { json, role: 'sibling', about }));
    if (answer?.accepted) return json;
  }
  // The last has the fewest members, and with them the fewest other reasons for a rejection.
  return possible.at(-1) ?? candidates.at(-1) ?? {};
}

/** The sibling of a broken create call; throws `Skipped` without numbers to dial. */
export async function callSibling(session: Session, pointer: string, turn = 0): Promise<JsonObject> {
  baseOf(session, CREATE);
  return siblingFor(session, CREATE, pointer, callsWith(session, pointer), turn);
}
