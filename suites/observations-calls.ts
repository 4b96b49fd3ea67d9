/** Observed on create call: exotic valid values and lists of accepted ones, several in a call (model, section 8). */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import type { Kit } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import type { Sequence, Talk } from '../src/engine/sequence.ts';
import { type ExoticGroup, exoticGroups } from '../src/generate/exotic.ts';
import { isObject, type JsonObject } from '../src/generate/json.ts';
import { minimalCall } from './bases.ts';
import { callOptions } from './call-valid.ts';
import { acceptedBase, gapAsk, observation, UNKNOWN_MEMBER, UNKNOWN_WORD } from './observation.ts';

const CREATE = 'createCall';
const BOUNDS = 'GAP-FIELD-BOUNDS';

/** What one call tries beyond the smallest body. */
interface Trial {
  readonly asks: readonly string[];
  readonly about: string;
  readonly members: JsonObject;
}

function variables(kit: Kit, themes: readonly ExoticGroup['theme'][]): JsonObject {
  const groups = exoticGroups(BODY_SCHEMAS['call-create'], callOptions(kit));
  const pairs = groups.filter(({ theme }) => themes.includes(theme)).map(({ value }) => Object(value).variables);
  return Object.fromEntries(
    pairs.flatMap((map, at) => Object.entries(Object(map)).map(([key, text]) => named(key, text, at))),
  );
}

/** Two themes call their one pair alike. */
function named(key: string, text: unknown, at: number): [string, string] {
  return [key === 'key' ? `key of ${at}` : key, String(text)];
}

const VALUES = [
  ['dtmf_mode', 'GAP-VALUES-DTMF-MODE', 'rfc2833'],
  ['media_encryption', 'GAP-VALUES-MEDIA-ENCRYPTION', 'none'],
  ['codecs', 'GAP-VALUES-CODECS', ['PCMU']],
] as const;

function unknownWords(): Trial {
  const members = { dtmf_mode: UNKNOWN_WORD, media_encryption: UNKNOWN_WORD, codecs: [UNKNOWN_WORD] };
  return { members, about: 'unknown words', asks: VALUES.map(([, gap]) => gapAsk(gap, 'any word')) };
}

const commonValues = (): readonly Trial[] =>
  VALUES.map(([name, gap, value]) => {
    const label = String(value);
    return { members: { [name]: value }, about: `${name}: ${label}`, asks: [gapAsk(gap, label)] };
  });

const unknownMember = (): Trial => ({
  members: { [UNKNOWN_MEMBER]: UNKNOWN_WORD },
  about: 'one member more',
  asks: [gapAsk('GAP-UNKNOWN-MEMBERS', 'one member more')],
});

function together(trials: readonly Trial[]): Trial {
  return {
    members: Object.assign({}, ...trials.map(({ members }) => members)),
    about: trials.map(({ about }) => about).join('; '),
    asks: trials.flatMap(({ asks }) => asks),
  };
}

/** Sends the trial and says whether it was accepted; throws `Withheld` where that would spend a reserved call. */
async function place(talk: Talk, { members, about, asks }: Trial, reserved: number): Promise<boolean> {
  if (talk.callsLeft <= reserved) throw new Withheld('the last calls are kept for the controls', 'raise --max-calls');
  const json = { ...acceptedBase(talk, CREATE), ...members };
  return (await talk.send(talk.kit.request(CREATE, { json, asks, step: about, about }))).accepted;
}

/** Many, long, empty and non-ASCII variables. */
const THEMES = [
  ['many', '40 variables'],
  ['long', 'a variable of 5,000 characters'],
  ['characters', 'variables with exotic names and values'],
  ['null-character', 'a variable with U+0000'],
] as const;

function variablesOf(kit: Kit, [theme, label]: (typeof THEMES)[number]): Trial {
  return { members: { variables: variables(kit, [theme]) }, about: label, asks: [gapAsk(BOUNDS, label)] };
}

function allVariables(kit: Kit): Trial {
  const themes = THEMES.map(([theme]) => theme);
  const label = 'many, long, empty and exotic variables';
  return {
    members: { variables: { ...variables(kit, themes), empty: '' } },
    about: label,
    asks: [gapAsk(BOUNDS, label)],
  };
}

/** Every other field, so that all of them come together once. */
function otherFields(base: JsonObject): Trial {
  const members = { application_id: null, trunk_id: null, privacy: true, ...base };
  return { members, about: 'all fields', asks: [] };
}

interface Trials {
  readonly all: readonly Trial[];
  readonly run: (talk: Talk, reserved: number) => Promise<void>;
}

/**
 * Everything in one call; where that is refused, what a narrower target takes, and then the rest one by one. Trials
 * that are refused cost no call.
 */
function trialsOf(kit: Kit): Trials {
  const [strange, common, full] = [unknownWords(), commonValues(), allVariables(kit)];
  const themes = THEMES.map((theme) => variablesOf(kit, theme));
  return {
    all: [full, strange, unknownMember(), ...common, ...themes],
    run: async (talk, reserved) => {
      const rest = otherFields(acceptedBase(talk, CREATE));
      if (await place(talk, together([rest, full, strange, unknownMember()]), reserved)) return;
      const isPlain = await place(talk, together([rest, full, ...common]), reserved);
      if (!isPlain)
        for (const trial of [full, together(common), ...themes, ...common]) await place(talk, trial, reserved);
      for (const trial of [strange, unknownMember()]) await place(talk, trial, reserved);
    },
  };
}

/** A call that bad credentials may need on an open call. */
const RESERVED = 1;

/** Behind the call that closes the bracket, unless what is left of the calls may still be needed. */
function early({ all, run }: Trials): Sequence {
  const asks = all.flatMap((trial) => trial.asks);
  return observation(CREATE, 'exotic values', asks, { lane: 'call' }, async (talk) => {
    if (talk.callsLeft > RESERVED) await run(talk, RESERVED);
    else talk.memory.isExoticDue = true;
  });
}

/** The last of the calls, once nothing else can need it. */
function late({ all, run }: Trials): Sequence {
  const asks = all.flatMap((trial) => trial.asks);
  const place = { lane: 'fallback', phase: 'fallback' } as const;
  const sequence = observation(CREATE, 'exotic values, late', [], place, async (talk) => {
    if (talk.memory.isExoticDue) await run(talk, 0);
  });
  return { ...sequence, maySettle: asks };
}

/** Create call with what only a target itself can say. */
export const OBSERVED_CALLS: Suite = {
  name: 'observed calls',
  sequences: (kit) => {
    if (!isObject(minimalCall(kit) ?? undefined)) return [];
    const trials = trialsOf(kit);
    return [early(trials), late(trials)];
  },
};
