/** Other ids in the path of a valid request, and other spellings of the path (section 5; RFC 9110, section 15.5.5). */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import { type OperationId, operationById, type ResourceKind } from '../../src/contract/operations.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { boundary, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { bodyFor } from '../bodies.ts';
import { MALFORMED_ID, UNKNOWN_ID } from '../ids.ts';
import { isOneOf, ON_CALLS, READS, UPDATES, WITH_ID } from '../operations.ts';
import { readAgain } from './credentials.ts';
import { independent, sendValid } from './sending.ts';

/** The path with one id replaced; the others are those of the settings. */
function pathWith(builder: RequestBuilder, id: OperationId, at: number, stranger: string): string {
  const { resources } = operationById(id);
  const ids = resources.map((kind, place) => (place === at ? stranger : (builder.named(kind) ?? builder.uuid(kind))));
  return builder.path(id, ids);
}

interface Strange {
  readonly idOf: (session: Session, operation: OperationId, resource: ResourceKind) => string;
  readonly about: string;
  readonly asks: readonly Ask[];
  readonly place: { readonly phase?: 'hazards' };
  /** Ids to try where the answer shows that the target broke. */
  readonly parts?: readonly (readonly [about: string, id: string])[];
}

const brokeTheTarget = ({ status }: Answer): boolean => status === null || (status >= 500 && status !== 503);

function strange(id: OperationId, at: number, { idOf, about: what, asks, place, parts = [] }: Strange): Sequence {
  const resource = operationById(id).resources[at] as ResourceKind;
  const placed = { asks, ...place, stimulus: idStimulus(what) };
  const requestOf = (session: Session, stranger: string, is: string, more: Variation): SuiteRequest => {
    const about = `the id of the ${resource} ${is}`;
    const path = pathWith(session.builder, id, at, stranger);
    return session.builder.request(id, { ...bodyFor(session, id), path, about, ...more });
  };
  const request = (session: Session): SuiteRequest => {
    // A call has no setting of its own: its controls are the calls of the run.
    if (resource !== 'call') demandNamed(session, id);
    return requestOf(session, idOf(session, id, resource), what, { asks });
  };
  const note = async (session: Session, answer: Answer): Promise<void> => {
    for (const [is, part] of brokeTheTarget(answer) ? parts : []) {
      await session.send(requestOf(session, part, is, { role: 'alone' }));
    }
    // In a whole run, later requests show that the credential is still valid; the call lane has its closing control.
    const { only, profile, without } = session.builder.options;
    const isLast = only.length > 0 || profile === 'read-only' || UPDATES.every((one) => without.includes(one));
    if (isLast && resource === 'call') await readAgain(session, 'the valid credential after the id');
    else if (isLast) await sendValid(session, id, bodyFor(session, id));
  };
  return independent(id, `${resource} id that ${what}`, placed, { request, note });
}

/** One id for each requirement about ids, in each place of the path. */
function ofOperation(
  id: OperationId,
  requirement: typeof UNKNOWN_ID | typeof MALFORMED_ID,
  place: Strange['place'] = {},
) {
  const { about, idOf } = requirement.send.ids;
  return operationById(id).resources.map((resource, at) =>
    strange(id, at, {
      ...{ idOf: ({ builder }: Session) => idOf(builder, id, resource), about, place },
      asks: [
        ask(requirement.id, resource),
        ...(place.phase === undefined ? [] : [boundary(`${resource} id that ${about}`)]),
      ],
    }),
  );
}

const LAST = { phase: 'hazards' } as const;
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
    about: 'is long and not ASCII',
    value: LETTERS.repeat(150),
    parts: [
      ['is not ASCII', LETTERS],
      ['has 300 characters', LONG_ID],
    ],
  },
  {
    about: 'is an apostrophe and a percent sign',
    value: '%27%25',
    parts: [
      ['is an apostrophe', '%27'],
      ['is a percent sign', '%25'],
    ],
  },
  { ...NOT_UTF8, parts: [] },
] as const;

/** An id of ours: of a call, one that has ended. What resembles an id with an encoded slash may not leave, so it is made up. */
function ownId({ builder, state }: Session, kind: ResourceKind): string {
  const own = kind === 'call' ? state.facts.endedCall : builder.named(kind);
  return own == null || own.includes('%') ? builder.uuid(`unknown ${kind}`) : own;
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
      const asks = [ask('MALFORMED-ID-REFUSED', variation), boundary(`${resource} id that ${about}`)];
      const idOf = (session: Session): string => of(ownId(session, resource));
      return strange(operation, at, { idOf, about, asks, place: LAST });
    }),
  );
}

/** Each boundary value of each id of the operation. */
function unusual(id: OperationId): readonly Sequence[] {
  return operationById(id).resources.flatMap((resource, at) =>
    UNUSUAL_IDS.map(({ about, value, parts }) => {
      const asks = [ask('GAP-MALFORMED-ID', `${resource} ${about}`), boundary(`${resource} id that ${about}`)];
      return strange(id, at, { idOf: () => value, about, asks, parts, place: LAST });
    }),
  );
}

const inProfile = ({ options }: RequestBuilder): readonly OperationId[] =>
  WITH_ID.filter((id) => options.profile === 'full' || isOneOf(READS, id));

/** Calls that do not exist, tried before the closing control of the call lane. */
export const callIds = (): readonly Sequence[] => ON_CALLS.flatMap((id) => ofOperation(id, UNKNOWN_ID));

/** Unknown ids of everything else; the read-only profile sends only the reads. */
export function otherIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder)
    .filter((id) => !isOneOf(ON_CALLS, id))
    .flatMap((id) => ofOperation(id, UNKNOWN_ID));
}

/** Malformed ids, which a fragile target may die of. */
export function malformedIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder).flatMap((id) => [
    ...ofOperation(id, MALFORMED_ID, LAST),
    ...unusual(id),
    ...nearlyOurs(id),
  ]);
}
