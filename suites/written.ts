/** What may be written to the fields of an update, and how it is put back (conformance model, section 7). */

import type { JsonObject, JsonValue } from '../src/generate/json.ts';
import type { Talk } from '../src/run/sequence.ts';
import { plainFields } from './bases.ts';
import { baseOf } from './controls.ts';
import { shownIn } from './records.ts';

/** The three updates, each with the lane of what it writes. */
export const UPDATES = {
  updateVoiceApplication: 'voice application',
  setInboundAuth: 'carrier connection',
  updateTrunk: 'trunk',
} as const;

/** One of the three updates. */
export type Update = keyof typeof UPDATES;

/** Values by field; a field that is absent is not to be written at all. */
export type Written = Readonly<Record<string, JsonValue>>;

const RESOURCES = {
  updateVoiceApplication: 'voiceApplication',
  setInboundAuth: 'carrierConnection',
  updateTrunk: 'trunk',
} as const;

function shownBefore({ memory }: Talk, id: Update): Written {
  if (id === 'updateTrunk') return memory.trunk ?? {};
  return id === 'updateVoiceApplication' ? (memory.application ?? {}) : {};
}

/**
 * What stands there already, as far as an answer showed it, so that writing it changes nothing; otherwise what the
 * suite makes up. A trunk's status and direction are written only where getTrunk shows them.
 */
export function fieldsToWrite(talk: Talk, id: Update): Written {
  const own = plainFields(id, talk.kit, talk.memory);
  const accepted = Object(talk.memory.bases.get(id));
  // What is shown in another type than the due one is no value to write; a name that is put back stays the run's mark.
  const shown = Object.entries(shownBefore(talk, id)).filter(
    ([field, value]) => typeof own[field] === typeof value && !(field === 'name' && field in accepted),
  );
  const base = id === 'setInboundAuth' ? accepted : {};
  return { ...own, ...Object.fromEntries(shown), ...base };
}

/** Whether the end of the run, or nobody at all, has to put a field back to which this value was written. */
export function isAccountedFor(talk: Talk, id: Update, field: string, value: JsonValue): boolean {
  return field in Object(talk.memory.bases.get(id)) || shownBefore(talk, id)[field] === value;
}

/** Notes that a field holds something else than before the run. */
export function noteChanged(talk: Talk, id: Update, field: string): void {
  const kind = RESOURCES[id];
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const sentence = `${words} ${talk.kit.named(kind)}: ${field} was written, and may not be what it was`;
  if (!talk.memory.changed.includes(sentence)) talk.memory.changed.push(sentence);
}

/** Writes a valid value at once where a wrong one was accepted; a trunk is read to see that it took. */
export async function putBack(talk: Talk, id: Update, field: string, value: JsonValue): Promise<void> {
  const { kit } = talk;
  const json: JsonObject = { ...Object(baseOf(talk, id)), [field]: value };
  const about = `a valid ${field} after a wrong one was accepted`;
  const answer = await talk.send(kit.request(id, { json, step: 'put back', about }));
  if (id === 'updateTrunk') {
    const read = await talk.send(kit.request('getTrunk', { step: 'verify', about: `the ${field} that was put back` }));
    if (shownIn(read.json, [field])[field] === value) return;
  } else if (answer.accepted && isAccountedFor(talk, id, field, value)) return;
  noteChanged(talk, id, field);
}
