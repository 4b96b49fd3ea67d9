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

/**
 * The known id must have been treated differently: accepted, or (an outbound call that cannot be answered) rejected with
 * another status.
 */
function isToldApart(exchange: Exchange, evidence: Evidence): boolean {
  const controls = evidence.controls(exchange.tag.operation);
  if (controls.some(isAccepted)) return true;
  return controls.length > 0 && controls.every((control) => statusOf(control) !== statusOf(exchange));
}

export function unknownRejected(exchange: Exchange, evidence: Evidence): Opinion {
  if (isAccepted(exchange)) {
    if (evidence.hasAcceptedControl(exchange.tag.operation)) {
      return foundAcceptance(exchange, 'rejection with a 4xx');
    }
    return none('the same request was not accepted with an existing id', remedyForControl(exchange, evidence));
  }
  if (isServerFailure(exchange)) return foundAnswer(exchange, 'rejection with a 4xx');
  if (!isAboutRequest(exchange)) {
    return none(`${answerPhrase(exchange)} to an id that names no resource`);
  }
  if (!isToldApart(exchange, evidence)) {
    return none('no existing id was sent and treated differently', remedyForControl(exchange, evidence));
  }
  return evidence.isAcceptedAfter(exchange) ? PASS : none('the valid credential was not accepted afterwards');
}

export function malformedRejected(exchange: Exchange, evidence: Evidence): Opinion {
  const rejection = unknownRejected(exchange, evidence);
  // Invariants ignore requests with a malformed id, so this requirement reports an error without the envelope.
  return rejection.kind === 'pass' ? envelope(exchange) : rejection;
}

export const IDS_ADVICE = [
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

/** The path with an id, or every id, replaced; the others are those of the settings. */
function pathWith(builder: RequestBuilder, id: OperationId, at: number | 'all', stranger: string): string {
  const { resources } = operationById(id);
  const isReplaced = (place: number): boolean => at === 'all' || place === at;
  const ids = resources.map((kind, place) =>
    isReplaced(place) ? stranger : (builder.named(kind) ?? builder.uuid(kind)),
  );
  return builder.path(id, ids);
}

/** An id that names no resource of ours, and what an answer to it shows. */
interface Strange {
  readonly idOf: (session: Session) => string;
  readonly about: string;
  readonly variation: string;
  /** The requirement; absent for what is only observed. */
  readonly rule?: (typeof IDS_ADVICE)[number]['id'];
  readonly gap: 'GAP-UNKNOWN-ID' | 'GAP-MALFORMED-ID';
  readonly place?: { readonly phase: 'hazards' };
  /** Ids to try where the answer shows that the target broke. */
  readonly parts?: readonly (readonly [about: string, id: string])[];
}

const brokeTheTarget = ({ status }: Answer): boolean => status === null || (status >= 500 && status !== 503);

/** A valid request with one id of its path replaced, or with all of them. */
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
    const about = `the id of the ${resource} ${is}`;
    const path = pathWith(session.builder, id, at, value);
    return session.builder.request(id, { ...bodyFor(session, id), path, about, ...more });
  };
  const request = (session: Session): SuiteRequest => {
    // A call has no setting of its own: its controls are the calls of the run.
    if (resource !== 'call') demandNamed(session, id);
    return requestOf(session, idOf(session), what, { asks });
  };
  const note = async (session: Session, answer: Answer): Promise<void> => {
    for (const [is, part] of brokeTheTarget(answer) ? parts : []) {
      await session.send(requestOf(session, part, is, { role: 'alone' }));
    }
    // In a whole run, later requests show that the credential is still valid; the call lane has its closing control.
    const { only, profile, without } = session.builder.options;
    const isLast = only.length > 0 || profile === 'read-only' || UPDATES.every((update) => without.includes(update));
    if (isLast && resource === 'call') await readAgain(session, 'the valid credential after the id');
    else if (isLast) await sendValid(session, id, bodyFor(session, id));
  };
  return independent(id, `${resource} id that ${what}`, placed, { request, note });
}

/** Every id of the path is replaced once by a made-up UUID. */
const unknown = (id: OperationId): readonly Sequence[] =>
  operationById(id).resources.map((resource, at) => {
    const idOf = ({ builder }: Session): string => builder.uuid(`unknown ${id} ${resource}`);
    return strange(id, at, {
      idOf,
      about: 'names nothing',
      variation: resource,
      rule: 'UNKNOWN-ID-REFUSED',
      gap: 'GAP-UNKNOWN-ID',
    });
  });

const LAST = { phase: 'hazards' } as const;
/** What only malformed ids have in common: a fragile target may die of one. */
const OF_MALFORMED = { gap: 'GAP-MALFORMED-ID', place: LAST } as const;

/** And once by three letters, as of a country or a carrier: too short for whatever is cut from an id. */
const threeLetters = (id: OperationId): readonly Sequence[] =>
  operationById(id).resources.map((resource, at) =>
    strange(id, at, {
      idOf: () => 'xyz',
      about: 'is not a UUID',
      variation: resource,
      rule: 'MALFORMED-ID-REFUSED',
      ...OF_MALFORMED,
    }),
  );

const LONG_ID = 'x'.repeat(300);
/** Letters inside and outside Latin-1. */
const LETTERS = '%C3%BC%E6%9D%B1';

/** An id that walks draw as well. */
export const NOT_UTF8 = { about: 'is not UTF-8', value: '%ff' } as const;

/** What a sequence sends to ask for such an id. */
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
      ['has 300 characters', LONG_ID],
    ],
  },
  { ...NOT_UTF8, parts: [] },
] as const;

/** An id of ours: of a call, one that has ended. What resembles an id with an encoded slash may not leave, so it is made up. */
function ownId({ builder, state }: Session, kind: ResourceKind): string {
  const known = kind === 'call' ? state.facts.endedCall : builder.named(kind);
  return known == null || known.includes('%') ? builder.uuid(`unknown ${kind}`) : known;
}

/**
 * Our own id with something about it. A common parser drops the first and the last of 38 characters, whichever they are, as
 * the braces of a form that readers may accept. LIKE knows wildcards.
 */
const NEARLY_OURS = [
  {
    about: 'is ours between two letters',
    of: (id: string) => `z${id}z`,
    operations: WITH_ID,
  },
  {
    about: 'is ours with a percent sign for its last digit',
    of: (id: string) => `${id.slice(0, -1)}%25`,
    operations: READS,
  },
] as const;

/** Ids that are nearly ours, in each place of the path. */
function nearlyOurs(operation: OperationId): readonly Sequence[] {
  return operationById(operation).resources.flatMap((resource, at) =>
    NEARLY_OURS.filter(({ operations }) => isOneOf(operations, operation)).map(({ about, of }) => {
      const variation = `${resource} ${about}`;
      const idOf = (session: Session): string => of(ownId(session, resource));
      return strange(operation, at, { idOf, about, variation, rule: 'MALFORMED-ID-REFUSED', ...OF_MALFORMED });
    }),
  );
}

/** Each boundary value of the ids of the operation: what it breaks, it breaks in one of them. */
function unusual(id: OperationId): readonly Sequence[] {
  return UNUSUAL_IDS.map(({ about, value, parts }) => {
    const variation = `${listed(operationById(id).resources)} ${about}`;
    return strange(id, 'all', { idOf: () => value, about, variation, parts, ...OF_MALFORMED });
  });
}

const inProfile = ({ options }: RequestBuilder): readonly OperationId[] =>
  WITH_ID.filter((id) => options.profile === 'full' || isOneOf(READS, id));

/** Calls that do not exist, tried before the closing control of the call lane. */
export const callIds = (): readonly Sequence[] => ON_CALLS.flatMap(unknown);

/** Unknown ids of everything else; the read-only profile sends only the reads. */
export function otherIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder)
    .filter((id) => !isOneOf(ON_CALLS, id))
    .flatMap(unknown);
}

/** Malformed ids, which a fragile target may die of. */
export function malformedIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder).flatMap((id) => [...threeLetters(id), ...unusual(id), ...nearlyOurs(id)]);
}
