/** Observations on create call: boundary values and accepted words, several in one call, split if it is rejected. */

import type { Ask } from '../../src/exchange/exchange.ts';
import { bytesWith, EDGE_MAPS } from '../../src/generate/edges.ts';
import { type JsonObject, type JsonValue, nested, withoutMember } from '../../src/generate/json.ts';
import { boundary, type RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence } from '../../src/run/sequence.ts';
import type { RunState } from '../../src/run/state.ts';
import { ask } from '../ask.ts';
import { acceptedBase, minimalCall } from '../bodies.ts';
import { CREATE } from '../operations.ts';
import { sequence } from '../sequences/sending.ts';
import { UNKNOWN_MEMBER, UNKNOWN_WORD } from './choices.ts';

/** What one call tries beyond the smallest body. */
interface Trial {
  /** What it asks of the gaps. */
  readonly asks: readonly Ask[];
  readonly about: string;
  readonly members: JsonObject;
  /** The boundary values that it sends, each a question to every invariant. */
  readonly values?: readonly string[];
  /** What it tries besides, and what need not be tried any more once it was accepted. */
  readonly tries?: readonly string[];
  readonly spares?: readonly string[];
  /** JSON texts of further members, as they are sent; `�` stands for a byte that is not UTF-8. */
  readonly texts?: Readonly<Record<string, string>>;
  /** All fields stand beside its members, except that those of the accepted body take their places. */
  readonly isFull?: true;
  /** It is for whatever parses the body, so that nothing need be dialled, and it may be repeated. */
  readonly isOfParser?: true;
}

const VALUES = [
  ['dtmf_mode', 'GAP-VALUES-DTMF-MODE', 'rfc2833'],
  ['media_encryption', 'GAP-VALUES-MEDIA-ENCRYPTION', 'none'],
  ['codecs', 'GAP-VALUES-CODECS', ['PCMU', 'PCMA']],
] as const;

const COMMON_VALUES: readonly Trial[] = VALUES.map(([name, gap, value]) => {
  const label = String(value);
  const about = `${name}: ${label}`;
  return { members: { [name]: value }, about, asks: [ask(gap, label)], tries: [about] };
});

/** A target that accepts any word accepts these, too. */
const COMMON = COMMON_VALUES.map(({ about }) => about);

const UNKNOWN_WORDS: Trial = {
  members: { dtmf_mode: UNKNOWN_WORD, media_encryption: UNKNOWN_WORD, codecs: [UNKNOWN_WORD, `${UNKNOWN_WORD}-2`] },
  about: 'unknown words',
  asks: VALUES.map(([, gap]) => ask(gap, 'any word')),
  tries: ['unknown words'],
  spares: COMMON,
};

const UNUSUAL_TEXT = `it's "quoted" \\ Grüße aus 東京 😀 ${'x'.repeat(300)}`;

/** One boundary value. */
const word = (about: string, members: JsonObject): Trial => ({ members, about, asks: [], values: [about] });

const UNKNOWN: Trial = {
  ...word('one member more', { [UNKNOWN_MEMBER]: UNKNOWN_WORD }),
  asks: [ask('GAP-UNKNOWN-MEMBERS', 'one member more')],
};

const SURROGATE_WORD = word('codecs with an unpaired surrogate', { codecs: ['a\ud800b'] });
/** All but an unpaired surrogate, which many parsers of JSON reject, and U+0000, which many databases do. */
const WORDS = [
  word('dtmf_mode long, of unusual characters', { dtmf_mode: UNUSUAL_TEXT }),
  // Its long word is in another call: `EMPTY_WORDS`.
  word('media_encryption empty', { media_encryption: '' }),
  word('codecs of unusual characters', { codecs: [UNUSUAL_TEXT] }),
  word('codecs with an empty word', { codecs: [''] }),
];
const NULL_WORD = word('codecs with U+0000', { codecs: ['a\u0000b'] });
const WITH_NULL = [...WORDS, NULL_WORD];
const ALL_WORDS = [...WITH_NULL, SURROGATE_WORD];

/** Words in one body; their codecs stand in one list. */
function allWords(words: readonly Trial[]): Trial {
  const { members, ...rest } = inOneCall(words);
  const codecs = words.flatMap((one) => one.members['codecs'] ?? []);
  return {
    ...rest,
    members: { ...members, codecs },
    about: 'long words of unusual characters',
    asks: UNKNOWN_WORDS.asks,
    tries: ['unknown words'],
    spares: COMMON,
  };
}

/** The same where an unknown word is rejected: each word that a lenient target takes alone would cost a call. */
const wordsAlone = (words: readonly Trial[], about: string): Trial => {
  return { ...allWords(words), about, asks: [], tries: [] };
};

/** A target that enumerates the other words may take any codec: four calls fewer. */
const CODECS = ALL_WORDS.filter(({ members }) => 'codecs' in members);

const arrays = (levels: number): JsonObject => ({ [UNKNOWN_MEMBER]: JSON.parse(nested(levels)) });
const DEEPER: Trial = { ...word('arrays 2,000 deep in a further member', arrays(2_000)), isOfParser: true };

/** Empty values of the other fields, a long one of this, and a deep one. */
export const EMPTY_WORDS: readonly Trial[] = [
  word('dtmf_mode empty', { dtmf_mode: '' }),
  word('codecs empty', { codecs: [] }),
  word('media_encryption of 5,000 characters', { media_encryption: 'x'.repeat(5_000) }),
  word('arrays 400 deep in a further member', arrays(400)),
];

/** Nearly every target rejects a body that is not UTF-8, so that this costs no call. */
const NOT_UTF8: Trial = {
  ...word('a variable that is not UTF-8', {}),
  texts: { variables: '{"key":"a�b"}' },
  isOfParser: true,
};

/** Nearly every target rejects the empty id, so that this costs no call; what breaks on the others breaks all the same. */
const EMPTY = word('application_id empty', { application_id: '' });

function inOneCall(trials: readonly Trial[]): Trial {
  return {
    members: Object.assign({}, ...trials.map(({ members }) => members)),
    texts: Object.assign({}, ...trials.map(({ texts = {} }) => texts)),
    about: trials.map(({ about }) => about).join('; '),
    asks: trials.flatMap(({ asks }) => asks),
    values: trials.flatMap(({ values = [] }) => values),
    tries: trials.flatMap(({ tries = [] }) => tries),
    spares: trials.flatMap(({ spares = [] }) => spares),
  };
}

type Theme = keyof typeof EDGE_MAPS;

/** Many, long and non-ASCII variables. */
const THEMES = [
  ['many', '40 variables'],
  ['long', 'a variable of 5,000 characters'],
  ['characters', 'variables with boundary names and values'],
  ['null-character', 'a variable with U+0000'],
  ['surrogate', 'a variable with an unpaired surrogate'],
] as const satisfies readonly (readonly [Theme, string])[];

type Themes = readonly (typeof THEMES)[number][];

function variables(...themes: Themes): JsonObject {
  // Two themes use the same name for their only pair.
  const named = (key: string, at: number): string => (key === 'key' ? `key of ${at}` : key);
  return Object.fromEntries(
    themes.flatMap(([theme], at) => Object.entries(EDGE_MAPS[theme]).map(([key, text]) => [named(key, at), text])),
  );
}

const bounds = (variablesOf: JsonObject, about: string): Trial => ({
  members: { variables: variablesOf },
  about,
  asks: [ask('GAP-FIELD-BOUNDS', about)],
});

const labelsOf = (themes: Themes): readonly string[] => themes.map(([, label]) => label);

/** What boundary values under plain names try: a target may limit the names and the number of variables. */
const underPlainNames = (themes: Themes): readonly string[] =>
  labelsOf(themes).map((label) => `${label}, under a plain name`);

const several = (themes: Themes, about: string): Trial => {
  const spares = underPlainNames(themes);
  return { ...bounds({ ...variables(...themes), empty: '' }, about), values: labelsOf(themes), spares };
};

/** Six boundary values under typical names. */
function plainlyNamed(themes: Themes, about: string): Trial {
  const values = themes.flatMap(([theme]) => Object.values<JsonValue>(EDGE_MAPS[theme]));
  const texts = [...new Set(['', 'x'.repeat(300), 'plain', ...values])];
  const members = Object.fromEntries(texts.map((text, at) => [`key${at}`, text]));
  return { ...bounds(members, about), tries: underPlainNames(themes) };
}

/** Several trials in one call with all fields. */
const fully = (...trials: readonly Trial[]): Trial => {
  return { ...inOneCall([{ members: {}, about: 'all fields', asks: [] }, ...trials]), isFull: true };
};

const PAIRED = THEMES.filter(([theme]) => theme !== 'surrogate');
/** A target that keeps its texts in a database often rejects U+0000, and nothing else. */
const WITHOUT_NULL = THEMES.filter(([theme]) => theme !== 'null-character');
const IN_ANY_PARSER = PAIRED.filter((one) => WITHOUT_NULL.includes(one));
const IN_NAMES = THEMES.filter(([theme]) => theme === 'characters' || theme === 'null-character');

const FULL = several(THEMES, 'many, long, empty and boundary variables');
const NO_SURROGATE = several(PAIRED, 'many, long, empty and boundary variables, each surrogate paired');
const MOST = several(WITHOUT_NULL, 'many, long, empty and boundary variables, none with U+0000');
const PLAIN = several(IN_ANY_PARSER, 'many, long, empty and boundary variables, each surrogate paired, no U+0000');
const NAMED = plainlyNamed(IN_NAMES, 'boundary values under plain names');
const STRICT = plainlyNamed(IN_NAMES.slice(0, 1), 'boundary values under plain names, none with U+0000');

const EVERYTHING = fully(FULL, allWords(ALL_WORDS), UNKNOWN);

/**
 * Everything in one call; if that is rejected, the values that a stricter target accepts, then the rest one by one. Several
 * values are sent together while two of them or more were not accepted yet, and a single one while it was not.
 */
const STEPS: readonly Trial[] = [
  // Nearly every target rejects these: they need no call, but one that may be placed.
  DEEPER,
  NOT_UTF8,
  EMPTY,
  EVERYTHING,
  fully(NO_SURROGATE, allWords(WITH_NULL), UNKNOWN),
  fully(FULL, ...COMMON_VALUES),
  fully(FULL),
  fully(MOST, allWords([...WORDS, SURROGATE_WORD])),
  fully(PLAIN, allWords(WORDS)),
  fully(MOST),
  fully(PLAIN),
  fully(NAMED),
  fully(STRICT),
  ...THEMES.map((one): Trial => ({ ...bounds(variables(one), one[1]), values: [one[1]] })),
  inOneCall(COMMON_VALUES),
  ...COMMON_VALUES,
  UNKNOWN_WORDS,
  UNKNOWN,
  wordsAlone(ALL_WORDS, 'long words of unusual characters'),
  wordsAlone(CODECS, 'codecs of each unusual kind'),
  ...WORDS,
  SURROGATE_WORD,
  NULL_WORD,
  inOneCall(EMPTY_WORDS.slice(0, -1)),
  ...EMPTY_WORDS,
];

const ALL_FIELDS: JsonObject = { application_id: null, trunk_id: null, privacy: true };

/** The accepted body that the members of a trial are put in. */
function bodyFor({ isFull, isOfParser }: Trial, base: JsonObject): JsonObject {
  if (isOfParser === true) return withoutMember(base, 'to');
  return isFull === true ? { ...base, ...ALL_FIELDS, ...base } : base;
}

const trialAsks = ({ asks, values = [] }: Trial): readonly Ask[] => [
  ...new Map([...asks, ...values.map(boundary)].map((one) => [`${one.id} ${one.variation}`, one])).values(),
];

/** Notes what an accepted call has tried. */
export function noteTried({ trials }: RunState, { values = [], tries = [], spares = [] }: Trial): void {
  for (const one of [...values, ...tries, ...spares]) trials.set(one, true);
}

/** In the phase for what a fragile target may die of. */
function step(trial: Trial): Sequence {
  const { members, texts = {}, about, values = [], tries = [] } = trial;
  const asks = trialAsks(trial);
  const more = trial === EVERYTHING ? { calls: 1 } : {};
  const place = { phase: 'hazards', ...more } as Partial<Sequence>;
  return sequence(CREATE, `boundary: ${about}`, { asks, ...place }, async (session) => {
    const { builder, state } = session;
    const all = [...values, ...tries];
    const open = all.filter((one) => state.trials.get(one) !== true);
    if (open.length < Math.min(all.length, 2)) return;
    const body = bytesWith({ ...bodyFor(trial, acceptedBase(session, CREATE)), ...members }, texts);
    const answer = await session.send(builder.request(CREATE, { body, asks, about }));
    if (answer.accepted) noteTried(state, trial);
  });
}

/** Boundary values and words on create call. */
export const observedCalls = (builder: RequestBuilder): readonly Sequence[] =>
  minimalCall(builder) === null ? [] : STEPS.map(step);
