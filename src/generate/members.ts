/** The members of a JSON object's text, as they are written. */

/** One top-level member: its name, the text of its value, and the text of both with the name as it is written. */
export interface WrittenMember {
  readonly name: string;
  readonly writtenName: string;
  readonly writtenValue: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const DEEPER: ReadonlySet<string> = new Set(['{', '[']);
const SHALLOWER: ReadonlySet<string> = new Set(['}', ']']);

/** The top-level members of an object's text in their order; throws where the text is no JSON object. */
export function writtenMembers(text: string): readonly WrittenMember[] {
  const object: unknown = JSON.parse(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new RangeError('no JSON object');
  return splitAtCommas(text).map((tokens) => {
    const [writtenName = '', , ...value] = tokens;
    return { name: String(JSON.parse(writtenName)), writtenName, writtenValue: value.join('') };
  });
}

/** The tokens of each member: name, colon, then those of the value. */
function splitAtCommas(text: string): readonly (readonly string[])[] {
  const members: string[][] = [];
  let depth = 0;
  let current: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (SHALLOWER.has(token)) depth -= 1;
    const ends = (depth === 1 && token === ',') || depth === 0;
    if (ends && current.length > 0) members.push(current);
    if (ends) current = [];
    else current.push(token);
    if (DEEPER.has(token)) depth += 1;
  }
  return members;
}

/** A member's text. */
export function written({ writtenName, writtenValue }: Pick<WrittenMember, 'writtenName' | 'writtenValue'>): string {
  return `${writtenName}:${writtenValue}`;
}
