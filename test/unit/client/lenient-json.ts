/**
 * A reader that accepts nearly everything as JSON: names and values bare or in either quotes, comments, commas too many
 * or missing, no end, anything in front. It gives every member that it meets, in order, duplicates included.
 */

type Pair = readonly [name: string, value: unknown];

const STRING = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/sy;
const BARE = /[^\s"'{}[\]:,=&]+/y;
const BLANK = /(?:\s|\/\*.*?\*\/|\/\/[^\n]*|,)*/sy;

/** The members of a text at any depth. */
export function lenientMembers(text: string): readonly Pair[] {
  return new LenientReader(text).all();
}

class LenientReader {
  readonly #text: string;
  readonly #members: Pair[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): readonly Pair[] {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      this.#item();
      // A character that begins nothing is skipped.
      if (this.#match(/[}\]:=&]/y) === null && this.#at === start) this.#at += 1;
    }
    return this.#members;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0] ?? null;
    if (match !== null) this.#at += match.length;
    return match;
  }

  /** A value, or a member where a colon follows the first scalar. */
  #item(): unknown {
    this.#match(BLANK);
    const name = this.#scalar();
    if (name === undefined) return this.#container();
    this.#match(BLANK);
    if (this.#match(/:|=>?/y) === null) return name;
    const value = this.#value();
    this.#members.push([String(name), value]);
    return undefined;
  }

  #value(): unknown {
    this.#match(BLANK);
    const scalar = this.#scalar();
    return scalar === undefined ? this.#container() : scalar;
  }

  #container(): unknown {
    const opening = this.#match(/[{[]/y);
    if (opening === null) return undefined;
    if (this.#depth > 500) return undefined;
    this.#depth += 1;
    const before = this.#members.length;
    const items: unknown[] = [];
    while (this.#at < this.#text.length && this.#match(/[}\]]/y) === null) {
      const start = this.#at;
      const item = this.#item();
      if (item !== undefined) items.push(item);
      if (this.#at === start) this.#match(/[^}\]]/sy);
      this.#match(BLANK);
    }
    this.#depth -= 1;
    if (opening === '[') return items;
    return Object.fromEntries(this.#members.slice(before).map(([name], at) => [`${at} ${name}`, true]));
  }

  #scalar(): unknown {
    const quoted = this.#match(STRING);
    if (quoted !== null) return unquoted(quoted);
    const bare = this.#match(BARE);
    if (bare === null) return undefined;
    if (bare === 'null' || bare === 'true' || bare === 'false') return bare === 'null' ? null : bare === 'true';
    return bare;
  }
}

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' };

function unquoted(text: string): string {
  const quote = text[0] ?? '"';
  const inner = text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text.slice(1);
  return inner.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_all, four, two, one) =>
    one === undefined
      ? String.fromCharCode(Number.parseInt(four ?? two, 16))
      : (SHORT[one] ?? (one === '\n' ? '' : one)),
  );
}
