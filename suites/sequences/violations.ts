/**
 * Invalid bodies: for create call and the number assignment every way to break every place of the schema, for updates
 * each field with a wrong type and null; and tolerated deviations: null, bytes after the value, another media type.
 */

import type { SuiteRequest } from '../../src/client/request.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import { ambiguities, type Malformation, malformations } from '../../src/generate/malformations.ts';
import type { ByPointer } from '../../src/generate/options.ts';
import { type Violation, violations, type WrongValues } from '../../src/generate/violations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { BrokenBody, Requirement } from '../../src/run/requirement.ts';
import { demandNamed, type Independent, type Sequence, type Session } from '../../src/run/sequence.ts';
import { statusOf } from '../../src/verdict/answer.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import {
  asObject,
  baseOf,
  CALL_MEMBERS,
  callSibling,
  callWithIds,
  idForBody,
  jsonBytes,
  malformed,
  minimalCall,
  objectBase,
  schemaOf,
  siblingFor,
  valueFor,
  valuesFor,
  withoutElement,
} from '../bodies.ts';
import { CREATE_CALL } from '../create-call.ts';
import { ASSIGN, CREATE, type Update, WITH_BODY } from '../operations.ts';
import { isExtension, UPDATE_BODIES } from '../updates.ts';
import {
  besideBody,
  compared,
  type Due,
  independent,
  type Probe,
  sendProbe,
  sendSiblings,
  sequence,
} from './sending.ts';
import { restoreField } from './shown.ts';
import { callOptions } from './valid-bodies.ts';

/** The requirements about bodies, in report order. */
const OF_BODIES: readonly Requirement[] = [...CREATE_CALL, ...UPDATE_BODIES];

/** What a broken body asks: the requirements that claim it. */
export function claimsOf(operation: OperationId, broken: BrokenBody, label: string): readonly Ask[] {
  const claiming = OF_BODIES.filter(
    ({ operations, send }) => operations.includes(operation) && send?.violations?.(broken, operation) === true,
  );
  return claiming.map(({ id }) => ({ id, variation: label }));
}

/** A body that is broken in one way, based on a valid one, with its questions. */
interface InvalidBody {
  /** The broken place; empty for the body itself, and for its bytes. */
  readonly pointer: string;
  readonly kind: string;
  readonly label: string;
  readonly asks: readonly Ask[];
  readonly of: (valid: JsonObject) => Variation;
}

/** The members of a body broken in these ways; only those that some requirement claims. */
function brokenIn(id: OperationId, ways: readonly Violation[]): readonly InvalidBody[] {
  const all = ways.map((way): InvalidBody => {
    const of = (valid: JsonObject): Variation => ({ body: jsonBytes(way.apply(valid)) });
    return { ...way, asks: claimsOf(id, way, way.label), of };
  });
  return all.filter(isAsking);
}

/** The same for its bytes; the named members stay unchanged. */
function brokenBytes(
  id: OperationId,
  ways: readonly Malformation[],
  fixed: readonly string[] = [],
): readonly InvalidBody[] {
  const all = ways.map(({ kind, label }): InvalidBody => {
    const asks = claimsOf(id, { pointer: '', kind, syntax: 'invalid' }, label);
    // A request without a body needs no label; an empty body keeps its label.
    const unlabelled = kind === 'no-body' ? ({ contentType: null } as const) : {};
    const of = (valid: JsonObject): Variation => ({ body: malformed(valid, kind, fixed), ...unlabelled });
    return { pointer: '', kind, label, asks, of };
  });
  return all.filter(isAsking);
}

const isAsking = ({ asks }: InvalidBody): boolean => asks.length > 0;

/** On create call one addition around a UUID stands for all; the assignment, which places no call, gets each. */
const isAround = ({ kind }: Violation): boolean =>
  kind === 'led' || kind === 'trailed' || (kind.startsWith('around-') && kind !== 'around-letters');

/** Texts that mean "none" are one stimulus, and so are additions around a UUID. */
const stimulusOfKind = (kind: string): string => `body ${kind.replace(/^(text|around)-.*/, '$1')}`;

/**
 * An invalid create call, based on an accepted one with the place filled; `turn` chooses among several. Bytes are based
 * on one with variables, so that an edit has something to break.
 */
function invalidCall({ pointer, kind, label, asks, of }: InvalidBody, isOfBytes: boolean, turn: number): Sequence {
  const otherwise = { reason: 'another invalid body of this kind was accepted' };
  const [filled, place] = isOfBytes ? ['/variables', kind] : [pointer, pointer];
  return sequence(CREATE, `invalid: ${label}`, { asks, otherwise, stimulus: stimulusOfKind(kind) }, async (session) => {
    const { builder, state } = session;
    const [{ id } = { id: '' }] = asks;
    const isAdvice = OF_BODIES.find((body) => body.id === id)?.level === 'should';
    baseOf(session, CREATE);
    // Each accepted body places a call, and a decoder that converts types would accept dozens. Other places are still
    // asked: a gate passed although, after a known failure of one member, a second was accepted with any type.
    const taken = state.acceptedInvalid.get(id) ?? [];
    if (taken.length >= TRIALS.rule || taken.includes(place)) return;
    const siblingOf = kind === 'missing' && pointer !== '' ? callWithIds : callSibling;
    const sibling = await siblingOf(session, filled, turn);
    const request = builder.request(CREATE, { ...of(sibling), asks, about: label });
    // Each wrong status is explained once: showing that the state is not its reason costs a call.
    const wrong = state.comparedFor(id).flatMap(({ exchange }) => statusOf(exchange) ?? []);
    const statuses = [400, ...wrong, ...(request.contentType === null ? [415] : [])];
    const due: Due = isAdvice ? 'rejection' : { statuses, without: withoutElement(sibling, filled) };
    const probe = await sendProbe(session, request, sibling, due);
    await sendSiblings(session, [probe]);
    if (probe.answer.accepted) state.acceptedInvalid.set(id, [...taken, place]);
  });
}

/** `{}` itself, even if a call needs more than two members: a service that checks only one of them may break on it. */
const EMPTY_CALL: InvalidBody = {
  pointer: '',
  kind: 'missing',
  label: 'the body is {}',
  asks: [ask('CALL-CREATE-REQUIRED-FIELDS', 'the body is {}'), boundary('the body is {}')],
  of: () => ({ json: {} }),
};

/** Falsy and truthy values: a careless target treats the first as absent and the second as text. */
function falsyAndTruthy(minimal: JsonObject): ByPointer<WrongValues> {
  const texts = ['/application_id', '/trunk_id', '/variables/*', '/codecs/-'];
  return {
    ...Object.fromEntries(texts.map((pointer) => [pointer, { boolean: [false] }])),
    // Jackson may read an empty list as null, as PHP reads it as nothing.
    '/media_encryption': { boolean: [false, true], array: [[]] },
    // The ordinal of a word in an enumeration; a rule that is checked first would treat 0 as absent.
    '/dtmf_mode': { boolean: [false], integer: [1] },
    '/privacy': { integer: [0, 1], string: ['true', ''] },
    // Jackson may read an empty text as a missing map, and so does a script that only tests whether it is falsy.
    '/variables': { boolean: [false], string: [''] },
    // Not empty: Laravel's rules take an object with items for a list, and {} for a list that is too short.
    '/codecs': { boolean: [false], object: [{ 0: 'PCMU' }] },
    // The second is a valid call to decoders that read a list as the members in order.
    '': { array: [[minimal], Object.values(minimal)] },
  };
}

/** Invalid create-call bodies. A null that a lawful reader may read as absent is a deviation, sent elsewhere. */
export function invalidCalls(builder: RequestBuilder): readonly Sequence[] {
  const minimal = minimalCall(builder);
  if (minimal === null) return [];
  const options = { ...callOptions(builder), exclude: [], wrong: falsyAndTruthy(minimal) };
  const strict = violations(BODY_SCHEMAS['call-create'], options).filter(
    (violation) => violation.tolerated === undefined && !isAround(violation),
  );
  const syntax = malformations(JSON.stringify(minimal), CALL_MEMBERS).filter(({ syntax }) => syntax === 'invalid');
  // Recommendations come last: each accepted body costs a call.
  const ofBytes = [...syntax.filter((way) => !isExtension(way)), ...syntax.filter(isExtension)];
  const inTurn = (calls: readonly InvalidBody[], isOfBytes = false) =>
    calls.map((call, turn) => invalidCall(call, isOfBytes, turn));
  return [
    ...inTurn(brokenIn(CREATE, strict)),
    ...inTurn([EMPTY_CALL]),
    ...inTurn(brokenBytes(CREATE, ofBytes, CALL_MEMBERS), true),
  ];
}

/** The accepted body of an operation, broken. */
const invalidFrom =
  (id: OperationId) =>
  ({ kind, label, asks, of }: InvalidBody): Sequence =>
    compared(id, `invalid: ${label}`, { asks, stimulus: stimulusOfKind(kind) }, (valid) => {
      return { ...of(asObject(valid)), about: label };
    });

/** Invalid assignments; without a connection in the settings nothing is sent, but the plan names the cases. */
export function invalidAssignments(builder: RequestBuilder): readonly Sequence[] {
  const id = idForBody(builder, 'carrierConnection') ?? builder.uuid('connection');
  const valid = { carrier_connection_id: id };
  // A careless target unwraps an array of one, reads a list of values as the members, or a falsy value as an absent id.
  const ofId = { boolean: [true, false], array: [[id], []], word: ['plain-word', ''] };
  const wrong = { '': { array: [[valid], [id]] }, '/carrier_connection_id': ofId };
  const options = { pool: { '/carrier_connection_id': [id] }, wrong };
  const ofMembers = brokenIn(ASSIGN, violations(BODY_SCHEMAS['number-assignment'], options));
  const ofBytes = brokenBytes(ASSIGN, malformations(JSON.stringify(valid), Object.keys(valid)), Object.keys(valid));
  return [...ofMembers, ...ofBytes].map(invalidFrom(ASSIGN));
}

/** The deviations of the catalogue, bytes after the value first: another media type may hide them. */
const DEVIATIONS = OF_BODIES.toReversed().flatMap(({ id, send }) =>
  Object.entries(send?.deviations ?? {}).map(([label, of]) => ({ id, label, of })),
);

/** Deviations of an operation other than create call. */
export const deviations = (id: OperationId): readonly Sequence[] => [
  ...DEVIATIONS.map(({ id: requirement, label, of }) =>
    compared(id, label, { asks: [{ id: requirement, variation: '' }] }, (base) => ({ ...of(base, []), about: label })),
  ),
  ...(AS_FORMS.includes(id) ? [asForm(id)] : []),
];

/** The media type of a form. */
const FORM = 'application/x-www-form-urlencoded';

/** Operations whose body is sent as a form once. */
const AS_FORMS: readonly OperationId[] = ['updateVoiceApplication', 'updateTrunk', ASSIGN];

/** A valid body as a form: `express.urlencoded()` and its like read one wherever they read JSON. */
function asForm(id: OperationId): Sequence {
  const about = 'the body is a form';
  return compared(id, about, { asks: [{ id: 'CONTENT-TYPE-OTHER', variation: about }] }, (base) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(asObject(base))) form.set(name, String(value));
    return { body: new TextEncoder().encode(`${form}`), contentType: FORM, about };
  });
}

/** Labels that a target may accept or reject, but must not fail on: a form without a boundary, and no label at all. */
const LABELS = { 'multipart/form-data without a boundary': 'multipart/form-data', 'no Content-Type': null } as const;
/** A form could make a create call dial a number that the guard cannot read, and respells a recorded secret. */
const LABELS_WITH_FORM = { ...LABELS, [`${FORM} without a field`]: FORM } as const;

/** Still JSON. The guard cannot know how a target reads a create call in another charset. */
const CHARSET = { 'a charset that nobody knows': 'application/json; charset=x-unknown' } as const;

/** A body with another label, after everything ordinary; create call gets a body that can dial nothing. */
export function otherLabels(): readonly Sequence[] {
  return WITH_BODY.flatMap((id) =>
    Object.entries({
      ...(AS_FORMS.includes(id) ? LABELS : LABELS_WITH_FORM),
      ...(id === CREATE ? {} : CHARSET),
    }).map(([label, contentType]) => {
      const asks = [boundary(label), ...(label in CHARSET ? [] : [ask('OTHER-LABEL-NO-SERVER-ERROR', label)])];
      const place = { asks, phase: 'hazards' } as const;
      return independent(id, `boundary: ${label}`, place, {
        request: (session) => {
          demandNamed(session, id);
          const json = id === CREATE ? { variables: {} } : baseOf(session, id);
          return session.builder.request(id, { json, contentType, asks, about: `a body with ${label}` });
        },
      });
    }),
  );
}

/** Several violations in one body, for which a lenient target costs only one call, and then each alone. */
function packed(label: string, parts: readonly Violation[]): readonly [all: InvalidBody, ...alone: InvalidBody[]] {
  const alone = brokenIn(CREATE, parts);
  const ids = new Set(alone.flatMap(({ asks }) => asks.map(({ id }) => id)));
  const of = (valid: JsonObject): Variation => {
    return { body: jsonBytes(parts.reduce((body, { apply }) => asObject(apply(body)), valid)) };
  };
  return [{ pointer: '', kind: 'null', label, asks: [...ids].map((id) => ({ id, variation: label })), of }, ...alone];
}

/** Deviations of create call: nulls of one kind together, and one by one if they are rejected together. */
export function deviatingCalls(builder: RequestBuilder): Sequence {
  const options = { ...callOptions(builder), exclude: [] };
  const nulls = violations(BODY_SCHEMAS['call-create'], options).filter(({ tolerated }) => tolerated === 'null');
  // A value inside a map or a list, not a member.
  const isInner = ({ pointer }: Violation): boolean => pointer.split('/').length > 2;
  const ofNulls = [
    packed(
      'null for every member',
      nulls.filter((violation) => !isInner(violation)),
    ),
    packed('null for every inner value', nulls.filter(isInner)),
  ];
  // A body with another label, or bytes after its value, may be read as missing: it says nothing about its content.
  const bodies = DEVIATIONS.map(({ id, label, of }): InvalidBody => {
    const asks = [{ id, variation: label }];
    return { pointer: '', kind: label, label, asks, of: (valid) => of(valid, CALL_MEMBERS) };
  });
  const asks = [...ofNulls.flat(), ...bodies].flatMap(({ asks }) => asks);
  const otherwise = { reason: 'deviations of this kind were accepted together' };
  return sequence(CREATE, 'deviations', { asks, otherwise }, async (session) => {
    const probes: Probe[] = [];
    const isTaken = async ({ pointer, of, asks, label }: InvalidBody): Promise<boolean> => {
      const sibling = await callSibling(session, pointer);
      const request = builder.request(CREATE, { ...of(sibling), asks, about: label });
      const probe = await sendProbe(session, request, sibling, 'rejection');
      probes.push(probe);
      return probe.answer.accepted;
    };
    for (const [all, ...alone] of ofNulls)
      if (!(await isTaken(all))) for (const deviating of alone) await isTaken(deviating);
    for (const deviating of bodies) await isTaken(deviating);
    await sendSiblings(session, probes);
  });
}

function invalidUpdate(id: Update, { label, pointer, kind, asks }: InvalidBody): Sequence {
  const field = pointer.slice(1);
  const request = async (session: Session): Promise<SuiteRequest> => {
    demandNamed(session, id);
    const values = valuesFor(session, id);
    const base = objectBase(session, id);
    // With the field: all that may be written together, then the accepted body with this field.
    const filled = (): readonly JsonObject[] => [
      { ...values, ...base },
      { ...base, [field]: valueFor(values, field) },
    ];
    const sibling = await siblingFor(session, id, pointer, field === '' ? [base] : filled());
    const typical = Object.fromEntries(Object.entries(values).map(([name, value]) => [`/${name}`, value]));
    // Some readers take [] for {}. If every member is required, that fails anyway, so the list holds values instead.
    const isListed = id === 'setInboundAuth' ? ({ isListed: true } as const) : {};
    const violation = violations(schemaOf(id), { typical, ...isListed }).find((violation) => violation.label === label);
    if (violation === undefined) throw new Error(`there is no violation "${label}"`);
    const variation = { body: jsonBytes(violation.apply(sibling)), asks, about: label };
    return besideBody(session.builder.request(id, variation), sibling);
  };
  const note: Independent['note'] = async (session, answer, request) => {
    await sendSiblings(session, [{ request, answer, due: 'rejection' }]);
    const isStored = answer.accepted && field !== '';
    if (isStored) await restoreField(session, id, field, valueFor(valuesFor(session, id), field));
  };
  const made = independent(id, `invalid: ${label}`, { asks, stimulus: `body ${kind}` }, { request, note });
  const { independent: _, ...alone } = made;
  // What a trunk accepts for its status and direction is restored before anything else is sent.
  return id === 'updateTrunk' ? alone : made;
}

/** The invalid bodies of an update: every field, and bytes that only some readers take for JSON. */
export const invalidUpdates = (id: Update): readonly Sequence[] => [
  ...brokenIn(id, violations(schemaOf(id))).map((broken) => invalidUpdate(id, broken)),
  ...brokenBytes(id, ambiguities('{}')).map(invalidFrom(id)),
];
