/** Observed on create call: exotic valid values and lists of accepted ones, several in a call (model, section 8). */

import { Withheld } from '../src/client/stimulus.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import type { Kit } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import type { Sequence, Talk } from '../src/engine/sequence.ts';
import { type ExoticGroup, exoticGroups } from '../src/generate/exotic.ts';
import { isObject, type JsonObject } from '../src/generate/json.ts';
import { minimalCall } from './bases.ts';
import { callOptions } from './calls.ts';
import { acceptedBase, gapAsk, observation, UNKNOWN_MEMBER, UNKNOWN_WORD } from './observation.ts';

const CREATE = 'createCall';
/** Calls that later controls may need. */
const RESERVED = 2;
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

async function place(talk: Talk, { members, about, asks }: Trial): Promise<boolean> {
  if (talk.callsLeft <= RESERVED) throw new Withheld('the last calls are kept for the controls', 'raise --max-calls');
  const json = { ...acceptedBase(talk, CREATE), ...members };
  return (await talk.send(talk.kit.request(CREATE, { json, asks, step: about, about }))).accepted;
}

const asksOf = (trials: readonly Trial[]): readonly string[] => trials.flatMap(({ asks }) => asks);

function observing(label: string, trials: readonly Trial[], run: (talk: Talk) => Promise<void>): Sequence {
  return observation(CREATE, label, asksOf(trials), { lane: 'call' }, run);
}

/** Many, long, empty and non-ASCII variables in one call; alone only where they were refused together. */
function plentiful(kit: Kit): Sequence {
  const themes = [
    ['many', '40 variables'],
    ['long', 'a variable of 5,000 characters'],
    ['characters', 'variables with exotic names and values'],
  ] as const;
  const trials = themes.map(
    ([theme, label]): Trial => ({
      members: { variables: variables(kit, [theme]) },
      about: label,
      asks: [gapAsk(BOUNDS, label)],
    }),
  );
  const all: Trial = {
    members: {
      variables: {
        ...variables(
          kit,
          themes.map(([theme]) => theme),
        ),
        empty: '',
      },
    },
    about: 'exotic variables',
    asks: [gapAsk(BOUNDS, 'many, long, empty and exotic variables')],
  };
  return observing('exotic variables', [all, ...trials], async (talk) => {
    if (await place(talk, all)) return;
    for (const trial of trials) if (await place(talk, trial)) return;
  });
}

/** Unknown words, a member more and U+0000 in one call; where they are refused, common values, and the rest alone. */
function words(kit: Kit): Sequence {
  const nul: Trial = {
    members: { variables: variables(kit, ['null-character']) },
    about: 'a variable with U+0000',
    asks: [gapAsk(BOUNDS, 'a variable with U+0000')],
  };
  const strange = [unknownWords(), unknownMember(), nul];
  const common = commonValues();
  const rest: Trial = {
    members: { application_id: null, trunk_id: null, privacy: true },
    about: 'all fields',
    asks: [],
  };
  return observing('values and U+0000', [...strange, ...common], async (talk) => {
    const base = acceptedBase(talk, CREATE);
    if (await place(talk, together([rest, { ...rest, members: base, about: 'at once' }, ...strange]))) return;
    if (!(await place(talk, together(common)))) for (const trial of common) await place(talk, trial);
    await place(talk, unknownMember());
    await place(talk, nul);
  });
}

/** Create call with what only a target itself can say; behind the call that closes the bracket. */
export const OBSERVED_CALLS: Suite = {
  name: 'observed calls',
  sequences: (kit) => (isObject(minimalCall(kit) ?? undefined) ? [plentiful(kit), words(kit)] : []),
};
