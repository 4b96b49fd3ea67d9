/** Other spellings of the ids in a path: authorization may be decided on one, and the record found by another (section 5). */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import type { Session } from '../../src/run/sequence.ts';
import { ask } from '../ask.ts';
import { isOneOf, ON_CALLS, WITH_ID } from '../operations.ts';
import { OWNED } from '../organizations.ts';
import { aloneOf, ID_SPELLINGS, spelledPath } from '../spelled-ids.ts';
import { isAnyRouteAccepted } from './controls.ts';
import { validRequest } from './credentials.ts';
import { BY_OTHER } from './organizations.ts';
import { sendTo } from './sending.ts';

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
