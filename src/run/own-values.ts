/** Values that this run wrote, as the reason why a read fails (conformance model, section 0, rule 8). */

import { type Answer, isEmptyBody, type SuiteRequest } from '../client/request.ts';
import { isUpdate } from '../contract/operations.ts';
import type { JsonValue } from '../generate/json.ts';
import { FAILED_READS, isServerFailure, RESTORED_RECORD, SAME_READ } from '../verdict/own-writes.ts';
import type { RequestBuilder } from './builder.ts';
import type { RunState } from './state.ts';
import { valuesBefore } from './values-before.ts';

/** Notes whether a value of an update may be stored, or was replaced. */
function noteWrite(
  state: RunState,
  { operation, credential, body, about }: SuiteRequest,
  { status, accepted }: Answer,
): void {
  if (!isUpdate(operation) || credential !== 'valid' || isEmptyBody(body)) return;
  if (about === RESTORED_RECORD && accepted) state.unrestored.delete(operation);
  else if (accepted || status === null || status >= 500) state.unrestored.add(operation);
}

/** What a session gives to it. */
interface Sending {
  readonly state: RunState;
  readonly builder: RequestBuilder;
  send(request: SuiteRequest): Promise<Answer>;
}

/**
 * A read that fails may fail because of the value that this run wrote last: one `"a\ud800b"` in the name of a trunk made
 * every answer that shows the trunk a 500. Until the read is accepted it counts as failing: uvicorn closes the connection
 * after a 500, and the next read is lost. The record is restored then and the read sent again: accepted, the failure is one
 * of the write. `isLast`: nothing is sent for that any more.
 */
export async function withoutOurValue(
  session: Sending,
  request: SuiteRequest,
  answer: Answer,
  isLast: boolean,
): Promise<void> {
  const { state, builder } = session;
  const { operation, credential, origin } = request;
  noteWrite(state, request, answer);
  if (isLast || !isServerFailure(answer.exchange)) return;
  if (operation === null || credential !== 'valid' || origin !== undefined) return;
  const update = state.suspectOf(operation);
  const base = update === undefined ? undefined : state.bases.get(update);
  if (update === undefined || base === undefined) return;
  const again = (about: string): Promise<Answer> =>
    session.send({ ...request, asks: [], control: false, role: 'after', about });
  // Marked first: the reads that follow are such reads themselves.
  state.brokenReads.add(operation);
  for (let reads = 1; reads < FAILED_READS; reads += 1) {
    if (!(await again(SAME_READ)).accepted) continue;
    state.brokenReads.delete(operation);
    return;
  }
  const { before = {} } = valuesBefore(update, state.facts, builder.options);
  const shown = Object.entries(before).filter(([, value]) => value !== null);
  const json: JsonValue = { ...Object.fromEntries(shown), ...Object(base) };
  const restored = await session.send(builder.request(update, { json, role: 'restore', about: RESTORED_RECORD }));
  const last = await again('the same read after the record was restored');
  if (restored.accepted && last.accepted) state.brokenReads.delete(operation);
}
