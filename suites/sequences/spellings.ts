/** Other spellings of the ids in a path: authorization may be decided on one, and the record found by another (section 5). */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { CREATE, isOneOf, ON_CALLS, WITH_ID } from '../operations.ts';
import { OWNED } from '../organizations.ts';
import { aloneOf, ID_SPELLINGS, type Part, type Spelled, type Spelling, spelledPath } from '../spelled-ids.ts';
import { isAnyRouteAccepted } from './controls.ts';
import { amongCredentials, validRequest } from './credentials.ts';
import { BY_OTHER } from './organizations.ts';
import { independent, sendTo } from './sending.ts';

/** The other organization's requests for an open call, in each spelling of its id; none where any route is accepted. */
export async function callsSpelledByOther(session: Session, id: OperationId, path: string): Promise<SuiteRequest[]> {
  if (await isAnyRouteAccepted(session, path)) return [];
  return ID_SPELLINGS.flatMap(aloneOf).flatMap(({ about, of }) => {
    const spelled = spelledPath(id, path, of);
    return spelled === path ? [] : [session.builder.request(id, { ...byOther(about), path: spelled })];
  });
}

const byOther = (about: string): Variation => ({
  ...BY_OTHER,
  asks: [ask('ORG-ISOLATION', about)],
  about: `the path ${about}, ${BY_OTHER.about}`,
});

/** Whether the other organization is asked at another spelling of a path: it says something where the path has an id of ours. */
export const isForOther = ({ options }: RequestBuilder, id: OperationId): boolean =>
  options.credentials.otherOrganization !== undefined &&
  isOneOf(OWNED, id) &&
  isOneOf(WITH_ID, id) &&
  !isOneOf(ON_CALLS, id);

/** A request of the other organization at a spelling that is served; a made-up id was asked about where the plain one was. */
export const sendByOther = (session: Session, id: OperationId, about: string, path: string): Promise<Answer> =>
  sendTo(session, id, { ...validRequest(session, id), ...byOther(about), path });

const NOT_SERVED: readonly (number | null)[] = [null, 404, 405];

/** A request that the target understands and that does nothing new; for create call one that it rejects. */
export function harmless(session: Session, id: OperationId): Variation {
  return id === CREATE ? { json: { variables: {} } } : validRequest(session, id);
}

/** The invalid credentials were already tried on the documented path; create call gets the same invalid body. */
async function statusesAtDocumentedPath(session: Session, id: OperationId): Promise<readonly (number | null)[]> {
  const known = session.state.statuses.get(id)?.valid ?? [];
  if (known.length > 0 && id !== CREATE) return known;
  return [(await sendTo(session, id, { ...harmless(session, id), role: 'documented-path' })).status];
}

/**
 * Whether the valid credential got at the path what it gets at the documented one. If a target accepts any route, accepting
 * this one proves nothing, and a create call there might dial. A route that is not served gets 404 or 405, whatever the
 * documented path gives.
 */
export async function isAlias(session: Session, id: OperationId, path: string, { status }: Answer): Promise<boolean> {
  const known = await statusesAtDocumentedPath(session, id);
  if (await isAnyRouteAccepted(session, path)) return false;
  return !NOT_SERVED.includes(status) && known.includes(status);
}

/** A spelling of the ids of an operation: with the valid credential first, and with others only where that is served. */
function spelledId(builder: RequestBuilder, id: OperationId, spelled: Spelled): Sequence {
  const documentedPath = (session: Session): string => validRequest(session, id).path ?? builder.path(id);
  const pathOf = (session: Session, of: Spelling): string => spelledPath(id, documentedPath(session), of);
  const valid = (session: Session, { about, of }: Part): SuiteRequest =>
    builder.request(id, {
      ...validRequest(session, id),
      path: pathOf(session, of),
      role: 'valid-alias',
      about: `the path ${about}`,
    });
  const withoutCredential = ({ about, of }: Part, session: Session): Promise<Answer> =>
    sendTo(session, id, {
      ...validRequest(session, id),
      path: pathOf(session, of),
      credential: 'none',
      asks: [ask('AUTH-ALIAS', `none, ${about}`)],
      about: `the path ${about}, without a credential`,
    });
  /** `parts`: what the other organization tries, and what is sent alone where everything together lets a caller in. */
  const tryOthers = async (session: Session, whole: Part, parts: Spelled['parts'], { status }: Answer) => {
    if (isForOther(builder, id)) {
      for (const { about, of } of parts) await sendByOther(session, id, about, pathOf(session, of));
    }
    const answer = await withoutCredential(whole, session);
    if (answer.status === status) session.state.openAliases.add(`${id} ${whole.about}`);
    if (answer.accepted && parts.length > 1) for (const part of parts) await withoutCredential(part, session);
  };
  return independent(
    id,
    `path ${spelled.about}`,
    {
      ...amongCredentials(id),
      mayAsk: [ask('AUTH-ALIAS'), ...(isForOther(builder, id) ? [ask('ORG-ISOLATION')] : [])],
    },
    {
      request: (session) => valid(session, spelled),
      note: async (session, answer) => {
        const path = documentedPath(session);
        const isSpelled = ({ of }: Part): boolean => spelledPath(id, path, of) !== path;
        const parts = aloneOf(spelled).filter(isSpelled);
        if (await isAlias(session, id, pathOf(session, spelled.of), answer)) {
          await tryOthers(session, spelled, parts, answer);
          return;
        }
        if (parts.length < 2) return;
        for (const part of parts) {
          const alone = await session.send(valid(session, part));
          if (await isAlias(session, id, pathOf(session, part.of), alone))
            await tryOthers(session, part, [part], alone);
        }
      },
    },
  );
}

/** Every spelling of the ids of these operations. */
export const spelledIds = (builder: RequestBuilder, ids: readonly OperationId[]): readonly Sequence[] =>
  ids.filter((id) => isOneOf(WITH_ID, id)).flatMap((id) => ID_SPELLINGS.map((one) => spelledId(builder, id, one)));
