/** Tolerated deviations: null, bytes after the value, another media type; and the closing controls. */

import type { OperationId } from '../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import { ask, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { asObject, baseOf, CALL_MEMBERS, encoded, malformed } from '../bodies.ts';
import { WITH_BODY } from '../operations.ts';
import { callSibling } from '../siblings.ts';
import { BODY_CHUNKED, CONTENT_TYPE_CHARSET, DEVIATIONS_ADVICE, JSON_WITH_CHARSET, OTHER_TYPE } from '../updates.ts';
import { callOptions } from './valid-bodies.ts';
import { claimsOf } from './violations.ts';

const CREATE = 'createCall';

/** One deviation of one requirement. */
interface Deviating {
  readonly asks: readonly Ask[];
  readonly label: string;
  /** The place of the body that deviates; empty for the body itself. */
  readonly pointer: string;
  readonly of: (base: JsonValue, fixed: readonly string[]) => Variation;
}

/** The deviations of the catalogue, bytes after the value first: another media type may hide them. */
const COMMON: readonly Deviating[] = DEVIATIONS_ADVICE.toReversed().flatMap((requirement) =>
  'deviations' in requirement.send
    ? Object.entries(requirement.send.deviations).map(([label, of]) => ({
        asks: [ask(requirement)],
        label,
        pointer: '',
        of,
      }))
    : [],
);

/** Without create call, which has a sequence of its own. */
const OPERATIONS = WITH_BODY.filter((id) => id !== CREATE);

function deviating(id: OperationId, { asks, label, of }: Deviating): Sequence {
  return sequence(id, label, asks, async (session) => {
    demandNamed(session, id);
    const base = baseOf(session, id);
    await session.probe(session.builder.request(id, { ...of(base, []), asks, about: label }), base, 'rejection');
  });
}

/** A valid request with a charset in its media type: if it is accepted, it closes the bracket of its lane. */
function withCharset(id: OperationId): Sequence {
  const asks = [ask(CONTENT_TYPE_CHARSET)];
  const run = async (session: Session): Promise<void> => {
    demandNamed(session, id);
    const { builder } = session;
    const json = baseOf(session, id);
    const about = `the body is labelled ${JSON_WITH_CHARSET}`;
    const labelled = { json, contentType: JSON_WITH_CHARSET, asks, control: true, role: 'control', about } as const;
    const answer = await session.probe(builder.request(id, labelled), json, 'acceptance');
    if (!answer.accepted) await session.send(builder.control(id, { json }));
  };
  return sequence(id, 'control with a charset', asks, run, { isControl: true, reserve: 0 });
}

const IN_CHUNKS = [['Transfer-Encoding', 'chunked']] as const;

/** A valid request whose body goes out in chunks. */
function chunked(id: OperationId): Sequence {
  const asks = [ask(BODY_CHUNKED)];
  return sequence(id, 'a body in chunks', asks, async (session) => {
    demandNamed(session, id);
    const json = baseOf(session, id);
    const about = 'the body in chunks, without Content-Length';
    await session.probe(session.builder.request(id, { json, headers: IN_CHUNKS, asks, about }), json, 'acceptance');
  });
}

/** Deviations of the other operations, and the controls that come after everything else in their lanes. */
export function deviations(): readonly Sequence[] {
  return OPERATIONS.flatMap((id) => [...COMMON.map((one) => deviating(id, one)), chunked(id), withCharset(id)]);
}

function nulls(builder: RequestBuilder): readonly Violation[] {
  const options = { ...callOptions(builder), exclude: [] };
  return violations(BODY_SCHEMAS['call-create'], options).filter(({ tolerated }) => tolerated === 'null');
}

/** Null everywhere, and inside a map and a list rather than in their places. */
function allNulls(builder: RequestBuilder, base: JsonObject): JsonObject {
  const pointers = nulls(builder).map(({ pointer }) => pointer);
  const holds = (pointer: string): boolean => pointers.some((other) => other.startsWith(`${pointer}/`));
  const innermost = nulls(builder).filter(({ pointer }) => !holds(pointer));
  return innermost.reduce((body, { apply }) => asObject(apply(body)), base);
}

function callDeviations(builder: RequestBuilder): readonly Deviating[] {
  const ofNull = nulls(builder).map((violation): Deviating => {
    const { label, pointer } = violation;
    const asks = claimsOf(CREATE, violation, label);
    return { asks, label, pointer, of: (base) => ({ body: encoded(violation.apply(asObject(base))) }) };
  });
  const common = COMMON.map((one) => ({ ...one, asks: one.asks.map(({ id }) => ({ id, variation: one.label })) }));
  return [...ofNull, ...common];
}

const TOGETHER = 'all deviations together';

/** All deviations in one body first, so that a lenient target needs only one call; otherwise one by one. */
export function deviatingCalls(builder: RequestBuilder): readonly Sequence[] {
  const all = callDeviations(builder);
  const together = [...new Set(all.flatMap(({ asks }) => asks.map(({ id }) => id)))].map((id) => ({
    id,
    variation: TOGETHER,
  }));
  const run = async (session: Session): Promise<void> => {
    const send = async (
      pointer: string,
      of: Deviating['of'],
      asks: readonly Ask[],
      about: string,
    ): Promise<boolean> => {
      const sibling = await callSibling(session, pointer);
      const variation = { ...of(sibling, CALL_MEMBERS), asks, about };
      return (await session.probe(builder.request(CREATE, variation), sibling, 'rejection')).accepted;
    };
    const ofAll = (base: JsonValue): Variation => {
      return {
        body: malformed(allNulls(builder, asObject(base)), 'bytes-after', CALL_MEMBERS),
        contentType: OTHER_TYPE,
      };
    };
    if (await send('', ofAll, together, TOGETHER)) {
      return session.settled(
        all.flatMap(({ asks }) => asks),
        'all deviations were accepted together',
      );
    }
    const accepted = new Set<string | undefined>();
    for (const { asks, label, pointer, of } of all) {
      const requirement = asks[0]?.id;
      // Each accepted body places a call, and a second one would prove no more about the requirement.
      if (accepted.has(requirement)) session.settled(asks, 'another body of this kind was accepted');
      else if (await send(pointer, of, asks, label)) accepted.add(requirement);
    }
  };
  return [sequence(CREATE, 'deviations', [...together, ...all.flatMap(({ asks }) => asks)], run)];
}
