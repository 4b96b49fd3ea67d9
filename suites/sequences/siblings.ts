/** Siblings: the valid bodies that rejected probes are compared with, sent where a rejection says nothing without them. */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import { isRetryable, UNAVAILABLE } from '../../src/contract/statuses.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import type { Session } from '../../src/run/sequence.ts';
import { isAcceptedBehind } from '../../src/verdict/sibling.ts';

/** Statuses to a valid element that its sibling has to explain; the others are about rights and state. */
const ABOUT_THE_REQUEST: readonly number[] = [400, 404, 415, 422];

/**
 * What a probe is due: acceptance of a valid element, or rejection of an invalid one, with any 4xx or with one of these
 * statuses. After another one follows the valid body `without` the element: where that gets the same answer, the target
 * looked at its state and not at the element.
 */
export type Due =
  | 'acceptance'
  | 'rejection'
  | { readonly statuses: readonly number[]; readonly without: JsonObject | null };

/**
 * Whether the rejection of a probe needs its sibling (`false`), and right behind it (`true`); `null` for neither. A 503 says
 * nothing of the body, unless a valid one is accepted right behind it.
 */
export function needOf({ status }: Pick<Answer, 'status'>, due: Due): boolean | null {
  if (status === UNAVAILABLE && typeof due === 'object') return due.statuses.includes(status) ? null : true;
  if (status === null || status < 400 || status >= 500 || status === 401 || isRetryable(status)) return null;
  if (due === 'acceptance') return ABOUT_THE_REQUEST.includes(status) ? true : null;
  return due !== 'rejection' && !due.statuses.includes(status);
}

/** A request whose body differs from a valid one in a single element, its answer, and what it was due. */
export interface Probe {
  readonly request: SuiteRequest;
  readonly answer: Answer;
  readonly due: Due;
}

/** Makes a request name the valid body from which it differs in a single element. */
export const besideBody = (request: SuiteRequest, sibling: JsonValue): SuiteRequest => ({
  ...request,
  sibling: JSON.stringify(sibling),
});

/** Sends a request whose body differs from the valid body `sibling` in a single element. */
export async function sendProbe(session: Session, request: SuiteRequest, sibling: JsonValue, due: Due): Promise<Probe> {
  const probe = besideBody(request, sibling);
  return { request: probe, answer: await session.send(probe), due };
}

/** Sends the siblings that the rejected probes still need, the last first: it serves those before. */
export async function sendSiblings(session: Session, probes: readonly Probe[]): Promise<void> {
  const { builder, state } = session;
  for (const { request, answer, due } of probes.toReversed()) {
    const { operation, path, sibling } = request;
    const isOfState = needOf(answer, due);
    if (operation === null || sibling === undefined || isOfState === null) continue;
    const isTaken = state.isAcceptedBody(operation, sibling);
    const behind = session.answers.map(({ exchange }) => exchange);
    if (isTaken === false || (isTaken && (!isOfState || isAcceptedBehind(answer.exchange, behind)))) continue;
    const send = (text: string, about: string): Promise<Answer | null> =>
      session.sendIfAllowed(builder.control(operation, { json: JSON.parse(text) as JsonValue, path, about }));
    const without = isOfState && typeof due === 'object' && due.without !== null ? JSON.stringify(due.without) : null;
    if (without !== null && state.isAcceptedBody(operation, without) === undefined)
      await send(without, 'the valid request without the element');
    await send(sibling, 'the valid request next to it');
  }
}
