/** Where values come from: flags before the environment before `.env` before `pcs-conformance.json`, and the name under which each was given. */

import { dirname, join } from 'node:path';
import { parse } from 'dotenv';
import { UsageError } from '../contract/usage-error.ts';
import { CONFIG_FILE, settingsIn } from './config-file.ts';
import type { Environment, Variables } from './environment.ts';
import type { Kind } from './kinds.ts';
import { malformedLines } from './near-miss.ts';
import type { Setting } from './setting.ts';
import type { ValuesOf } from './settings.ts';
import { TARGET } from './table.ts';

/** Flags by their names without dashes; `true` for one that takes no value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** A value as written, the name to use in a message, and the precedence of its source (0 is the highest). */
interface Given {
  readonly text: string;
  readonly from: string;
  readonly strength: 0 | 1 | 2 | 3;
}

/** Reads settings; `values` throws `UsageError` for the first wrong one. */
export interface Sources {
  readonly given: (setting: Setting) => Given | undefined;
  readonly values: <const Rows extends readonly Setting[]>(rows: Rows) => ValuesOf<Rows>;
  /** Names of all variables, in the environment and in the file. */
  readonly variables: readonly string[];
  /** One sentence for each line of the `.env` file that sets nothing. */
  readonly malformed: readonly string[];
  /** The path of `pcs-conformance.json`, and what it sets, by variable; nothing if there is none. */
  readonly config: ConfigFile;
}

const [, , ENV_FILE] = TARGET;

/**
 * Lays flags over the environment, over the `.env` file that they name, over `pcs-conformance.json` beside that file. An empty
 * variable counts as none. Throws `UsageError`.
 */
export function layer(flags: Flags, environment: Environment): Sources {
  const { given, values } = sourcesOf(flags, environment, { name: '', text: '' }, NO_CONFIG);
  const { envFile: name } = values([ENV_FILE]);
  const text = environment.textOf(name, given(ENV_FILE) !== undefined) ?? '';
  const path = join(dirname(name), CONFIG_FILE);
  const config = environment.textOf(path, false);
  const known = config === undefined ? NO_CONFIG : { path, values: settingsIn(config, path) };
  return sourcesOf(flags, environment, { name, text }, known);
}

/** A file of settings without secrets. */
interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

const NO_CONFIG: ConfigFile = { path: '', values: new Map() };

/** A `.env` file; one that does not exist has no text. */
interface EnvFile {
  readonly name: string;
  readonly text: string;
}

function sourcesOf(flags: Flags, { env, canRead }: Environment, file: EnvFile, config: ConfigFile): Sources {
  const variables: Variables = parse(file.text);
  const given = ({ flag, certifyFlag, name }: Setting): Given | undefined => {
    for (const one of [certifyFlag, flag]) {
      const flagged = one === undefined ? undefined : flags[one];
      if (flagged !== undefined && flagged !== false) return { text: `${flagged}`, from: `--${one}`, strength: 0 };
    }
    const inEnv = env[name];
    if (inEnv !== undefined && inEnv !== '') return { text: inEnv, from: name, strength: 1 };
    const inFile = variables[name];
    if (inFile !== undefined && inFile !== '') return { text: inFile, from: `${name} in ${file.name}`, strength: 2 };
    const inConfig = config.values.get(name);
    return inConfig === undefined
      ? undefined
      : { text: inConfig, from: `${flag ?? name} in ${config.path}`, strength: 3 };
  };
  const valueIn = (setting: Setting): unknown => {
    const found = given(setting);
    if (found !== undefined) return parsed(setting, found, canRead);
    if (setting.required !== true) return setting.kind.default;
    throw new UsageError(`${setting.name} is not set`, `set it to ${setting.help}`);
  };
  return {
    given,
    values: (rows) => {
      const all = rows.map((row) => [row.key, valueIn(row)] as const);
      return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ValuesOf<typeof rows>;
    },
    variables: [...new Set([...Object.keys(env), ...Object.keys(variables)])].sort(),
    malformed: malformedLines(file.text, file.name),
    config,
  };
}

/** A credential that was given for something else. */
const CREDENTIAL = /org_./;

/** The value of what was given for a setting. Throws `UsageError`. */
export function parsed<Value>(
  { kind, secret }: Pick<Setting, 'secret'> & { readonly kind: Kind<Value> },
  { text, from }: Pick<Given, 'text' | 'from'>,
  canRead: Environment['canRead'],
): Value {
  const reading = kind.read(text);
  const isHidden = secret === true || [CREDENTIAL, kind.secretIn].some((one) => one?.test(text));
  const blamed = isHidden ? from : `${from} (${JSON.stringify(text)})`;
  if ('wrong' in reading) throw new UsageError(`${blamed} ${reading.wrong}`, reading.remedy);
  if (kind.isFile && !canRead(text)) {
    throw new UsageError(`${blamed} cannot be read`, 'name a file that exists and is readable');
  }
  return reading.value;
}
