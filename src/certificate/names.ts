/** Names of implementations and vendors: signed, printed on terminals and pages, and compared by eye. */

/** A name is written in one of these scripts alone; Japanese and Korean use several at once. */
const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Bengali', 'Gurmukhi'],
  ...['Gujarati', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Ethiopic'],
].map((script) => [script]);
const MIXED = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];

/** Digits and signs that every script uses, and spaces between words. */
const COMMON = "0-9 .,_+&()'/:#!-";

/** What matches the names in some scripts, and the first of these. */
const ALPHABETS = [...SCRIPTS, ...MIXED].map((scripts) => {
  const letters = scripts.map((script) => `\\p{scx=${script}}`).join('');
  return [new RegExp(`^(?:[${COMMON}]|(?=[${letters}])[\\p{L}\\p{M}\\p{Nd}])+$`, 'u'), scripts[0]] as const;
});

const MOST_CHARACTERS = 100;
const MOST_MARKS = /\p{M}{4}/u;

/** What makes a name unfit, as the end of a sentence that begins with what it is the name of; `null` if nothing. */
export function nameProblem(name: string): string | null {
  if (name === '' || name.length > MOST_CHARACTERS) return `has not between 1 and ${MOST_CHARACTERS} characters`;
  if (name !== name.trim() || name.includes('  ')) return 'has spaces at an end or in a row';
  // Also rejects letters that only look like others: full-width, mathematical, ligatures.
  if (name !== name.normalize('NFKC')) return 'is not in its normal form (NFC, without compatibility characters)';
  if (MOST_MARKS.test(name) || /^\p{M}/u.test(name)) return 'has more marks than letters carry';
  if (ALPHABETS.some(([alphabet]) => alphabet.test(name))) return null;
  return "holds more than letters and digits of one script, spaces and . , _ + & ( ) ' / : # ! -";
}

const LATIN = /^[\p{scx=Latin}\p{scx=Common}]*$/u;

/** The script of a name in other letters than Latin ones, which may look like them; `null` for Latin. */
export function otherScript(name: string): string | null {
  if (LATIN.test(name)) return null;
  return ALPHABETS.find(([alphabet, script]) => script !== 'Latin' && alphabet.test(name))?.[1] ?? null;
}
