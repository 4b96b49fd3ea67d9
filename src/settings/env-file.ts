/**
 * Reads `.env` text. Tools differ in what they cut, expand or unescape, so that a value of ours is either taken exactly as it is
 * written or is an error.
 */

import { UsageError } from '../contract/usage-error.ts';
import type { Variables } from './environment.ts';
import type { Kind } from './kinds.ts';

/** What a text sets, and its errors, such as a value that another tool would read otherwise than it was written. */
export interface EnvFile {
  readonly values: Variables;
  readonly errors: readonly UsageError[];
  /** The settings that errors name: no other error is added for them. */
  readonly wrong: ReadonlySet<string>;
}

/** What is wrong with a value, as a clause, and what to write, as an imperative. */
type Wrong = readonly [problem: string, remedy: string];

const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=(.*)$/;
/** A text in quotes from its first mark to its last, which may stand on a later line. */
const QUOTED = /^(["'`])(?:\\\1|(?!\1).)*\1/s;
/** What begins within the quotes of another line, where their end was forgotten. */
const OURS_BELOW = /\n[ \t]*(?:export[ \t]+)?(PCS_\w+)[ \t]*=/;
/** A reference in the environment, where nothing can be quoted: a password may contain `$x`. */
const REFERENCE = /\$\{|^\$\w+$|^\$\(\w+\)$|^%\w+%$/;

const QUOTE_IT = 'put the whole value in single quotes';
const REMOVE_IT = `remove it, or ${QUOTE_IT}`;
const MOVE_IT = `${QUOTE_IT}, or move the comment to a line of its own`;
const CLOSE_THEM = 'close them at the end, or use quotes of another kind';

/** What other tools, or a reader, would change in a value, by what stands behind the equals sign. */
const AMBIGUOUS: readonly (readonly [RegExp, ...Wrong])[] = [
  [/\ufffd/, 'is not text in UTF-8', 'save the file as UTF-8'],
  [/^"[\s\S]*\\[nr]/, 'has \\n or \\r in double quotes, which would become a line end', QUOTE_IT],
  [/^(?!["'`]).*#/, 'has a # without quotes, which would cut the value', MOVE_IT],
  [/^(?!["'`]).*[ \t]$/, 'ends with a blank, which would be dropped', REMOVE_IT],
  [/^(?!["'`]).*(?:[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs})/u, 'contains an invisible character', REMOVE_IT],
];
/** The same where no shell reads the value. */
const OF_NO_COMMAND: typeof AMBIGUOUS = [
  [/^(?:'(?![^']*'$)|"(?![^"]*"$)|`(?![^`]*`$))/, 'has quotes that do not enclose the value', CLOSE_THEM],
  [
    /^(?!["'`])(?:[“”„‟«»‘’‚‹›]|.*["'`“”„‟«»‘’‚‹›]$)/,
    'begins or ends with a quotation mark that encloses nothing',
    REMOVE_IT,
  ],
  [
    /^(?!['`])[\s\S]*\$[{(A-Za-z_]|^"?%\w+%"?$/,
    'contains the name of another variable, which would not be expanded',
    `write the value itself, or ${QUOTE_IT}`,
  ],
];

/** Says that a value from elsewhere still holds the name of another variable; commands are expanded by their shell. */
export function unexpanded(text: string, { expands }: Kind<unknown>): Wrong | null {
  if (expands === true || !REFERENCE.test(text)) return null;
  return ['contains the name of another variable, which nothing has expanded', 'write the value itself'];
}

/** What the text of a file sets, with an error for each line of it that sets nothing and each value of ours that is ambiguous. */
export function readEnvFile(text: string, file: string, kinds: ReadonlyMap<string, Kind<unknown>>): EnvFile {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const errors: UsageError[] = [];
  const wrong = new Set<string>();
  const values: Record<string, string> = {};
  const lineOf: Record<string, number> = {};
  for (let at = 0; at < lines.length; at += 1) {
    const [line = '', number] = [lines[at], at + 1];
    const complain = (name: string | undefined, problem: string, remedy: string): void => {
      if (name !== undefined) wrong.add(name);
      const setting = name === undefined ? '' : ` (${name})`;
      errors.push(new UsageError(`Line ${number} of ${file}${setting} ${problem}`, remedy));
    };
    if (/^[ \t]*(?:#|$)/.test(line)) continue;
    const [, name, rest = ''] = LINE.exec(line) ?? [];
    if (name === undefined) {
      // Nothing else of the line is shown: it may be a secret.
      const ours = /\bPCS_[A-Z_]+/.exec(line)?.[0] ?? '';
      if (kinds.has(ours)) complain(ours, 'is not NAME=value', `write it as ${ours}=value`);
      else complain(undefined, 'is not NAME=value', 'correct or remove it');
      continue;
    }
    const below = [rest.replace(/^[ \t]+/, ''), ...lines.slice(at + 1)].join('\n');
    const quoted = QUOTED.exec(below)?.[0] ?? '';
    const isOurs = name.startsWith('PCS_');
    const isWhole = quoted !== '' && /^[ \t]*(?:\n|$|[ \t]#)/.test(below.slice(quoted.length));
    if (isWhole || !isOurs) at += quoted.split('\n').length - 1;
    const isComment = /^[ \t]+#/.test(rest);
    const written = isWhole ? quoted : isComment ? '' : (below.split('\n', 1)[0] ?? '');
    const value = isWhole ? quoted.slice(1, -1) : written;
    const swallowed = OURS_BELOW.exec(quoted)?.[1];
    if (swallowed !== undefined) {
      complain(name, `has quotes that are still open where ${swallowed} begins`, 'close them');
    } else if (isOurs) {
      const checks = kinds.get(name)?.expands === true ? AMBIGUOUS : [...AMBIGUOUS, ...OF_NO_COMMAND];
      const found = checks.find(([pattern]) => pattern.test(written));
      if (found !== undefined) complain(name, found[1], found[2]);
      const earlier = lineOf[name];
      if (earlier !== undefined && values[name] !== value) {
        complain(name, `sets another value than line ${earlier}`, 'keep one of them');
      }
      lineOf[name] = number;
    }
    values[name] = value;
  }
  return { values, errors, wrong };
}
