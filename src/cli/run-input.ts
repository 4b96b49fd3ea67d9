/** Checks the input of `run` from a program: plain JavaScript has no compiler to find a wrong name or value. */

import { UsageError, unknownName } from '../contract/usage-error.ts';
import { isObject } from '../exchange/json-text.ts';
import { DEFAULTS } from '../run/options.ts';
import { demandLongNumber } from '../settings/kinds.ts';
import { parsed } from '../settings/sources.ts';
import {
  CALL,
  CREDENTIALS,
  INBOUND,
  LIMITS,
  NUMBERS,
  QUERIES,
  RESOURCES,
  SCOPE,
  type Setting,
  TARGET,
  VALUES,
} from '../settings/table.ts';

const [BASE_URL] = TARGET;

/** Options of one value, as the table of settings has them; samples are an object here. */
const SINGLE: readonly Setting[] = [BASE_URL, ...CALL, ...VALUES, ...SCOPE, ...LIMITS].filter(
  ({ key }) => key !== 'samples',
);

const SEVERAL: Readonly<Record<string, readonly Setting[]>> = {
  credentials: CREDENTIALS,
  numbers: NUMBERS,
  resources: RESOURCES,
  inbound: INBOUND,
  queries: QUERIES,
};

/** Options that are not in the table, by their type. */
const OTHER_INPUTS: Readonly<Record<string, 'object' | 'function' | 'string' | 'number'>> = {
  ...{ signal: 'object', facts: 'object', connection: 'object', reach: 'object', onProgress: 'function' },
  reportDir: 'string',
};

const INPUT_NAMES: readonly string[] = [
  ...[...Object.keys(OTHER_INPUTS), ...Object.keys(DEFAULTS), ...Object.keys(SEVERAL), ...SINGLE.map(({ key }) => key)],
];

function wrongType(from: string, shown = ''): UsageError {
  return new UsageError(`${from}${shown} has the wrong type`, 'see the types of the package');
}

function demandName(name: string, known: readonly string[], what: string): void {
  if (known.includes(name)) return;
  throw unknownName(`${JSON.stringify(name)} is not ${what}`, name, known, 'see the types of the package');
}

/** Whether the value has the expected type: numbers and switches as such, names as a list, all else as text. */
function isFit(value: unknown, { range, separator, default: preset }: Setting['kind']): boolean {
  if (separator !== undefined) return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (typeof preset === 'boolean') return typeof value === 'boolean';
  return range === undefined ? typeof value === 'string' || typeof value === 'number' : typeof value === 'number';
}

/** Reads a value as if it had been written on the command line; a time is in milliseconds here. */
function demandValue(value: unknown, row: Setting, from: string): void {
  if (value === undefined) return;
  const { unit = 1, separator } = row.kind;
  if (!isFit(value, row.kind)) {
    const shown = row.secret === true ? '' : ` (${JSON.stringify(value)})`;
    throw wrongType(from, shown);
  }
  const text = Array.isArray(value) ? value.join(separator) : `${typeof value === 'number' ? value / unit : value}`;
  if (text !== '' || !Array.isArray(value)) parsed(row, { text, from }, () => true);
}

/** Throws a `UsageError` that names the first missing, unknown or wrong option. */
export function demandRunInput(input: unknown): void {
  if (!isObject(input)) throw new UsageError('run needs an object', 'give it baseUrl and credentials');
  const missing = ['baseUrl', 'credentials'].find((name) => input[name] === undefined || input[name] === null);
  if (missing !== undefined) throw new UsageError(`${missing} is missing`, 'run needs baseUrl and credentials');
  for (const [name, value] of Object.entries(input)) {
    demandName(name, INPUT_NAMES, 'an option of run');
    const [row, rows] = [SINGLE.find(({ key }) => key === name), SEVERAL[name]];
    if (row !== undefined) demandValue(value, row, name);
    if (value === undefined || (value === null && name === 'numbers')) continue;
    const type = OTHER_INPUTS[name];
    if (type !== undefined && (value === null || typeof value !== type)) throw wrongType(name);
    if (rows === undefined) continue;
    const keys = rows.map(({ key }) => key);
    if (!isObject(value)) throw new UsageError(`${name} is not an object`, `give it ${keys.join(', ')}`);
    for (const key of Object.keys(value)) demandName(key, keys, `a member of ${name}`);
    for (const row of rows) demandValue(value[row.key], row, `${name}.${row.key}`);
    const lacking = rows.find(({ key, required }) => required === true && value[key] === undefined);
    if (lacking !== undefined) throw new UsageError(`${name}.${lacking.key} is missing`, `set it to ${lacking.help}`);
  }
  const { numbers, allowShortNumber } = input;
  const { to } = Object(numbers);
  if (typeof to === 'string' && allowShortNumber !== true) {
    demandLongNumber('numbers.to', to, 'allowShortNumber: true');
  }
}

/** Whether the value has these members, each an object or a list. */
const hasMembers = (value: unknown, ...members: readonly string[]): boolean =>
  isObject(value) && members.every((name) => typeof value[name] === 'object' && value[name] !== null);

/** Throws `UsageError` unless the value has the `members` of what `run` returns. */
export function demandJudged(value: unknown, ...members: readonly string[]): void {
  if (hasMembers(value, ...members) && isObject(value) && hasMembers(value['results'], 'requirements', 'counts'))
    return;
  throw new UsageError('This is not a judged run', 'give what run returned');
}
