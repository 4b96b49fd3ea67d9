/**
 * The values before the run: read before its first write to a resource, and written down beside each of its writes.
 */

import { type Answer, isEmptyBody, type Place, type SuiteRequest } from '../client/request.ts';
import { operationOf } from '../client/request-path.ts';
import { TRIALS } from '../contract/limits.ts';
import { isUpdate, operationById, type UpdateId } from '../contract/operations.ts';
import { CONFIGURED_SECRET, type Exchange, isUnanswered } from '../exchange/exchange.ts';
import type { RequestBuilder } from './builder.ts';
import type { RunOptions } from './options.ts';
import { type Facts, type RunState, SHOWN_BY } from './state.ts';
import { learnApplication } from './written.ts';

/** What an operation changes, with the values before the run: for the journal, without the secret. */
export function valuesBefore(
  id: UpdateId,
  { trunk, application, assignment }: Facts,
  { inbound: { secret, ...inbound } }: Pick<RunOptions, 'inbound'>,
): Pick<Place, 'before'> {
  const known = Object.entries({ ...inbound, ...(secret === undefined ? {} : { secret: CONFIGURED_SECRET }) });
  const values = {
    updateTrunk: trunk,
    updateVoiceApplication: application,
    setInboundAuth: Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    assignNumber: assignment === undefined ? undefined : { carrier_connection_id: assignment },
  };
  const before = values[id];
  return before === undefined ? {} : { before };
}

/** The update that a write is, whichever credential and spelling it has; `null` for any other. */
export function updateIn({ operation, method, path }: SuiteRequest): UpdateId | null {
  const id = operation ?? operationOf(method, path)?.operation ?? null;
  return isUpdate(id) ? id : null;
}

/** A read of the voice application: a target may serve one at the path of its update. */
export function applicationRead(builder: RequestBuilder, role: SuiteRequest['role']): SuiteRequest {
  const about = 'a read of the voice application, which is not documented';
  return { ...builder.request('updateVoiceApplication', { role, about }), operation: null, method: 'GET' };
}

/**
 * Reads a resource before the first write of the run to it, whatever the run judges: otherwise nobody could restore it.
 * Throws what `send` throws; then the write is not sent either.
 */
export async function readBefore(
  id: UpdateId,
  { builder, state }: { readonly builder: RequestBuilder; readonly state: RunState },
  request: SuiteRequest,
  send: (read: SuiteRequest) => Promise<Answer>,
): Promise<void> {
  const [kind] = operationById(id).resources;
  const isNamed = kind !== undefined && builder.named(kind) !== undefined;
  if (state.written.has(id) || builder.options.profile !== 'full' || !isNamed) return;
  // No documented operation reads a voice application.
  for (const read of SHOWN_BY[id] ?? (id === 'updateVoiceApplication' ? ['undocumented' as const] : [])) {
    for (let sent = 0; sent < TRIALS.rule && !state.looked.has(read); sent += 1) {
      const about = 'what is there before the first write';
      const isDocumented = read !== 'undocumented';
      const look = isDocumented ? builder.request(read, { role: 'before', about }) : applicationRead(builder, 'before');
      const { exchange } = await send(look);
      if (isDocumented || isUnanswered(exchange)) continue;
      state.looked.add(read);
      const application = exchange.response?.learned?.fields ?? {};
      if (Object.keys(application).length > 0) state.note({ application, isApplicationRead: true });
    }
    if (state.facts.trunkReadBy === read) break;
  }
  const isEmpty = request.credential === 'valid' && new TextDecoder().decode(request.body ?? new Uint8Array()) === '{}';
  if (id === 'updateVoiceApplication' && !isEmpty && state.facts.isApplicationRead !== true) {
    // Where no read shows the application, the answer to an update that names no field may.
    await send(builder.request(id, { json: {}, role: 'before', about: 'an update that changes nothing' }));
  }
  state.written.add(id);
}

/** Takes what a read shows of a trunk and a number to which the run has written nothing yet. */
function learnRead(state: RunState, exchange: Exchange): void {
  const { tag, response } = exchange;
  const { operation } = tag;
  if (isUnanswered(exchange)) return;
  const { fields = {}, assignment, isAnotherNamed } = response?.learned ?? {};
  if (isAnotherNamed === true) state.note({ isAnotherNamed });
  if (operation === 'listNumbers') {
    state.looked.add(operation);
    const isKnown = state.facts.assignment !== undefined || state.written.has('assignNumber');
    if (!isKnown && assignment !== undefined) state.note({ assignment });
  }
  if (operation !== 'listTrunks' && (operation !== 'getTrunk' || tag.ids !== 'named')) return;
  state.looked.add(operation);
  if (Object.keys(fields).length === 0 || state.written.has('updateTrunk')) return;
  // The trunk's own read counts; the list stands in where that shows nothing.
  const isBetter = operation === 'getTrunk' && state.facts.trunkReadBy === 'listTrunks';
  if (state.facts.trunk === undefined || isBetter) state.note({ trunk: fields, trunkReadBy: operation });
}

/** Takes what an answer shows of the values before the run, and whether a value of ours may be stored. */
export function learnValues(state: RunState, request: SuiteRequest, answer: Answer): void {
  if (answer.exchange.tag.operation === 'updateVoiceApplication') learnApplication(state, answer.exchange);
  if (request.credential !== 'valid') return;
  if (request.method === 'GET') learnRead(state, answer.exchange);
  else learnWrite(state, request, answer);
}

/** Takes whether a value of an update may be stored, or was replaced. */
function learnWrite(state: RunState, { operation, body, role }: SuiteRequest, { status, accepted }: Answer): void {
  if (!isUpdate(operation) || isEmptyBody(body)) return;
  if (role === 'restore' && accepted) state.unrestored.delete(operation);
  else if (accepted || status === null || status >= 500) state.unrestored.add(operation);
}
