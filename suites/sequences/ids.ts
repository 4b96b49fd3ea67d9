/** The valid request with the id of one resource replaced, for each requirement about ids. */

import type { Answer } from '../../src/client/request.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { boundary, type RequestBuilder, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence } from '../../src/run/sequence.ts';
import { bodyFor } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { IDS_ADVICE } from '../ids.ts';
import { isOneOf, ON_CALLS, READS, UPDATES, WITH_ID } from '../operations.ts';
import { readAgain } from './credentials.ts';
import { sendTo, sendValid, sequence } from './sending.ts';

/** The path with one id replaced; the others are those of the settings. */
function pathWith(builder: RequestBuilder, id: OperationId, at: number, stranger: string): string {
  const { resources } = operationById(id);
  const ids = resources.map((kind, place) => (place === at ? stranger : (builder.named(kind) ?? builder.uuid(kind))));
  return builder.path(id, ids);
}

interface Strange {
  readonly idOf: (builder: RequestBuilder, operation: OperationId, resource: string) => string;
  readonly about: string;
  readonly asks: readonly Ask[];
  readonly place: { readonly phase?: 'hazards' };
  /** Ids to try where the answer shows that the target broke. */
  readonly parts?: readonly (readonly [about: string, id: string])[];
}

const brokeTheTarget = ({ status }: Answer): boolean => status === null || (status >= 500 && status !== 503);

function strange(id: OperationId, at: number, { idOf, about: what, asks, place, parts = [] }: Strange): Sequence {
  const resource = operationById(id).resources[at] ?? '';
  return sequence(
    id,
    `${resource} id that ${what}`,
    { asks, ...place, stimulus: `id that ${what}` },
    async (session) => {
      const { builder } = session;
      // A call has no setting of its own: its controls are the calls of the run.
      if (resource !== 'call') demandNamed(session, id);
      const send = (stranger: string, is: string, more: Variation = {}) => {
        const about = `the id of the ${resource} ${is}`;
        const path = pathWith(builder, id, at, stranger);
        return sendTo(session, id, { ...bodyFor(session, id), path, about, ...more });
      };
      const answer = await send(idOf(builder, id, resource), what, { asks });
      if (brokeTheTarget(answer)) for (const [is, part] of parts) await send(part, is, { role: 'alone' });
      // In a whole run, later requests show that the credential is still valid; the call lane has its closing control.
      const { only, profile, without } = builder.options;
      const isLast = only.length > 0 || profile === 'read-only' || UPDATES.every((one) => without.includes(one));
      if (isLast && resource === 'call') await readAgain(session, 'the valid credential after the id');
      else if (isLast) await sendValid(session, id, bodyFor(session, id));
    },
  );
}

/** One id for each requirement about ids, in each place of the path. */
function ofOperation(id: OperationId, requirement: (typeof IDS_ADVICE)[number], place: Strange['place'] = {}) {
  const { about, idOf } = requirement.send.ids;
  return operationById(id).resources.map((resource, at) =>
    strange(id, at, {
      ...{ idOf, about, place },
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
  { about: 'is not UTF-8', value: '%ff', parts: [] },
] as const;

/** Each boundary value of each id of the operation. */
function unusual(id: OperationId): readonly Sequence[] {
  return operationById(id).resources.flatMap((resource, at) =>
    UNUSUAL_IDS.map(({ about, value, parts }) => {
      const asks = [ask('GAP-MALFORMED-ID', `${resource} ${about}`), boundary(`${resource} id that ${about}`)];
      return strange(id, at, { idOf: () => value, about, asks, parts, place: LAST });
    }),
  );
}

const [UNKNOWN, MALFORMED] = IDS_ADVICE;

const inProfile = ({ options }: RequestBuilder): readonly OperationId[] =>
  WITH_ID.filter((id) => options.profile === 'full' || isOneOf(READS, id));

/** Calls that do not exist, tried before the closing control of the call lane. */
export const callIds = (): readonly Sequence[] => ON_CALLS.flatMap((id) => ofOperation(id, UNKNOWN));

/** Unknown ids of everything else; the read-only profile sends only the reads. */
export function otherIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder)
    .filter((id) => !isOneOf(ON_CALLS, id))
    .flatMap((id) => ofOperation(id, UNKNOWN));
}

/** Malformed ids, which a fragile target may die of. */
export function malformedIds(builder: RequestBuilder): readonly Sequence[] {
  return inProfile(builder).flatMap((id) => [...ofOperation(id, MALFORMED, LAST), ...unusual(id)]);
}
