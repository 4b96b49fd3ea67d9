/** Notes what an update may have changed, so that the run can restore it. */

import { type Answer, isEmptyBody, type SuiteRequest } from '../client/request.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { RunState } from './state.ts';

/** The documented fields that a body names, also one that is not JSON. */
function fieldsNamed(id: OperationId, body: Uint8Array): readonly string[] {
  const schema = operationById(id).body;
  const known = Object.keys((schema === null ? undefined : BODY_SCHEMAS[schema].properties) ?? {});
  const text = Buffer.from(body).toString('latin1');
  return known.filter((name) => new RegExp(`"${name}"\\s*:`).test(text));
}

/** Notes an update and its answer. One without a response may still have taken effect. */
export function noteWrite(state: RunState, request: SuiteRequest, { status, exchange }: Answer): void {
  const { operation, method, credential, body } = request;
  // A made-up id names nothing that could be restored.
  if (operation === null || method === 'GET' || exchange.tag.ids !== 'named' || body === null) return;
  const fields = fieldsNamed(operation, body);
  if (operation === 'updateVoiceApplication') noteApplication(state, fields, exchange);
  if (isEmptyBody(body)) return;
  state.sent.add(operation);
  const rejected = status !== null && status >= 300 && status < 500;
  if (!rejected && (credential === 'valid' || status !== null)) state.noteWritten(operation, fields);
}

/** Notes an update whose answer was lost, and says whether it may have changed something. */
export function noteLost(state: RunState, { operation, method, body, credential }: SuiteRequest): boolean {
  if (operation === null || method === 'GET' || body === null || isEmptyBody(body) || credential !== 'valid')
    return false;
  state.sent.add(operation);
  state.noteWritten(operation, fieldsNamed(operation, body));
  return true;
}

/** So many values tell whether a target resets fields; an exploration writes new ones without end. */
const MOST_VALUES = 10_000;

const keyOf = (name: string, value: unknown): string => JSON.stringify([name, value]);
const keyOfAny = (name: string): string => JSON.stringify([name]);

/**
 * No documented operation reads a voice application. What the answer to an update shows of fields that no update has
 * named yet is what they were before the run, unless the target resets what an update does not name: then such a field
 * loses its value, or gets one that was neither shown nor written before.
 */
function noteApplication(state: RunState, named: readonly string[], { request, response }: Exchange): void {
  const { isApplicationRead = false, application = {} } = state.facts;
  const known = state.applicationValues;
  if (known.size >= MOST_VALUES) return;
  const shown = response?.learned?.fields ?? {};
  const others = Object.entries(shown).filter(([name]) => !named.includes(name));
  const isNew = ([name, value]: readonly [string, unknown]): boolean =>
    value === null ? known.has(keyOfAny(name)) : name in application && !known.has(keyOf(name, value));
  if (others.some(isNew)) state.note({ isApplicationReset: true });
  const first = others.filter(([name]) => !(name in application) && !state.isWritten('updateVoiceApplication', name));
  if (!isApplicationRead) state.note({ application: { ...application, ...Object.fromEntries(first) } });
  const sent: object = Object(parsedJson(request.body?.text ?? ''));
  for (const [name, value] of [...Object.entries(shown), ...Object.entries(sent)]) {
    known.add(keyOf(name, value));
    if (value !== null) known.add(keyOfAny(name));
  }
}
