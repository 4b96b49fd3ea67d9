/** Other ids in the path of a valid request, and other spellings of the path (section 5; RFC 9110, section 15.5.5). */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import {
  OPERATION_IDS,
  type OperationId,
  operationById,
  otherSlashForm,
  type ResourceKind,
} from '../../src/contract/operations.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { boundary, type RequestBuilder, UNKNOWN_ROUTE, type Variation } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { bodyFor } from '../bodies.ts';
import { MALFORMED_ID, UNKNOWN_ID } from '../ids.ts';
import { CREATE, isOneOf, LISTS, ON_CALLS, READS, UPDATES, WITH_ID } from '../operations.ts';
import { isAnyRouteAccepted } from './controls.ts';
import { amongCredentials, readAgain, validRequest } from './credentials.ts';
import { BY_OTHER, ofMadeUpId } from './organizations.ts';
import { independent, sendTo, sendValid } from './sending.ts';
import { harmless, isAlias, isForOther, sendByOther, spelledIds } from './spellings.ts';

/**
 * Other spellings of the path of a read, by what they change. Each changes one thing: a target that served `/V1/trunks/` to
 * everyone rejected `/V1/TRUNKS/`.
 */
const PATH_SPELLINGS = {
  'with the collection in capital letters': (path: string) =>
    path.replace(/^\/v1\/[a-z-]+/, (start) => `/v1${start.slice(3).toUpperCase()}`),
  'with two slashes after the version': (path: string) => path.replace(/^\/v1\//, '/v1//'),
  'with an encoded letter': (path: string) =>
    path.replace(/^\/v1\/([a-z])/, (_, letter: string) => `/v1/%${letter.charCodeAt(0).toString(16)}`),
  'with a path parameter': (path: string) => path.replace(/(?=\?|$)/, ';a.js'),
  'with a format': (path: string) => path.replace(/\/?(?=\?|$)/, '.json'),
  'with the version in capital letters': (path: string) => path.replace(/^\/v1\//, '/V1/'),
  'with two slashes in front': (path: string) => path.replace(/^\/v1\//, '//v1/'),
  'with an encoded version': (path: string) => path.replace(/^\/v1\//, '/%761/'),
} as const satisfies Readonly<Record<string, (path: string) => string>>;

type PathSpelling = keyof typeof PATH_SPELLINGS;

/** All paths begin with the version, so what reads it is one piece of code, and the two lists show it. */
const OF_THE_VERSION: readonly PathSpelling[] = [
  'with the version in capital letters',
  'with two slashes in front',
  'with an encoded version',
];

const NONE = ['none'] as const;
const NONE_OR_WRONG = ['none', 'wrong-secret'] as const;

function alias(builder: RequestBuilder, id: OperationId): Sequence {
  const others = isForOther(builder, id) ? [ask('ORG-ISOLATION')] : [];
  const placed = { ...amongCredentials(id), mayAsk: [ask('AUTH-ALIAS'), ...others] };
  const aliasOf = (session: Session): Variation & { readonly path: string } => {
    const request = harmless(session, id);
    return { ...request, path: otherSlashForm(request.path ?? builder.path(id)) };
  };
  const note = async (session: Session, valid: Answer): Promise<void> => {
    const { path } = aliasOf(session);
    if (!(await isAlias(session, id, path, valid))) return;
    // A second create call that may be accepted would prove no more than the first.
    for (const credential of id === CREATE ? NONE : NONE_OR_WRONG) {
      const about = 'the other slash form of the path with an invalid credential';
      const probe = { ...validRequest(session, id), path, credential, asks: [ask('AUTH-ALIAS', credential)], about };
      const answer = await sendTo(session, id, probe);
      if (answer.status === valid.status) session.state.openAliases.add(`${id} other slash form`);
      if (answer.accepted && id === CREATE) await session.hangUp();
    }
    if (isForOther(builder, id)) await sendByOther(session, id, 'in the other slash form', path);
  };
  const request = (session: Session) => builder.request(id, { ...aliasOf(session), role: 'valid-alias' });
  return independent(id, 'other slash form', placed, { request, note });
}

/** One spelling of the path of a read: with the valid credential first, and with others only where that is accepted. */
function spelledPath(builder: RequestBuilder, id: OperationId, label: PathSpelling): Sequence {
  const pathOf = (): string => PATH_SPELLINGS[label](builder.path(id));
  const about = `the path ${label}`;
  return independent(
    id,
    `path ${label}`,
    { ...amongCredentials(id), mayAsk: [ask('AUTH-ALIAS')] },
    {
      request: () => builder.request(id, { path: pathOf(), role: 'valid-alias', about }),
      note: async (session, { accepted }) => {
        const path = pathOf();
        // If a target accepts any route, accepting this one proves nothing.
        if (!accepted || (await isAnyRouteAccepted(session, path))) return;
        for (const credential of NONE_OR_WRONG) {
          const asks = [ask('AUTH-ALIAS', `${credential}, ${label}`)];
          await sendTo(session, id, { path, credential, asks, about: `${about}, with an invalid credential` });
        }
      },
    },
  );
}

/** HEAD without a credential, and of a record with another organization's: it asks for what GET shows. */
function head(builder: RequestBuilder, id: OperationId): Sequence {
  const asks = [ask('AUTH-HEAD')];
  const byHead = ask('ORG-ISOLATION', 'HEAD');
  const withHead = (path: string, more: Variation): SuiteRequest => ({
    ...builder.request(id, { path, credential: 'none', ...more }),
    method: 'HEAD',
  });
  return independent(
    id,
    'HEAD',
    { asks, ...amongCredentials(id), mayAsk: isForOther(builder, id) ? [byHead] : [] },
    {
      request: () => withHead(builder.path(id), { asks, about: 'HEAD without a credential' }),
      note: async (session, { accepted }) => {
        if (accepted)
          await session.send(
            withHead(UNKNOWN_ROUTE, { role: 'unknown-route', about: 'HEAD of an undocumented route' }),
          );
        if (!isForOther(builder, id)) return;
        const { credential } = BY_OTHER;
        const about = `HEAD, ${BY_OTHER.about}`;
        const byOther = await session.send(withHead(builder.path(id), { asks: [byHead], credential, about }));
        if (byOther.accepted) await session.send({ ...ofMadeUpId(builder, id), method: 'HEAD' });
      },
    },
  );
}

/** The other slash forms of all paths, of all ids, and other spellings of reads; the read-only profile tests only the reads. */
export function aliases(builder: RequestBuilder): readonly Sequence[] {
  const ids = builder.options.profile === 'full' ? OPERATION_IDS : READS;
  const labels = Object.keys(PATH_SPELLINGS) as PathSpelling[];
  return [
    ...ids.map((id) => alias(builder, id)),
    ...spelledIds(builder, ids),
    ...READS.map((id) => head(builder, id)),
    ...labels.flatMap((label) =>
      (OF_THE_VERSION.includes(label) ? LISTS : READS).map((id) => spelledPath(builder, id, label)),
    ),
  ];
}

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
