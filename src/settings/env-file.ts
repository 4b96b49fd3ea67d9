/** Reads `.env` text with dotenv, and compares what dotenv made of each line of ours with the line itself. */

import { parse } from 'dotenv';
import { UsageError } from '../contract/usage-error.ts';
import type { Variables } from './environment.ts';
import type { Kind } from './kinds.ts';

/** The values that a text sets, and its errors, such as a value that dotenv would alter. */
export interface EnvFile {
  readonly values: Variables;
  readonly errors: readonly UsageError[];
  /** The settings named in errors: no further error is reported for them. */
  readonly wrong: ReadonlySet<string>;
}

/** The kinds of our settings by variable: they decide whether a dropped part could belong to a value. */
type Kinds = ReadonlyMap<string, Kind<unknown>>;

/** A line as dotenv reads it: a name, and a value that may be quoted and then have several lines. */
const LINE =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/dgm;

/** A line that names one of our settings in another form: `set PCS_SEED=7`, `$env:PCS_SEED = 7`, `PCS_SEED: 7`. */
const OUR_SETTING = /\bPCS_[A-Z_]+/;

/** A reference to another variable, which dotenv leaves as it is and other tools expand. */
const REFERENCE = /\$[{(A-Za-z_]|^%\w+%$/;
/** The same in the environment, where values cannot be quoted: a password may contain `$x`. */
const WHOLE_REFERENCE = /\$\{|^\$\w+$|^\$\(\w+\)$|^%\w+%$/;

const QUOTE_IT = 'put the whole value in single quotes';

/** What is wrong with a value, as a clause, and what to write, as an imperative. */
type Wrong = readonly [problem: string, remedy: string];

/** Reports a value from elsewhere that still contains a variable's name; commands are expanded by their shell. */
export function unexpanded(text: string, { expands }: Kind<unknown>): Wrong | null {
  if (expands === true || !WHOLE_REFERENCE.test(text)) return null;
  return ['contains the name of another variable, which nothing has expanded', 'write the value itself'];
}

/** What dotenv reads from a file, with an error for each line it would ignore and each value it would alter. */
export function readEnvFile(text: string, file: string, kinds: Kinds): EnvFile {
  const lines = text.replace(/\r\n?/g, '\n');
  const errors: { readonly line: number; readonly error: UsageError }[] = [];
  const wrong = new Set<string>();
  const values: Record<string, string> = {};
  const lineOf: Record<string, number> = {};
  const lineAt = (at: number): number => lines.slice(0, at).split('\n').length;
  const complain = (line: number, name: string | undefined, [problem, remedy]: Wrong): void => {
    const setting = name === undefined ? '' : ` (${name})`;
    if (name !== undefined) wrong.add(name);
    errors.push({ line, error: new UsageError(`Line ${line} of ${file}${setting} ${problem}`, remedy) });
  };
  const rest = lines.replace(LINE, (found) => found.replace(/[^\n]/g, ''));
  for (const [at, line] of rest.split('\n').entries()) {
    if (!/^\s*(?:#|$)/.test(line)) complain(at + 1, settingNameIn(line, kinds), notALine(settingNameIn(line, kinds)));
  }
  for (const match of lines.matchAll(LINE)) {
    const name = match[1] ?? '';
    const [start = 0, end = 0] = match.indices?.[1] ?? [];
    const line = lineAt(start);
    const value = parse(match[0])[name] ?? '';
    const swallowed = /^\s*(?:export\s+)?(PCS_\w+)\s*=/m.exec(value.slice(value.indexOf('\n') + 1 || value.length));
    if (swallowed !== null) {
      complain(line, name, [`has quotes that are still open where ${swallowed[1]} begins`, 'close them']);
    } else if (/^PCS_/.test(name)) {
      const equals = /^[ \t]*=/.exec(lines.slice(end))?.[0].length;
      const from = end + (equals ?? 0);
      const lineEnd = lines.indexOf('\n', match.indices?.[2]?.[1] ?? from);
      const raw = lines.slice(from, lineEnd < 0 ? undefined : lineEnd).replace(/^[ \t]+/, '');
      const altered = equals === undefined ? notALine(name) : alteration(raw, value, kinds.get(name));
      if (altered !== null) complain(line, name, altered);
      const earlier = lineOf[name];
      if (earlier !== undefined && values[name] !== value) {
        complain(line, name, [`sets another value than line ${earlier}`, 'keep one of them']);
      }
      lineOf[name] = line;
    }
    values[name] = value;
  }
  return { values, wrong, errors: errors.sort((a, b) => a.line - b.line).map(({ error }) => error) };
}

/** The setting that a line names; the rest of the line may be a secret and is not shown. */
function settingNameIn(line: string, kinds: Kinds): string | undefined {
  const name = OUR_SETTING.exec(line)?.[0];
  return name !== undefined && kinds.has(name) ? name : undefined;
}

const notALine = (name: string | undefined): Wrong => [
  'is not NAME=value',
  name === undefined ? 'correct or remove it' : `write it as ${name}=value`,
];

/** How dotenv's value differs, or may differ, from the text behind the equals sign (`raw`). */
function alteration(raw: string, value: string, kind?: Kind<unknown>): Wrong | null {
  if (raw.includes('\ufffd')) return ['is not text in UTF-8', 'save the file as UTF-8'];
  const quote = /^["'`]/.exec(raw)?.[0];
  const isQuoted = quote !== undefined && raw.startsWith(quote + value + quote) && !value.includes(quote);
  if (isQuoted && /^(?:[ \t]*|[ \t]+#.*)$/.test(raw.slice(value.length + 2))) {
    return quote === '"' ? reference(value, kind) : null;
  }
  if (quote === '"' && /\\[nr]/.test(raw)) {
    return ['has \\n or \\r in double quotes, which would become a line end', QUOTE_IT];
  }
  const trimmed = raw.replace(/[ \t]+$/, '');
  const [isWhole, isCommand] = [value === trimmed, kind?.expands === true];
  if (quote !== undefined && !(isWhole && isCommand)) {
    return ['has quotes that do not enclose the value', 'close them at the end, or use quotes of another kind'];
  }
  if (!isWhole && !isComment(trimmed.slice(value.length), value === '' ? undefined : kind, [trimmed, value])) {
    return trimmed.slice(value.length).includes('#')
      ? ['has a # without quotes, which would cut the value', `${QUOTE_IT}, or move the comment to a line of its own`]
      : ['begins or ends with an invisible character', `remove it, or ${QUOTE_IT}`];
  }
  if (isWhole && raw !== trimmed && mayBoth(kind, [raw, value])) {
    return ['ends with a blank, which would be dropped', `remove it, or ${QUOTE_IT}`];
  }
  if (!isCommand && /["'`]$|^[“”„‟«»‘’‚‹›]|[“”„‟«»‘’‚‹›]$/.test(value)) {
    return ['begins or ends with a quotation mark that encloses nothing', `remove it, or ${QUOTE_IT}`];
  }
  if (/[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(value)) {
    return ['contains an invisible character', `remove it, or ${QUOTE_IT}`];
  }
  return reference(value, kind);
}

function reference(value: string, kind?: Kind<unknown>): Wrong | null {
  if (kind?.expands === true || !REFERENCE.test(value)) return null;
  return [
    'contains the name of another variable, which would not be expanded',
    `write the value itself, or ${QUOTE_IT}`,
  ];
}

/** Whether the part that was cut off is a comment: it has blanks around its #, and the setting could not hold it. */
function isComment(cut: string, kind: Kind<unknown> | undefined, both: readonly [string, string]): boolean {
  if (kind === undefined) return /^#(?:[ \t]|$)/.test(cut);
  return /^[ \t]+#(?:[ \t]|$)/.test(cut) && !mayBoth(kind, both);
}

/** Whether a setting can hold both texts, as different values. */
function mayBoth(kind: Kind<unknown> | undefined, texts: readonly [string, string]): boolean {
  if (kind === undefined) return true;
  const [first, second] = texts.map((text) => kind.read(text));
  return first !== undefined && 'value' in first && JSON.stringify(first) !== JSON.stringify(second);
}
