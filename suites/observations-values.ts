/** Observed values: of a trunk's direction and status, of the inbound method, and spellings of a connection's id. */

import { Withheld } from '../src/client/stimulus.ts';
import type { JsonObject } from '../src/generate/json.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { acceptedBase, gapAsk, observation, UNKNOWN_WORD } from './observation.ts';
import { shownIn } from './records.ts';

const TRUNK = 'updateTrunk';
const INBOUND = 'setInboundAuth';
const ASSIGN = 'assignNumber';

const STATE = {
  direction: ['GAP-VALUES-DIRECTION', ['inbound', 'outbound', 'bidirectional']],
  status: ['GAP-VALUES-STATUS', ['active', 'inactive', 'disabled']],
} as const;

const labelOf = (word: string): string => (word === UNKNOWN_WORD ? 'any word' : word);

/** Sends the words until the unknown one is accepted, which answers for all; whether any was accepted. */
async function tryWords(words: readonly string[], send: (word: string) => Promise<boolean>): Promise<boolean> {
  let any = false;
  for (const word of [UNKNOWN_WORD, ...words]) {
    const accepted = await send(word);
    any ||= accepted;
    if (accepted && word === UNKNOWN_WORD) break;
  }
  return any;
}

/** Nothing else uses the trunk any more; still each accepted value gives way to the old one at once. */
function stateValues(kit: Kit, field: keyof typeof STATE): Sequence {
  const [gap, words] = STATE[field];
  const asks = [UNKNOWN_WORD, ...words].map((word) => gapAsk(gap, labelOf(word)));
  const place = { lane: 'restore', phase: 'restore' } as const;
  return observation(TRUNK, `values of ${field}`, asks, place, async (talk) => {
    const base = acceptedBase(talk, TRUNK);
    const shown = talk.memory.trunk?.[field];
    if (shown === undefined) throw new Withheld(`getTrunk does not show the ${field} of the trunk`);
    const write = (value: string | number, step: string, ask: readonly string[]) =>
      talk.send(kit.request(TRUNK, { json: { ...base, [field]: value }, step, asks: ask, about: `${field}: ${step}` }));
    let isOpen = false;
    try {
      const any = await tryWords(
        words.filter((word) => word !== shown),
        async (word) => {
          const { accepted } = await write(word, labelOf(word), [gapAsk(gap, labelOf(word))]);
          isOpen ||= accepted;
          if (!accepted) return false;
          const back = await write(shown, `put back after ${labelOf(word)}`, []);
          isOpen = !back.accepted;
          return true;
        },
      );
      if (any) isOpen ||= !(await isShown(talk, field, shown));
    } finally {
      // An interruption half-way leaves the value where it is.
      if (isOpen) talk.memory.changed.push(`trunk ${kit.named('trunk')}: ${field} may not be what it was`);
    }
  });
}

/** Whether getTrunk shows the value. */
async function isShown(talk: Talk, field: string, value: string | number): Promise<boolean> {
  const read = await talk.send(
    talk.kit.request('getTrunk', { step: 'verify', about: `the ${field} that was put back` }),
  );
  return shownIn(read.json, [field])[field] === value;
}

function methods(kit: Kit): Sequence {
  const words = ['digest', 'ip'] as const;
  const gap = 'GAP-VALUES-METHOD';
  const asks = [UNKNOWN_WORD, ...words].map((word) => gapAsk(gap, labelOf(word)));
  return observation(INBOUND, 'values of method', asks, { lane: 'carrier connection' }, async (talk) => {
    const base = acceptedBase(talk, INBOUND);
    const write = (json: JsonObject, step: string, ask: readonly string[]) =>
      talk.send(kit.request(INBOUND, { json, step, asks: ask, about: `method: ${step}` }));
    await tryWords(words, async (word) => {
      const { accepted } = await write({ ...base, method: word }, labelOf(word), [gapAsk(gap, labelOf(word))]);
      return accepted;
    });
    await write(base, 'put back', []);
  });
}

/** Groups without their leading zeros: some readers fill them up again. */
const shortened = (id: string): string => id.replace(/(^|-)0+(?=[0-9a-f])/gi, '$1');

const SPELLINGS = [
  ['undashed', (id: string) => id.replaceAll('-', '')],
  ['in braces', (id: string) => `{${id}}`],
  ['as urn:uuid:', (id: string) => `urn:uuid:${id}`],
  ['with short groups', shortened],
  ['empty', () => ''],
] as const;

function spelling(kit: Kit, [label, spell]: (typeof SPELLINGS)[number]): readonly Sequence[] {
  const connection = kit.named('carrierConnection') ?? '';
  const asks = [gapAsk('GAP-UUID-FORMS', label)];
  // A connection whose id has no group that begins with 0 cannot be spelled shorter.
  if (connection === '' || spell(connection) === connection) return [];
  const run = async (talk: Talk): Promise<void> => {
    const json = { ...acceptedBase(talk, ASSIGN), carrier_connection_id: spell(connection) };
    await talk.send(kit.request(ASSIGN, { json, asks, step: 'spelling', about: `the id of the connection ${label}` }));
  };
  return [observation(ASSIGN, `id ${label}`, asks, { lane: 'number' }, run)];
}

/** The last assignment is a valid one, whatever the others came to. */
function assignAgain(kit: Kit): Sequence {
  return observation(ASSIGN, 'put back', [], { lane: 'number' }, async (talk) => {
    const json = acceptedBase(talk, ASSIGN);
    await talk.send(kit.request(ASSIGN, { json, step: 'put back', about: 'the plain assignment again' }));
  });
}

/** Values of the inbound method and spellings of an id. */
export const OBSERVED_VALUES: Suite = {
  name: 'observed values',
  sequences: (kit) => [methods(kit), ...SPELLINGS.flatMap((one) => spelling(kit, one)), assignAgain(kit)],
};

/** Values of a trunk's state, for a place in front of what puts its name back. */
export const OBSERVED_STATE: Suite = {
  name: 'observed state',
  sequences: (kit) => [stateValues(kit, 'direction'), stateValues(kit, 'status')],
};
