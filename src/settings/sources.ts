/** Where values come from: flags before the environment before `.env` before `pcs-conformance.json`, and the name under which each was given. */

import { dirname, join } from 'node:path';
import { throwAll, UsageError, usageErrorsOf, withUsageError } from '../contract/usage-error.ts';
import { type EnvFile, readEnvFile, unexpanded } from './env-file.ts';
import type { Environment, Variables } from './environment.ts';
import type { Kind } from './kinds.ts';
import { SETTINGS, type Setting, TARGET, type ValuesOf } from './table.ts';
import { nearMisses, unknownName } from './unknown-names.ts';

/** Flags by their names without dashes; `true` for one that takes no value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** A value as written, the name to use in a message, and the precedence of its source (0 is the highest). */
interface Given {
  readonly text: string;
  readonly from: string;
  readonly strength: 0 | 1 | 2 | 3;
}

/** Reads settings; `values` throws one `UsageError` for all wrong ones, and for all errors of the `.env` file. */
export interface Sources {
  readonly given: (setting: Setting) => Given | undefined;
  readonly values: <const Rows extends readonly Setting[]>(rows: Rows) => ValuesOf<Rows>;
  /** One sentence for each variable with our prefix that names no setting. */
  readonly warnings: readonly string[];
  /** The path of `pcs-conformance.json`, and what it sets, by variable; empty without such a file. */
  readonly config: ConfigFile;
}

const [, , ENV_FILE] = TARGET;

/**
 * Lays flags over the environment, over the `.env` file that they name, over `pcs-conformance.json` beside that file. An empty
 * variable counts as none. Throws `UsageError`.
 */
export function layer(flags: Flags, environment: Environment): Sources {
  const { given, values } = sourcesOf(flags, environment);
  const { envFile: name } = values([ENV_FILE]);
  const text = environment.textOf(name, given(ENV_FILE) !== undefined) ?? '';
  const file = { name, ...readEnvFile(text, name, KIND_OF) };
  const path = join(dirname(name), CONFIG_FILE);
  const config = { path, ...settingsIn(environment.textOf(path, false) ?? '{}', path) };
  return sourcesOf(flags, environment, { ...file, errors: [...file.errors, ...config.errors] }, config);
}

interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

const KIND_OF: ReadonlyMap<string, Kind<unknown>> = new Map(SETTINGS.map(({ name, kind }) => [name, kind]));

/** The variables that a command has printed, read as strictly as a `.env` file. Throws `UsageError`; `from` names them. */
export function readLines(text: string, from: string): Variables {
  const { values, errors } = readEnvFile(text, from, KIND_OF);
  throwAll(errors);
  return values;
}

/** The sources with a `.env` file, which sets nothing if it does not exist. */
function sourcesOf(
  flags: Flags,
  { env, canRead }: Environment,
  file: EnvFile & { readonly name: string } = { name: '', ...readEnvFile('', '', KIND_OF) },
  config: ConfigFile = { path: '', values: new Map() },
): Sources {
  const { values: variables } = file;
  const names = [...new Set([...Object.keys(env), ...Object.keys(variables)])].sort();
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
    if (file.wrong.has(setting.name)) return undefined;
    const found = given(setting);
    if (found !== undefined) {
      const wrong = found.strength === 2 ? null : unexpanded(found.text, setting.kind);
      if (wrong !== null) throw new UsageError(`${found.from} ${wrong[0]}`, wrong[1]);
      return parsed(setting, found, canRead);
    }
    if (setting.required !== true) return setting.kind.default;
    throw new UsageError(`${setting.name} is not set`, `set it to ${setting.help}`);
  };
  return {
    given,
    values: (rows) => {
      const all: (readonly [string, unknown])[] = [];
      const wrong = usageErrorsOf(rows.map((row) => () => all.push([row.key, valueIn(row)])));
      throwAll([...file.errors, ...wrong]);
      return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ValuesOf<typeof rows>;
    },
    warnings: nearMisses(names, [...KIND_OF.keys()]),
    config,
  };
}

/** A text that looks like a credential, given for another setting. */
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

/** Name of the file. */
export const CONFIG_FILE = 'pcs-conformance.json';

/** The name of a setting in the file: its flag, or its variable if it has none. */
export const nameInFile = ({ flag, name }: Setting): string => flag ?? name;

/** The settings that the file may hold: no secrets, and not `--settings` itself. */
export const IN_FILE: readonly Setting[] = SETTINGS.filter(
  ({ flag, secret }) => flag !== 'settings' && secret !== true,
);

/** A value as it would be written in `.env`; `undefined` for one that is neither text, number nor switch, nor a list of texts. */
function written(value: unknown, { kind: { separator } }: Setting): string | undefined {
  if (Array.isArray(value) && separator !== undefined && value.every((one) => typeof one === 'string')) {
    return value.join(separator);
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function rowOf(member: string, path: string): Setting {
  const row = SETTINGS.find((one) => nameInFile(one) === member);
  if (row?.secret === true) {
    throw new UsageError(`${path} holds ${member}, which is a secret`, `set ${row.name} in the environment or in .env`);
  }
  if (row !== undefined && IN_FILE.includes(row)) return row;
  const problem = `${path} holds ${JSON.stringify(member)}, which is not a setting`;
  throw unknownName(problem, member, IN_FILE.map(nameInFile), 'see schemas/settings.schema.json for the names');
}

/** The settings in the text of the file, by their variables, and the errors that name a member. Throws `UsageError` for another text. */
function settingsIn(text: string, path: string): Pick<ConfigFile, 'values'> & Pick<EnvFile, 'errors'> {
  const content: unknown = withUsageError(() => JSON.parse(text), `${path} is not JSON`, 'correct it, or remove it');
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`${path} is not an object`, 'write it as in {"profile": "full"}');
  }
  const members = Object.entries(content).filter(([member]) => member !== '$schema');
  const values = new Map<string, string>();
  const read = (member: string, value: unknown): void => {
    const row = rowOf(member, path);
    // The values are texts and lists of texts, in which a quotation mark is escaped.
    if (text.split(`"${member}"`).filter((rest) => /^\s*:/.test(rest)).length > 1) {
      throw new UsageError(`${path} holds ${member} twice`, 'keep one of them');
    }
    const one = written(value, row);
    if (one === undefined) {
      const remedy = row.kind.separator === undefined ? 'write a text or a number' : 'write a text or a list of texts';
      throw new UsageError(`${member} in ${path} (${JSON.stringify(value)}) has the wrong type`, remedy);
    }
    if (typeof value === 'number' && row.kind.range === undefined && !Number.isSafeInteger(value)) {
      throw new UsageError(`${member} in ${path} is a number that JSON does not keep exactly`, 'write it as a text');
    }
    values.set(row.name, one);
  };
  return {
    values,
    errors: usageErrorsOf(
      members.map(
        ([member, value]) =>
          () =>
            read(member, value),
      ),
    ),
  };
}
