/** What was written is restored, or named (conformance model, section 7). */

import type { OperationId } from '../../src/contract/operations.ts';
import type { JsonObject } from '../../src/generate/json.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import { type Sequence, type Session, sequence } from '../../src/run/sequence.ts';

/** Writes the body, if there is one; `otherwise` is the sentence that reports the change if that fails. */
async function restore(session: Session, id: OperationId, json: JsonObject | null, otherwise: string): Promise<void> {
  const { state, builder } = session;
  if (!state.written.has(id)) return;
  if (json !== null) {
    const about = 'the values before the run';
    const answer = await session.send(builder.request(id, { json, role: 'restore', about }));
    // A repetition may succeed where a network lost the answer of the first attempt.
    if (answer.accepted) state.changed.delete(otherwise);
    if (answer.accepted) return;
  }
  state.changed.add(otherwise);
}

function restoreTrunk(session: Session): Promise<void> {
  const { builder, state } = session;
  const name = state.facts.trunk?.['name'];
  const json = name === undefined ? null : { ...Object(state.bases.get('updateTrunk')), name };
  return restore(session, 'updateTrunk', json, `trunk ${builder.named('trunk')}: its name is now "${builder.mark}"`);
}

function restoreApplication(session: Session): Promise<void> {
  const { builder, state } = session;
  const written = Object.keys(Object(state.bases.get('updateVoiceApplication')));
  const before = state.facts.application ?? {};
  const isKnown = written.length > 0 && written.every((name) => name in before);
  const json = Object.fromEntries(written.map((name) => [name, before[name] ?? null]));
  const fields = written.length === 0 ? 'its fields' : written.join(', ');
  const were = written.length === 1 ? 'was' : 'were';
  const changed = `voice application ${builder.named('voiceApplication')}: ${fields} ${were} written, and no response showed the previous values`;
  return restore(session, 'updateVoiceApplication', isKnown ? json : null, changed);
}

function restoreInbound(session: Session): Promise<void> {
  const { builder, state } = session;
  const { username, realm, secret } = builder.options.inbound;
  const isKnown = username !== undefined && realm !== undefined && secret !== undefined;
  const json = isKnown ? { ...Object(state.bases.get('setInboundAuth')), username, realm, secret } : null;
  const connection = builder.named('carrierConnection');
  const remedy = 'set it again, or name it in PCS_INBOUND_USERNAME, PCS_INBOUND_REALM and PCS_INBOUND_SECRET';
  const changed = `carrier connection ${connection}: its inbound credential was replaced; ${remedy}`;
  return restore(session, 'setInboundAuth', json, changed);
}

/** The last assignment is a valid one; if it differs from the previous one, it is reported. */
async function nameAssignment({ builder, state }: Session): Promise<void> {
  const now = builder.named('carrierConnection') ?? '';
  const before = state.facts.assignment;
  if (!state.written.has('assignNumber') || before?.toLowerCase() === now.toLowerCase()) return;
  const shown = before === undefined ? 'no response showed the previous one' : `previously to ${before ?? 'none'}`;
  state.changed.add(`number ${builder.named('number')} is assigned to carrier connection ${now}; ${shown}`);
}

const RESTORING = [
  ['updateTrunk', restoreTrunk],
  ['updateVoiceApplication', restoreApplication],
  ['setInboundAuth', restoreInbound],
  ['assignNumber', nameAssignment],
] as const;

/** The last phase. */
export function restoring({ options }: RequestBuilder): readonly Sequence[] {
  if (options.profile !== 'full') return [];
  const place = { lane: 'restore', phase: 'restore', isControl: true } as const;
  return RESTORING.map(([id, run]) => sequence(id, 'restore', [], run, place));
}
