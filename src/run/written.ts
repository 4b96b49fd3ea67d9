/** Notes what an update may have changed, so that the run can restore it. */

import type { Answer, SuiteRequest } from '../client/request.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import type { RunState } from './state.ts';

/** The documented fields that a body names, also one that is not JSON. */
function fieldsNamed(id: OperationId, body: Uint8Array): readonly string[] {
  const schema = operationById(id).body;
  const known = Object.keys((schema === null ? undefined : BODY_SCHEMAS[schema].properties) ?? {});
  const names = new Set(
    [
      ...Buffer.from(body)
        .toString('latin1')
        .matchAll(/"(\w+)"\s*:/g),
    ].map(([, name]) => name),
  );
  return known.filter((name) => names.has(name));
}

/** Notes an update and its answer. One without a response may still have taken effect. */
export function noteWrite(state: RunState, request: SuiteRequest, answer: Answer): void {
  const { operation, method, credential, body } = request;
  const { status, exchange } = answer;
  // A made-up id names nothing that could be restored.
  if (operation === null || method === 'GET' || exchange.tag.ids !== 'named') return;
  if (body === null || body.length <= '{}'.length) return;
  state.sent.add(operation);
  const rejected = status !== null && status >= 300 && status < 500;
  if (rejected || (credential !== 'valid' && status === null)) return;
  const fields = fieldsNamed(operation, body);
  state.noteWritten(operation, fields);
  if (operation === 'updateVoiceApplication') noteApplication(state, fields, answer);
}

/** No documented operation reads an application: whether an update resets the other fields shows in its answers. */
function noteApplication(state: RunState, named: readonly string[], { exchange }: Answer): void {
  const shown = exchange.response?.learned?.fields ?? {};
  const kept = Object.entries(state.facts.applicationNow ?? {}).filter(([name]) => !named.includes(name));
  const isReset = kept.some(([name, value]) => name in shown && shown[name] !== value);
  state.note({ applicationNow: { ...Object.fromEntries(kept), ...shown } });
  if (isReset) state.note({ isApplicationReset: true });
}
