/** Other spellings of each path: where one is served, it needs the credential too (section 5). */

import { OPERATION_IDS, type OperationId, otherSlashForm } from '../../src/contract/operations.ts';
import { type RequestBuilder, UNKNOWN_ROUTE, type Variation } from '../../src/run/builder.ts';
import type { Sequence, Session } from '../../src/run/sequence.ts';
import { ask } from '../catalogue.ts';
import { CREATE, READS } from '../operations.ts';
import { amongCredentials, validRequest } from './credentials.ts';
import { isAnyRouteAccepted } from './reads.ts';
import { sendTo, sequence } from './sending.ts';

/** Other spellings of the path of a read, by what they change. */
const PATH_SPELLINGS = {
  'in capital letters': (path: string) => path.replace(/^\/v1\/[a-z-]+/, (start) => start.toUpperCase()),
  'with a doubled slash': (path: string) => path.replace(/^\/v1\//, '/v1//'),
  'with an encoded letter': (path: string) =>
    path.replace(/^(\/v1\/)([a-z])/, (_, start: string, letter: string) => {
      return `${start}%${letter.charCodeAt(0).toString(16)}`;
    }),
} as const satisfies Readonly<Record<string, (path: string) => string>>;

const NOT_SERVED: readonly number[] = [404, 405];
const NONE = ['none'] as const;
const NONE_OR_WRONG = ['none', 'wrong-secret'] as const;

/** A request that the target understands and that does nothing new; for create call one that it rejects. */
function harmless(session: Session, id: OperationId): Variation {
  return id === CREATE ? { json: { variables: {} } } : validRequest(session, id);
}

/** The invalid credentials were already tried on the documented path; create call gets the same invalid body. */
async function statusesAtDocumentedPath(session: Session, id: OperationId, request: Variation) {
  const known = session.state.statuses.get(id)?.valid ?? [];
  if (known.length > 0 && id !== CREATE) return known;
  const { status } = await sendTo(session, id, { ...request, role: 'documented-path' });
  return status === null ? [] : [status];
}

function alias(builder: RequestBuilder, id: OperationId): Sequence {
  return sequence(id, 'other slash form', { ...amongCredentials(id), mayAsk: [ask('AUTH-ALIAS')] }, async (session) => {
    const request = harmless(session, id);
    const path = otherSlashForm(request.path ?? builder.path(id));
    const known = await statusesAtDocumentedPath(session, id, request);
    // If a target accepts any route, accepting this one proves nothing, and a create call there might dial.
    if (await isAnyRouteAccepted(session, path)) return;
    const { status } = await sendTo(session, id, { ...request, path, role: 'valid-alias' });
    // A route that is not served gets 404 or 405, whatever the documented path gives.
    if (status === null || NOT_SERVED.includes(status) || !known.includes(status)) return;
    // A second create call that may be accepted would prove no more than the first.
    for (const credential of id === CREATE ? NONE : NONE_OR_WRONG) {
      const about = 'the other slash form of the path with an invalid credential';
      const probe = { ...validRequest(session, id), path, credential, asks: [ask('AUTH-ALIAS', credential)], about };
      const answer = await sendTo(session, id, probe);
      if (answer.status === status) session.state.openAliases.add(id);
      if (answer.accepted && id === CREATE) await session.hangUp();
    }
  });
}

/** One spelling of the path of a read: with the valid credential first, and with others only where that is accepted. */
function spelledPath(builder: RequestBuilder, id: OperationId, label: keyof typeof PATH_SPELLINGS): Sequence {
  return sequence(id, `path ${label}`, { ...amongCredentials(id), mayAsk: [ask('AUTH-ALIAS')] }, async (session) => {
    const path = PATH_SPELLINGS[label](builder.path(id));
    if (await isAnyRouteAccepted(session, path)) return;
    const about = `the path ${label}`;
    if (!(await sendTo(session, id, { path, role: 'valid-alias', about })).accepted) return;
    for (const credential of NONE_OR_WRONG) {
      const asks = [ask('AUTH-ALIAS', `${credential}, ${label}`)];
      await sendTo(session, id, { path, credential, asks, about: `${about}, with an invalid credential` });
    }
  });
}

/** HEAD without a credential: it asks for what GET shows. */
function head(builder: RequestBuilder, id: OperationId): Sequence {
  const asks = [ask('AUTH-HEAD')];
  return sequence(id, 'HEAD', { asks, ...amongCredentials(id) }, async (session) => {
    const withHead = async (path: string, more: Variation) =>
      session.send({ ...builder.request(id, { path, credential: 'none', ...more }), method: 'HEAD' });
    const answer = await withHead(builder.path(id), { asks, about: 'HEAD without a credential' });
    if (!answer.accepted) return;
    await withHead(UNKNOWN_ROUTE, { role: 'unknown-route', about: 'HEAD of an undocumented route' });
  });
}

/** The other slash forms of all paths, and other spellings of reads; the read-only profile tests only the reads. */
export function aliases(builder: RequestBuilder): readonly Sequence[] {
  const ids = builder.options.profile === 'full' ? OPERATION_IDS : READS;
  const labels = Object.keys(PATH_SPELLINGS) as (keyof typeof PATH_SPELLINGS)[];
  return [
    ...ids.map((id) => alias(builder, id)),
    ...READS.map((id) => head(builder, id)),
    ...labels.flatMap((label) => READS.map((id) => spelledPath(builder, id, label))),
  ];
}
