/** Tolerated deviations: null, bytes after the value, another media type; and the closing controls. */

import type { OperationId } from '../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import { type Violation, violations } from '../../src/generate/violations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Sequence } from '../../src/run/sequence.ts';
import { asObject, baseOf, CALL_MEMBERS, encoded, malformed } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { CREATE, WITH_BODY } from '../operations.ts';
import { callSibling } from '../siblings.ts';
import { DEVIATIONS_ADVICE, JSON_WITH_CHARSET, OTHER_TYPE } from '../updates.ts';
import { compared, onNamed, sendValid, sequence } from './sending.ts';
import { callOptions } from './valid-bodies.ts';
import { claimsOf } from './violations.ts';

/** One deviation of one requirement. */
interface Deviating {
  readonly asks: readonly Ask[];
  readonly label: string;
  /** The place of the body that deviates; empty for the body itself. */
  readonly pointer: string;
  readonly of: (base: JsonValue, fixed: readonly string[]) => Variation;
}

/** The deviations of the catalogue, bytes after the value first: another media type may hide them. */
const DEVIATIONS: readonly Deviating[] = DEVIATIONS_ADVICE.toReversed().flatMap((requirement) =>
  'deviations' in requirement.send
    ? Object.entries(requirement.send.deviations).map(([label, of]) => ({
        asks: [ask(requirement.id)],
        label,
        pointer: '',
        of,
      }))
    : [],
);

/** Without create call, which has a sequence of its own. */
const OTHERS_WITH_BODY = WITH_BODY.filter((id) => id !== CREATE);

const deviating = (id: OperationId, { asks, label, of }: Deviating): Sequence =>
  compared(id, label, { asks }, 'rejection', (base) => ({ ...of(base, []), about: label }));

/** A valid request with a charset in its media type: if it is accepted, it closes the bracket of its lane. */
function withCharset(id: OperationId): Sequence {
  const asks = [ask('CONTENT-TYPE-CHARSET')];
  return onNamed(id, 'control with a charset', { asks, isControl: true, reserve: 0 }, async (session) => {
    const { builder } = session;
    const json = baseOf(session, id);
    const about = `the body is labelled ${JSON_WITH_CHARSET}`;
    const labelled = { json, contentType: JSON_WITH_CHARSET, asks, control: true, role: 'control', about } as const;
    const answer = await session.probe(builder.request(id, labelled), json, 'acceptance');
    if (!answer.accepted) await sendValid(session, id, { json });
  });
}

const IN_CHUNKS = [['Transfer-Encoding', 'chunked']] as const;

/** A valid request whose body goes out in chunks. */
const chunked = (id: OperationId): Sequence =>
  compared(id, 'a body in chunks', { asks: [ask('BODY-CHUNKED')] }, 'acceptance', (json) => {
    return { json, headers: IN_CHUNKS, about: 'the body in chunks, without Content-Length' };
  });

/** Deviations of the other operations, and the controls that come after everything else in their lanes. */
export function deviations(): readonly Sequence[] {
  return OTHERS_WITH_BODY.flatMap((id) => [
    ...DEVIATIONS.map((one) => deviating(id, one)),
    chunked(id),
    withCharset(id),
  ]);
}

function nulls(builder: RequestBuilder): readonly Violation[] {
  const options = { ...callOptions(builder), exclude: [] };
  return violations(BODY_SCHEMAS['call-create'], options).filter(({ tolerated }) => tolerated === 'null');
}

/** A member that is null, or a value inside a map or a list. */
const isInner = ({ pointer }: Pick<Violation, 'pointer'>): boolean => pointer.split('/').length > 2;

const applied = (parts: readonly Violation[], base: JsonValue): JsonObject =>
  parts.reduce((body, { apply }) => asObject(apply(body)), asObject(base));

const asksIn = (deviating: readonly Deviating[]): readonly Ask[] => deviating.flatMap(({ asks }) => asks);

/** Several deviations in one body: what a lenient target accepts together takes a single call. */
function allInOne(about: string, parts: readonly Deviating[], of: Deviating['of']): Deviating {
  const asks = [...new Set(asksIn(parts).map(({ id }) => id))].map((id) => ({ id, variation: about }));
  return { asks, label: about, pointer: '', of };
}

/** All deviations in one body, then nulls of one kind, and one by one what was rejected together. */
export function deviatingCalls(builder: RequestBuilder): readonly Sequence[] {
  const [inner, members] = [nulls(builder).filter(isInner), nulls(builder).filter((one) => !isInner(one))];
  const single = (violation: Violation): Deviating => {
    const { label, pointer } = violation;
    const of = (base: JsonValue): Variation => ({ body: encoded(violation.apply(asObject(base))) });
    return { asks: claimsOf(CREATE, violation, label), label, pointer, of };
  };
  const groups = [
    ['null for every member', members],
    ['null for every inner value', inner],
  ] as const;
  const ofNulls = groups.map(([about, parts]) => {
    const singles = parts.map(single);
    return { singles, all: allInOne(about, singles, (base) => ({ body: encoded(applied(parts, base)) })) };
  });
  const common = DEVIATIONS.map((one) => ({
    ...one,
    asks: one.asks.map(({ id }) => ({ id, variation: one.label })),
  }));
  const rest = [...ofNulls.flatMap(({ singles, all }) => [all, ...singles]), ...common];
  const everything = allInOne('all deviations together', rest, (base) => {
    // Null inside a map and a list rather than in their places.
    const innermost = [...members.filter((one) => !inner.some(({ pointer }) => isWithin(pointer, one))), ...inner];
    return { body: malformed(applied(innermost, base), 'bytes-after', CALL_MEMBERS), contentType: OTHER_TYPE };
  });
  return [
    sequence(CREATE, 'deviations', { asks: asksIn([everything, ...rest]) }, async (session) => {
      const isTaken = async ({ pointer, of, asks, label }: Deviating): Promise<boolean> => {
        const sibling = await callSibling(session, pointer);
        const variation = { ...of(sibling, CALL_MEMBERS), asks, about: label };
        return (await session.probe(builder.request(CREATE, variation), sibling, 'rejection')).accepted;
      };
      const settle = (parts: readonly Deviating[]): void =>
        session.settled(asksIn(parts), 'deviations of this kind were accepted together');
      if (await isTaken(everything)) return settle(rest);
      for (const { singles, all } of ofNulls) {
        if (await isTaken(all)) settle(singles);
        else for (const one of singles) await isTaken(one);
      }
      for (const one of common) await isTaken(one);
    }),
  ];
}

const isWithin = (pointer: string, { pointer: holder }: Violation): boolean => pointer.startsWith(`${holder}/`);
