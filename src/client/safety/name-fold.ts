/** Names as the most forgiving reader takes them: letter case, look-alike characters and invisible ones count for nothing. */

/** The text in lower case, compatibility characters resolved, marks, control and invalid characters removed. */
export function foldName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{C}\p{M}\uFFFD]/gu, '')
    .toLowerCase();
}

/** What a name asks for: the called number, the calling number, or an id that a created call refers to. */
export type DialRole = 'to' | 'from' | 'id';

/**
 * The roles of a member name. `to` and `from` count wherever they stand as a word of their own (`call.to`, `to[]`),
 * `application_id` and `trunk_id` also when they end a longer name or are written without a separator.
 */
export function dialRoles(name: string): readonly DialRole[] {
  const readings = readingsOf(name).map((reading) => reading.split(/[^\p{L}\p{N}]+/u));
  const names = (word: string): boolean => readings.some((words) => words.includes(word) || words.join('') === word);
  const roles: DialRole[] = [];
  if (names('to')) roles.push('to');
  if (names('from')) roles.push('from');
  if (readings.some((words) => /(?:application|trunk)id$/.test(words.join('')))) roles.push('id');
  return roles;
}

/** Some readers keep nothing but ASCII, and what they drop may join two words or part them. */
function readingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return [foldName(text), lower.replace(/[^ -~]/g, ''), lower.replace(/[^ -~]/g, ' ')];
}

const MEMBER = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*[:=]/u;
const FORM_FIELD = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*=/u;
/** Escapes within escapes deeper than this are nobody's honest text. */
const MOST_LAYERS = 8;

/** Whether a text, read once more by someone, could hold a member or field named `to` or `from`. */
export function hidesMember(text: string): boolean {
  return /[:=%\\]|[^ -~]/.test(text) && somewhere(text, MEMBER);
}

/** Whether a text, read as an HTML form, could hold a field named `to` or `from`. */
export function hidesFormField(text: string): boolean {
  return /[=%]|[^\t\n\r -~]/.test(text) && somewhere(text, FORM_FIELD);
}

function somewhere(text: string, pattern: RegExp): boolean {
  let layer = text;
  for (let round = 0; round < MOST_LAYERS; round += 1) {
    if (readingsOf(layer).some((reading) => pattern.test(reading))) return true;
    const next = unescaped(layer);
    if (next === layer) return false;
    layer = next;
  }
  return true;
}

const ESCAPE = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)|((?:%[0-9a-f]{2})+)/gis;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_all, four?: string, two?: string, plain?: string, percent?: string) => {
    if (percent !== undefined) return Buffer.from(percent.replaceAll('%', ''), 'hex').toString('utf8');
    const code = four ?? two;
    return code === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(code, 16));
  });
}
