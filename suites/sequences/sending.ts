/**
 * The parts of most sequences: a request that is built and sent, alone or with its sibling, the valid body with which a
 * rejection is compared.
 */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { isRetryableStatus, UNAVAILABLE } from '../../src/contract/waiting.ts';
import type { JsonObject, JsonValue } from '../../src/generate/json.ts';
import type { Variation } from '../../src/run/builder.ts';
import { demandNamed, type Independent, laneOf, type Sequence, type Session } from '../../src/run/sequence.ts';
import { askOfMoment, type Moment } from '../../src/verdict/boundary.ts';
import { isAcceptedBehind } from '../../src/verdict/sibling.ts';
import { baseOf } from '../bodies.ts';
import { CREATE } from '../operations.ts';
import { BODY_WANTED } from '../valid-requests.ts';

type Sending = Pick<Session, 'builder' | 'send'>;

/** Sends a request to the operation. */
export const sendTo = (session: Sending, id: OperationId, variation: Variation): Promise<Answer> =>
  session.send(session.builder.request(id, variation));

/** Sends a valid request with the valid credential. */
export const sendValid = (session: Sending, id: OperationId, variation?: Variation): Promise<Answer> =>
  session.send(session.builder.control(id, variation));

/** Whether an action that was rejected without a body succeeds with one: only then the missing body is the reason. */
export async function tryWithBody(session: Session, id: OperationId, { status, exchange }: Answer): Promise<void> {
  if (!BODY_WANTED.includes(status)) return;
  const about = 'the same action with the body {}';
  await sendTo(session, id, { path: exchange.request.path, json: {}, role: 'with-body', about });
}

/** Both of two requests at the same moment, in a phrase. */
export const twoOf = (what: string): readonly [string, string] => [
  `one of two ${what} at once`,
  `the other of two ${what} at once`,
];

/** A simultaneous request asks every invariant of its operation. */
export const atOnce = (count: Moment) => ({ asks: [askOfMoment(count)] });
export const PAIR = atOnce(2);

/** What a sequence asks, and its place in the plan: the phase and lane of its operation unless given. */
export type Placed = Partial<Omit<Sequence, 'run' | 'operation'>>;

/** Late, in the lane of the operation's invalid credentials. */
export const amongCredentials = (id: OperationId) => ({ lane: `credentials ${id}`, phase: 'credentials' }) as const;

/** The same, for sequences that also need the valid requests of the operation's own lane. */
export const amongWithControls = (id: OperationId) => ({ ...amongCredentials(id), dependsOn: laneOf(id) ?? '' });

/** A sequence of an operation. */
export function sequence(operation: OperationId, label: string, placed: Placed, run: Sequence['run']): Sequence {
  const phase = operation === 'updateVoiceApplication' ? 'application' : 'main';
  return { name: `${operation}/${label}`, operation, lane: laneOf(operation), phase, asks: [], ...placed, run };
}

/**
 * A sequence whose first request is harmless and depends on no other: it may be sent together with its neighbours,
 * unless it is a create call, which is sent alone.
 */
export function independent(operation: OperationId, label: string, placed: Placed, probe: Independent): Sequence {
  const beside = operation === CREATE ? {} : { independent: probe };
  return sequence(operation, label, { ...placed, ...beside }, async (session) => {
    const request = await probe.request(session);
    const answer = await session.send(request);
    await probe.note?.(session, answer, request);
  });
}

/** A sequence that is skipped unless the settings name every resource of the operation's path. */
export const onNamed: typeof sequence = (operation, label, placed, run) =>
  sequence(operation, label, placed, (session) => {
    demandNamed(session, operation);
    return run(session);
  });

/** A sequence of one request. */
export function single(
  id: OperationId,
  label: string,
  placed: Placed,
  variationOf: (session: Session) => Variation,
): Sequence {
  return onNamed(id, label, placed, async (session) => {
    await sendTo(session, id, { asks: placed.asks ?? [], ...variationOf(session) });
  });
}

/** The same, for a request that should be rejected and differs from the accepted one in a single element. */
export function compared(
  id: OperationId,
  label: string,
  placed: Placed,
  variationOf: (base: JsonValue) => Variation,
): Sequence {
  return independent(id, label, placed, {
    request: (session) => {
      demandNamed(session, id);
      const base = baseOf(session, id);
      return besideBody(session.builder.request(id, { asks: placed.asks ?? [], ...variationOf(base) }), base);
    },
    note: (session, answer, request) => sendSiblings(session, [{ request, answer, due: 'rejection' }]),
  });
}

/**
 * What a probe should get: acceptance for a valid element; for an invalid one rejection with any 4xx, or with one of
 * these statuses. After another status, the valid body `without` the element follows: if that gets the same answer, the
 * target checked its state and not the element.
 */
export type Due =
  | 'acceptance'
  | 'rejection'
  | { readonly statuses: readonly number[]; readonly without: JsonObject | null };

/**
 * Whether a rejected probe needs its sibling (`false`), or needs it right after itself (`true`); `null` for neither. A
 * 503 says nothing about the body, unless a valid body is accepted right after it.
 */
export function needOf({ status }: Pick<Answer, 'status'>, due: Due): boolean | null {
  if (status === UNAVAILABLE && typeof due === 'object') return due.statuses.includes(status) ? null : true;
  if (status === null || status < 400 || status >= 500 || status === 401 || isRetryableStatus(status)) return null;
  // Rejections of a valid element that its sibling has to explain; other statuses are about rights and state.
  if (due === 'acceptance') return [400, 404, 415, 422].includes(status) ? true : null;
  return due !== 'rejection' && !due.statuses.includes(status);
}

/** A request whose body differs from a valid one in a single element, its answer, and the answer that it should get. */
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

/** Sends the siblings that the rejected probes still need, the last first: it also serves earlier probes. */
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
