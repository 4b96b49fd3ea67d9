/** Observations on create call: boundary values and accepted words, several in one call, split if it is rejected. */

import { groupBy } from '../../src/contract/lists.ts';
import type { Ask } from '../../src/exchange/exchange.ts';
import { bytesWith, EDGE_MAPS } from '../../src/generate/edges.ts';
import {
  isArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nested,
  withoutMember,
} from '../../src/generate/json.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence } from '../../src/run/sequence.ts';
import type { RunState } from '../../src/run/state.ts';
import { boundary } from '../../src/verdict/boundary.ts';
import { ask } from '../ask.ts';
import { acceptedBase, asObject, minimalCall } from '../bodies.ts';
import { CREATE } from '../operations.ts';
import { sequence } from '../sequences/sending.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from './sent.ts';

/** What one call tries beyond the smallest body. */
interface CallTrial {
  readonly about: string;
  readonly members: JsonObject;
  /** What it asks about gaps, and each boundary value as a question to every invariant. */
  readonly asks: readonly Ask[];
  /** What it tries, and what its acceptance makes unnecessary to try. */
  readonly tries: readonly string[];
  readonly spares: readonly string[];
  /** JSON texts of further members, as they are sent; `�` stands for a byte that is not UTF-8. */
  readonly texts?: Readonly<Record<string, string>>;
  /** It tests the parser, so it need not dial anything, and it may be repeated. */
  readonly isOfParser?: true;
}

/** Trials for one call; if that is rejected, each part gets its own call. */
type Group = CallTrial | readonly Group[];

const KNOWN_VALUES = [
  ['dtmf_mode', 'GAP-VALUES-DTMF-MODE', 'rfc2833'],
  ['media_encryption', 'GAP-VALUES-MEDIA-ENCRYPTION', 'none'],
  ['codecs', 'GAP-VALUES-CODECS', ['PCMU', 'PCMA']],
] as const;

const trial = (about: string, members: JsonObject, asks: readonly Ask[], spares: readonly string[] = []): CallTrial => {
  return { about, members, asks, tries: [about], spares };
};

/** One boundary value. */
const word = (
  about: string,
  members: JsonObject,
  asks: readonly Ask[] = [],
  spares: readonly string[] = [],
): CallTrial => trial(about, members, [...asks, boundary(about)], spares);

const COMMON_VALUES = KNOWN_VALUES.map(([name, gap, value]) =>
  trial(`${name}: ${value}`, { [name]: value }, [ask(gap, String(value))]),
);

const UNKNOWN_WORDS = trial(
  'unknown words',
  { dtmf_mode: UNKNOWN_WORD, media_encryption: UNKNOWN_WORD, codecs: [UNKNOWN_WORD, `${UNKNOWN_WORD}-2`] },
  KNOWN_VALUES.map(([, gap]) => ask(gap, 'any word')),
  // A target that accepts any word accepts these, too.
  COMMON_VALUES.map(({ about }) => about),
);

const UNUSUAL_TEXT = `it's "quoted" \\ Grüße aus 東京 😀 ${'x'.repeat(300)}`;

const MORE = 'one member more';
const UNKNOWN = word(MORE, { [UNKNOWN_MEMBER]: UNKNOWN_WORD }, [ask('GAP-UNKNOWN-MEMBERS', MORE)]);

/** Words. The codecs are a group of their own: a target may enumerate the words of other members and take any codec. */
const WORDS = [
  word('dtmf_mode long, of unusual characters', { dtmf_mode: UNUSUAL_TEXT }),
  // Its long word is in another call: `EMPTY_WORDS`.
  word('media_encryption empty', { media_encryption: '' }),
  [
    word('codecs of unusual characters', { codecs: [UNUSUAL_TEXT] }),
    word('codecs with an empty word', { codecs: [''] }),
  ],
] as const satisfies Group;
const NULL_WORD = word('codecs with U+0000', { codecs: ['a\u0000b'] });
const SURROGATE_WORD = word('codecs with an unpaired surrogate', { codecs: ['a\ud800b'] });

const arrays = (levels: number): JsonObject => ({ [UNKNOWN_MEMBER]: JSON.parse(nested(levels)) });

/** Empty values of the other fields, and a long one. */
const EMPTY_FIELDS = [
  word('dtmf_mode empty', { dtmf_mode: '' }),
  word('codecs empty', { codecs: [] }),
  word('media_encryption of 5,000 characters', { media_encryption: 'x'.repeat(5_000) }),
];

/** The same, and a deep value. */
export const EMPTY_WORDS: readonly CallTrial[] = [
  ...EMPTY_FIELDS,
  word('arrays 400 deep in a further member', arrays(400)),
];

/** A boundary value may also be tried under a plain name: a target may limit the names of variables. */
const underPlainName = (label: string): string => `${label}, under a plain name`;

type Theme = keyof typeof EDGE_MAPS;

/** Many, long and non-ASCII variables. */
function variables(theme: Theme, label: string): CallTrial {
  // Three themes share a name.
  const named = `key of ${Object.keys(EDGE_MAPS).indexOf(theme)}`;
  const pairs = Object.entries(EDGE_MAPS[theme]).map(([key, text]) => [key === 'key' ? named : key, text]);
  return word(
    label,
    { variables: Object.fromEntries(pairs) },
    [ask('GAP-FIELD-BOUNDS', label)],
    [underPlainName(label)],
  );
}

const MANY = variables('many', '40 variables');
const LONG_VARIABLE = variables('long', 'a variable of 5,000 characters');
const BOUNDARY_VARIABLES = variables('characters', 'variables with boundary names and values');
const DELIMITER_VARIABLE = variables('delimiters', 'a variable with an apostrophe, a comma, braces, ${, < and &');
const NULL_CHARACTER = variables('null-character', 'a variable with U+0000');
const SURROGATE = variables('surrogate', 'a variable with an unpaired surrogate');
// Each alone: a target may reject the value, and break on the name that it does not check.
const NULL_NAME = variables('null-name', 'a variable with U+0000 in its name');
const SURROGATE_NAME = variables('surrogate-name', 'a variable with an unpaired surrogate in its name');

/** The same values under typical names. */
function plainlyNamed(theme: Theme, { about }: CallTrial): CallTrial {
  const texts = [...new Set(['', 'x'.repeat(300), 'plain', ...Object.values<JsonValue>(EDGE_MAPS[theme])])];
  const members = Object.fromEntries(texts.map((text, at) => [`key${at}`, text]));
  return trial(underPlainName(about), { variables: members }, [ask('GAP-FIELD-BOUNDS', underPlainName(about))]);
}

const trialsIn = (group: Group): readonly CallTrial[] => ('about' in group ? [group] : group.flatMap(trialsIn));

/** Two values of a member merged: pairs of a map and items of a list side by side. */
const joined = (a: JsonValue, b: JsonValue): JsonValue =>
  isArray(b) ? [a, b].flat() : isJsonObject(b) ? { ...asObject(a), ...b } : b;

function inOneCall(trials: readonly CallTrial[]): CallTrial {
  const all = trials.flatMap((trial) => Object.entries(trial.members));
  const byName = [...groupBy(all, ([name]) => name)];
  return {
    members: Object.fromEntries(byName.map(([name, same]) => [name, same.map(([, value]) => value).reduce(joined)])),
    about: trials.map(({ about }) => about).join('; '),
    asks: trials.flatMap(({ asks }) => asks),
    tries: trials.flatMap(({ tries }) => tries),
    spares: trials.flatMap(({ spares }) => spares),
  };
}

/** A group in one call, then each of its parts. */
const steps = (group: Group): readonly CallTrial[] =>
  'about' in group ? [group] : [inOneCall(trialsIn(group)), ...group.flatMap(steps)];

/** Many JSON parsers reject an unpaired surrogate, and many databases reject U+0000. */
const ODD: Group = [
  [SURROGATE, SURROGATE_WORD, SURROGATE_NAME],
  [NULL_CHARACTER, NULL_WORD, NULL_NAME],
];
const USUAL: Group = [[MANY, LONG_VARIABLE, BOUNDARY_VARIABLES, DELIMITER_VARIABLE], WORDS, UNKNOWN];

const VARIABLES_LABEL = 'many, long, empty and boundary variables';
const TOGETHER = inOneCall([
  ...[MANY, LONG_VARIABLE, BOUNDARY_VARIABLES, DELIMITER_VARIABLE],
  ...[NULL_CHARACTER, NULL_NAME, SURROGATE, SURROGATE_NAME],
  ...[...trialsIn(WORDS), NULL_WORD, SURROGATE_WORD, UNKNOWN],
]);

/** All fields and every boundary value, which most targets accept. */
const EVERYTHING: CallTrial = {
  ...TOGETHER,
  members: { ...TOGETHER.members, variables: { ...asObject(TOGETHER.members['variables'] ?? null), empty: '' } },
  about: `all fields; ${VARIABLES_LABEL}; long words of unusual characters; one member more`,
  asks: [
    ...[ask('GAP-FIELD-BOUNDS', VARIABLES_LABEL), ...UNKNOWN_WORDS.asks],
    ...TOGETHER.asks.filter(({ id }) => id !== 'GAP-FIELD-BOUNDS'),
  ],
  tries: [...TOGETHER.tries, ...UNKNOWN_WORDS.tries],
  spares: [...TOGETHER.spares, ...UNKNOWN_WORDS.spares],
};

/**
 * Everything in one call; if that is rejected, in smaller groups. Several values are sent together while at least two
 * are not accepted yet, and a single value while it is not.
 */
const STEPS: readonly CallTrial[] = [
  // Nearly every target rejects these, so they seldom place a call; what breaks on them is found all the same.
  { ...word('arrays 2,000 deep in a further member', arrays(2_000)), isOfParser: true },
  { ...word('a variable that is not UTF-8', {}), texts: { variables: '{"key":"a�b"}' }, isOfParser: true },
  word('application_id empty', { application_id: '' }),
  EVERYTHING,
  ...[USUAL, ODD, UNKNOWN_WORDS, COMMON_VALUES, EMPTY_FIELDS].flatMap(steps),
  ...EMPTY_WORDS.slice(EMPTY_FIELDS.length),
  plainlyNamed('characters', BOUNDARY_VARIABLES),
];

/** The accepted body plus the members of a trial; its own fields keep their values. */
function trialBody(trial: CallTrial, base: JsonObject): JsonObject {
  if (trial.isOfParser === true) return withoutMember(base, 'to');
  return trial === EVERYTHING ? { ...base, application_id: null, trunk_id: null, privacy: true, ...base } : base;
}

/** Notes what an accepted call tried. */
export function noteTried({ trials }: RunState, { tries, spares }: CallTrial): void {
  for (const value of [...tries, ...spares]) trials.set(value, true);
}

/** In the phase for inputs that may crash a fragile target. */
function step(trial: CallTrial): Sequence {
  const { members, texts = {}, about, asks, tries } = trial;
  const more = trial === EVERYTHING ? { calls: 1 } : {};
  const place = { phase: 'hazards', ...more } as Partial<Sequence>;
  return sequence(CREATE, `boundary: ${about}`, { asks, ...place }, async (session) => {
    const { builder, state } = session;
    const open = tries.filter((value) => state.trials.get(value) !== true);
    if (open.length < Math.min(tries.length, 2)) return;
    const body = bytesWith({ ...trialBody(trial, acceptedBase(session, CREATE)), ...members }, texts);
    const whole = state.triedTogether.findLast((call) => tries.every((value) => call.values.includes(value)));
    const partOf = whole === undefined ? {} : { partOf: whole.seq };
    const answer = await session.send(builder.request(CREATE, { body, asks, about, ...partOf }));
    if (answer.accepted) noteTried(state, trial);
    else if (tries.length > 1) state.triedTogether.push({ seq: answer.exchange.seq, values: tries });
  });
}

/** Boundary values and words on create call. */
export const observedCalls = (builder: RequestBuilder): readonly Sequence[] =>
  minimalCall(builder) === null ? [] : STEPS.map(step);
