/** Ids in the path that name no resource (RFC 9110, section 15.5.5; the specification does not show the response). */

import type { Answer, SuiteRequest } from '../src/client/request.ts';
import { listed } from '../src/contract/lists.ts';
import { type OperationId, operationById, type ResourceKind } from '../src/contract/operations.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import type { RequestBuilder, Variation } from '../src/run/builder.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { demandNamed, type Sequence, type Session } from '../src/run/sequence.ts';
import { answerPhrase, isAboutRequest, isAccepted, isServerFailure, statusOf } from '../src/verdict/answer.ts';
import { boundary } from '../src/verdict/boundary.ts';
import type { Evidence } from '../src/verdict/evidence.ts';
import { foundAcceptance, foundAnswer, none, type Opinion, PASS } from '../src/verdict/opinion.ts';
import { envelope } from './answers.ts';
import { ask } from './ask.ts';
import { bodyFor } from './bodies.ts';
import { remedyForControl } from './expect/remedy.ts';
import { isOneOf, ON_CALLS, READS, UPDATES, WITH_ID } from './operations.ts';
import { readAgain } from './sequences/credentials.ts';
import { independent, sendValid } from './sequences/sending.ts';

const OF_IDS = { level: 'should', section: 'RFC 9110, 15.5.5', operations: WITH_ID } as const;

export function unknownRejected(exchange: Exchange, evidence: Evidence): Opinion {
  const { operation } = exchange.tag;
  const isKnown = evidence.hasAcceptedControl(operation);
  if (isAccepted(exchange)) {
    if (isKnown) return foundAcceptance(exchange, 'rejection with a 4xx');
    return none('the same request was not accepted with an existing id', remedyForControl(exchange, evidence));
  }
  if (isServerFailure(exchange)) return foundAnswer(exchange, 'rejection with a 4xx');
  if (!isAboutRequest(exchange)) return none(`${answerPhrase(exchange)} to an id that names no resource`);
  // The known id must have been accepted, or (an outbound call that cannot be answered) rejected with another status.
  const controls = evidence.controls(operation);
  const isToldApart = controls.length > 0 && controls.every((control) => statusOf(control) !== statusOf(exchange));
  if (!isKnown && !isToldApart)
    return none('no existing id was sent and treated differently', remedyForControl(exchange, evidence));
  return evidence.isAcceptedAfter(exchange) ? PASS : none('the valid credential was not accepted afterwards');
}

export function malformedRejected(exchange: Exchange, evidence: Evidence): Opinion {
  const rejection = unknownRejected(exchange, evidence);
  // Invariants ignore requests with a malformed id, so this requirement reports an error without the envelope.
  return rejection.kind === 'pass' ? envelope(exchange) : rejection;
}

export const IDS = [
  {
    ...OF_IDS,
    id: 'UNKNOWN-ID-REFUSED',
    statement: 'An id in the path that names no resource is rejected with a 4xx.',
    explainedBy: ['NO-SERVER-ERROR'],
    expect: unknownRejected,
  },
  {
    ...OF_IDS,
    id: 'MALFORMED-ID-REFUSED',
    statement: 'An id in the path that is not a UUID is rejected with a 4xx and the envelope.',
    explainedBy: ['NO-SERVER-ERROR', 'ERROR-ENVELOPE', 'PATH-SERVED', 'JSON-SYNTAX', 'JSON-LABEL'],
    expect: malformedRejected,
  },
] as const satisfies readonly Requirement[];

/** An id that names no resource of ours, and what an answer to it shows. */
interface Strange {
  readonly idOf: (session: Session) => string;
  readonly about: string;
  readonly variation: string;
  /** The requirement; absent for what is only observed. */
  readonly rule?: (typeof IDS)[number]['id'];
  readonly gap: 'GAP-UNKNOWN-ID' | 'GAP-MALFORMED-ID';
  readonly place?: { readonly phase: 'hazards' };
  /** Ids to try if the answer shows that the target crashed. */
  readonly parts?: readonly (readonly [about: string, id: string])[];
}

/** A valid request with one id of its path replaced, or all; the other ids are the configured ones. */
function strange(id: OperationId, at: number | 'all', stranger: Strange): Sequence {
  const { idOf, about: what, variation, rule, gap, place, parts = [] } = stranger;
  const { resources } = operationById(id);
  const resource = at === 'all' ? listed(resources) : (resources[at] as ResourceKind);
  const asks = [
    ...(rule === undefined ? [] : [ask(rule, variation)]),
    ask(gap, variation),
    ...(place === undefined ? [] : [boundary(`${resource} id that ${what}`)]),
  ];
  const placed = { asks, ...place, stimulus: idStimulus(what) };
  const requestOf = (session: Session, value: string, is: string, more: Variation): SuiteRequest => {
    const { builder } = session;
    const about = `the id of the ${resource} ${is}`;
    const idIn = (kind: ResourceKind, place: number): string =>
      at === 'all' || place === at ? value : (builder.named(kind) ?? builder.uuid(kind));
    const path = builder.path(id, resources.map(idIn));
    return builder.request(id, { ...bodyFor(session, id), path, about, ...more });
  };
  const request = (session: Session): SuiteRequest => {
    // A call has no setting: its controls are the calls of the run.
    if (resource !== 'call') demandNamed(session, id);
    return requestOf(session, idOf(session), what, { asks });
  };
  const note = async (session: Session, { status, exchange }: Answer): Promise<void> => {
    const isBroken = status === null || isServerFailure(exchange);
    for (const [is, part] of isBroken ? parts : []) {
      await session.send(requestOf(session, part, is, { role: 'alone' }));
    }
    // In a full run, later requests show that the credential is still valid; the call lane has its closing control.
    const { only, profile, without } = session.builder.options;
    const isLast = only.length > 0 || profile === 'read-only' || UPDATES.every((update) => without.includes(update));
    if (isLast && resource === 'call') await readAgain(session, 'the valid credential after the id');
    else if (isLast) await sendValid(session, id, bodyFor(session, id));
  };
  return independent(id, `${resource} id that ${what}`, placed, { request, note });
}

/** Every id of the path is replaced once. */
const oneByOne = (id: OperationId, strangerFor: (kind: ResourceKind) => Strange): readonly Sequence[] =>
  operationById(id).resources.map((kind, at) => strange(id, at, strangerFor(kind)));

/** By a made-up UUID. */
const unknown = (id: OperationId): readonly Sequence[] =>
  oneByOne(id, (kind) => ({
    idOf: ({ builder }) => builder.uuid(`unknown ${id} ${kind}`),
    about: 'names nothing',
    variation: kind,
    rule: 'UNKNOWN-ID-REFUSED',
    gap: 'GAP-UNKNOWN-ID',
  }));

/** What all malformed ids have in common: a fragile target may crash on them. */
const OF_MALFORMED = { gap: 'GAP-MALFORMED-ID', place: { phase: 'hazards' } } as const;
const REFUSED = { ...OF_MALFORMED, rule: 'MALFORMED-ID-REFUSED' } as const;

/** And once by three letters, like a country or a carrier: too short for code that slices an id. */
const threeLetters = (id: OperationId): readonly Sequence[] =>
  oneByOne(id, (kind) => ({ ...REFUSED, idOf: () => 'xyz', about: 'is not a UUID', variation: kind }));

/** Letters inside and outside Latin-1. */
const LETTERS = '%C3%BC%E6%9D%B1';

/** An id that walks draw as well. */
export const NOT_UTF8 = { about: 'is not UTF-8', value: '%ff' } as const;

/** The stimulus of a sequence with such an id. */
export const idStimulus = (about: string): string => `an id that ${about}`;

/** Boundary values of an id, and what a request with it is made of. */
const UNUSUAL_IDS = [
  {
    about: 'is long and not ASCII, behind an apostrophe and a percent sign',
    value: `%27%25${LETTERS.repeat(149)}`,
    parts: [
      ['is an apostrophe', '%27'],
      ['is a percent sign', '%25'],
      ['is not ASCII', LETTERS],
      ['has 300 characters', 'x'.repeat(300)],
    ],
  },
  { ...NOT_UTF8, parts: [] },
] as const;

/** Each boundary value for the ids of the operation: one that breaks the target does so in one place. */
const unusualIds = (id: OperationId): readonly Sequence[] =>
  UNUSUAL_IDS.map(({ about, value, parts }) => {
    const variation = `${listed(operationById(id).resources)} ${about}`;
    return strange(id, 'all', { idOf: () => value, about, variation, parts, ...OF_MALFORMED });
  });

/** Our id; for a call, that of an ended one. A variant with an encoded slash must not be sent, so its id is made up. */
function ownId({ builder, state }: Session, kind: ResourceKind): string {
  const known = kind === 'call' ? state.facts.endedCall : builder.named(kind);
  return known == null || known.includes('%') ? builder.uuid(`unknown ${kind}`) : known;
}

/**
 * Our own id with an addition. A common parser drops the first and last of 38 characters unseen, taking them for the
 * braces that some readers accept. LIKE interprets wildcards.
 */
const NEARLY_OURS = [
  ['is ours between two letters', (id: string) => `z${id}z`, WITH_ID],
  ['is ours with a percent sign for its last digit', (id: string) => `${id.slice(0, -1)}%25`, READS],
] as const;

/** Ids that are nearly ours, in each place of the path. */
const nearlyOurs = (id: OperationId): readonly Sequence[] =>
  NEARLY_OURS.filter(([, , operations]) => isOneOf(operations, id)).flatMap(([about, of]) =>
    oneByOne(id, (kind) => {
      return { ...REFUSED, idOf: (session) => of(ownId(session, kind)), about, variation: `${kind} ${about}` };
    }),
  );

const operationsInProfile = ({ options }: RequestBuilder): readonly OperationId[] =>
  WITH_ID.filter((id) => options.profile === 'full' || isOneOf(READS, id));

/** Calls that do not exist, tried before the closing control of the call lane. */
export const callIds = (): readonly Sequence[] => ON_CALLS.flatMap(unknown);

/** Unknown ids of everything else; the read-only profile sends only the reads. */
export const otherIds = (builder: RequestBuilder): readonly Sequence[] =>
  operationsInProfile(builder).flatMap((id) => (isOneOf(ON_CALLS, id) ? [] : unknown(id)));

/** Malformed ids, on which a fragile target may crash. */
export const malformedIds = (builder: RequestBuilder): readonly Sequence[] =>
  operationsInProfile(builder).flatMap((id) => [...threeLetters(id), ...unusualIds(id), ...nearlyOurs(id)]);
