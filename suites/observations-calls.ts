/** Observed on create call: exotic valid values and lists of accepted ones, several in a call (model, section 8). */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { type ExoticGroup, exoticGroups } from '../src/generate/exotic.ts';
import { isObject, type JsonObject } from '../src/generate/json.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
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
  ['codecs', 'GAP-VALUES-CODECS', ['PCMU', 'PCMA']],
] as const;

function unknownWords(): Trial {
  const members = {
    dtmf_mode: UNKNOWN_WORD,
    media_encryption: UNKNOWN_WORD,
    codecs: [UNKNOWN_WORD, `${UNKNOWN_WORD}-2`],
  };
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

function severalVariables(kit: Kit, themes: readonly (typeof THEMES)[number][], label: string): Trial {
  const names = themes.map(([theme]) => theme);
  return {
    members: { variables: { ...variables(kit, names), empty: '' } },
    about: label,
    asks: [gapAsk(BOUNDS, label)],
  };
}

/** Exotic values under plain names, half a dozen of them: for whoever is strict about names and numbers of variables. */
function plainlyNamed(kit: Kit, themes: readonly (typeof THEMES)[number][], label: string): Trial {
  const values = themes.flatMap((theme) => Object.values(Object(variables(kit, [theme[0]]))));
  const texts = [...new Set(['', 'x'.repeat(300), 'plain', ...values])];
  const members = { variables: Object.fromEntries(texts.map((text, at) => [`key${at}`, String(text)])) };
  return { members, about: label, asks: [gapAsk(BOUNDS, label)] };
}

/** Every other field, so that all of them come together once. */
function otherFields(base: JsonObject): Trial {
  const members = { application_id: null, trunk_id: null, privacy: true, ...base };
  return { members, about: 'all fields', asks: [] };
}

/** A trial that is made unless one of those before it that hold it was accepted. */
interface Step {
  readonly name: string;
  readonly trial: Trial;
  readonly unless: readonly string[];
}

/** Everything in one call; where that is refused, what a narrower target takes, and the rest one by one. */
function stepsOf(kit: Kit, rest: Trial): readonly Step[] {
  const [strange, common, member] = [unknownWords(), commonValues(), unknownMember()];
  const full = severalVariables(kit, THEMES, 'many, long, empty and exotic variables');
  // A target that keeps its texts in a database often refuses U+0000, and nothing else.
  const most = severalVariables(
    kit,
    THEMES.filter(([theme]) => theme !== 'null-character'),
    'many, long, empty and exotic variables, none with U+0000',
  );
  const inNames = THEMES.filter(([theme]) => theme === 'characters' || theme === 'null-character');
  const named = plainlyNamed(kit, inNames, 'exotic values under plain names');
  const strict = plainlyNamed(kit, inNames.slice(0, 1), 'exotic values under plain names, none with U+0000');
  const withFull = ['everything', 'common', 'full'];
  return [
    { name: 'everything', trial: together([rest, full, strange, member]), unless: [] },
    { name: 'common', trial: together([rest, full, ...common]), unless: ['everything'] },
    { name: 'full', trial: together([rest, full]), unless: withFull },
    { name: 'most', trial: together([rest, most]), unless: withFull },
    { name: 'named', trial: together([rest, named]), unless: withFull },
    { name: 'strict', trial: together([rest, strict]), unless: [...withFull, 'most', 'named'] },
    ...THEMES.map((theme): Step => {
      const isNull = theme[0] === 'null-character';
      return { name: theme[0], trial: variablesOf(kit, theme), unless: [...withFull, ...(isNull ? [] : ['most'])] };
    }),
    { name: 'values', trial: together(common), unless: ['everything', 'common'] },
    ...common.map((trial): Step => ({ name: trial.about, trial, unless: ['everything', 'common', 'values'] })),
    { name: 'strange', trial: strange, unless: ['everything'] },
    { name: 'member', trial: member, unless: ['everything'] },
  ];
}

/** Makes the trials that are still to be made, as long as more calls are left than are reserved; whether all are done. */
async function carryOn(talk: Talk, reserved: number): Promise<boolean> {
  const { kit, memory } = talk;
  const base = acceptedBase(talk, CREATE);
  for (const { name, trial, unless } of stepsOf(kit, otherFields(base))) {
    if (memory.exotic.has(name) || unless.some((other) => memory.exotic.get(other) === true)) continue;
    if (talk.callsLeft <= (memory.isExoticCut ? 0 : reserved)) return false;
    const { asks, about } = trial;
    const json = { ...base, ...trial.members };
    const answer = await talk.send(kit.request(CREATE, { json, asks, step: about, about }));
    // Cut off, the same is asked again at once: what a network does once, a service does each time.
    memory.isExoticCut = answer.status === null;
    if (memory.isExoticCut) return true;
    memory.exotic.set(name, answer.accepted);
  }
  return true;
}

/** A call that bad credentials may need on an open call. */
const RESERVED = 1;
const MORE_CALLS = 'raise --max-calls';

/** Behind the call that closes the bracket, as far as what is left of the calls cannot be needed. */
function early(asks: readonly string[]): Sequence {
  return observation(CREATE, 'exotic values', asks, { lane: 'call' }, async (talk) => {
    talk.memory.isExoticDue = !(await carryOn(talk, RESERVED));
    if (talk.memory.isExoticDue) throw new Withheld('the last calls are kept for the controls', MORE_CALLS);
  });
}

/** The last of the calls, once nothing else can need it. */
function late(asks: readonly string[]): Sequence {
  const place = { lane: 'fallback', phase: 'fallback' } as const;
  const sequence = observation(CREATE, 'exotic values, late', [], place, async (talk) => {
    if (!talk.memory.isExoticDue || (await carryOn(talk, 0))) return;
    throw new Withheld('the calls were spent on other values', MORE_CALLS);
  });
  return { ...sequence, maySettle: asks };
}

/** Create call with what only a target itself can say. */
export const OBSERVED_CALLS: Suite = {
  name: 'observed calls',
  sequences: (kit) => {
    if (!isObject(minimalCall(kit) ?? undefined)) return [];
    const asks = stepsOf(kit, otherFields({})).flatMap(({ trial }) => trial.asks);
    return [early([...new Set(asks)]), late([...new Set(asks)])];
  },
};
