/** What was written is put back, or named (conformance model, section 7). */

import type { OperationId } from '../src/contract/operations.ts';
import type { JsonObject } from '../src/generate/json.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';

async function putBack(talk: Talk, id: OperationId, json: JsonObject | null, otherwise: string): Promise<void> {
  const { changed, written } = talk.memory;
  if (!written.has(id)) return;
  if (json !== null) {
    const answer = await talk.send(talk.kit.request(id, { json, step: 'put back', about: 'what was there before' }));
    const named = changed.indexOf(otherwise);
    // Repeated where a network swallowed the answer: what was named then is put back now.
    if (answer.accepted && named >= 0) changed.splice(named, 1);
    if (answer.accepted) return;
  }
  changed.push(otherwise);
}

function restoring(id: OperationId, run: (talk: Talk) => Promise<void>): Sequence {
  return { name: `${id}/put back`, operation: id, lane: 'restore', phase: 'restore', serves: [], isControl: true, run };
}

function inboundOf(kit: Kit): JsonObject | null {
  const { username, realm, secret } = kit.options.inbound;
  return username === undefined || realm === undefined || secret === undefined ? null : { username, realm, secret };
}

/** The last phase. */
export const RESTORE_SUITE: Suite = {
  name: 'restore',
  sequences: (kit) =>
    kit.options.profile === 'full'
      ? [
          restoring('updateTrunk', (talk) => {
            const name = talk.memory.trunk?.['name'];
            const base = Object(talk.memory.bases.get('updateTrunk'));
            const json = name === undefined ? null : { ...base, name };
            return putBack(talk, 'updateTrunk', json, `trunk ${kit.named('trunk')}: its name is now "${kit.mark}"`);
          }),
          restoring('updateVoiceApplication', (talk) => {
            const application = kit.named('voiceApplication');
            const written = Object.keys(Object(talk.memory.bases.get('updateVoiceApplication')));
            const before = talk.memory.application ?? {};
            const isKnown = written.length > 0 && written.every((name) => name in before);
            const json = Object.fromEntries(written.map((name) => [name, before[name] ?? null]));
            const fields = written.length === 0 ? 'its fields' : written.join(', ');
            const changed = `voice application ${application}: ${fields} ${written.length === 1 ? 'was' : 'were'} written, and no answer showed what was there`;
            return putBack(talk, 'updateVoiceApplication', isKnown ? json : null, changed);
          }),
          restoring('setInboundAuth', (talk) => {
            const before = inboundOf(kit);
            const json = before === null ? null : { ...Object(talk.memory.bases.get('setInboundAuth')), ...before };
            const connection = kit.named('carrierConnection');
            const changed = `carrier connection ${connection}: its inbound credential was replaced; set it anew, or name it in PCS_INBOUND_USERNAME, PCS_INBOUND_REALM and PCS_INBOUND_SECRET`;
            return putBack(talk, 'setInboundAuth', json, changed);
          }),
          restoring('assignNumber', async ({ memory }) => {
            const now = kit.named('carrierConnection') ?? '';
            const before = memory.assignment;
            if (!memory.written.has('assignNumber') || before?.toLowerCase() === now.toLowerCase()) return;
            const shown = before === undefined ? 'no answer showed to which before' : `before to ${before ?? 'none'}`;
            memory.changed.push(`number ${kit.named('number')} is assigned to carrier connection ${now}; ${shown}`);
          }),
        ]
      : [],
};
