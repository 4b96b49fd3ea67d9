/** Where values come from: flags before the environment before `.env`; and the name under which each was given. */

import { nearMisses, throwAll, UsageError, usageErrorsOf } from '../contract/usage-error.ts';
import { type EnvFile, readEnvFile, unexpanded } from './env-file.ts';
import type { Environment, Variables } from './environment.ts';
import type { Kind } from './kinds.ts';
import { SETTINGS, type Setting, TARGET, type ValuesOf } from './table.ts';

/** Flags by their names without dashes; `true` for one that takes no value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** A value as written, the name to use in a message, and the precedence of its source (0 is the highest). */
interface Given {
  readonly text: string;
  readonly from: string;
  readonly strength: 0 | 1 | 2;
}

/** Reads settings; `values` throws one `UsageError` for all wrong ones, and for all errors of the `.env` file. */
export interface Sources {
  readonly given: (setting: Setting) => Given | undefined;
  readonly values: <const Rows extends readonly Setting[]>(rows: Rows) => ValuesOf<Rows>;
  /** One sentence for each variable with our prefix that names no setting. */
  readonly warnings: readonly string[];
}

const [, , ENV_FILE] = TARGET;

/** Flags before environment before the `.env` file that they name. Empty variables are unset. Throws `UsageError`. */
export function layer(flags: Flags, environment: Environment): Sources {
  const { given, values } = sourcesOf(flags, environment);
  const { envFile: name } = values([ENV_FILE]);
  const text = environment.textOf(name, given(ENV_FILE) !== undefined) ?? '';
  return sourcesOf(flags, environment, { name, ...readEnvFile(text, name, KIND_OF) });
}

const KIND_OF: ReadonlyMap<string, Kind<unknown>> = new Map(SETTINGS.map(({ name, kind }) => [name, kind]));

/** Variables printed by a command, read as strictly as a `.env` file. Throws `UsageError`; `from` names the source. */
export function readLines(text: string, from: string): Variables {
  const { values, errors } = readEnvFile(text, from, KIND_OF);
  throwAll(errors);
  return values;
}

/** The sources, including a `.env` file; a missing file sets nothing. */
function sourcesOf(
  flags: Flags,
  { env, canRead }: Environment,
  file: EnvFile & { readonly name: string } = { name: '', ...readEnvFile('', '', KIND_OF) },
): Sources {
  const { values: variables } = file;
  const names = [...new Set([...Object.keys(env), ...Object.keys(variables)])].sort();
  const given = ({ flag, name }: Setting): Given | undefined => {
    const flagged = flag === undefined ? undefined : flags[flag];
    if (flagged !== undefined && flagged !== false) return { text: `${flagged}`, from: `--${flag}`, strength: 0 };
    const inEnv = env[name];
    if (inEnv !== undefined && inEnv !== '') return { text: inEnv, from: name, strength: 1 };
    const inFile = variables[name];
    if (inFile !== undefined && inFile !== '') return { text: inFile, from: `${name} in ${file.name}`, strength: 2 };
    return undefined;
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
  };
}

/** A text that looks like a credential, given for another setting. */
export const CREDENTIAL = /org_./;

/** The value of what was given for a setting. Throws `UsageError`. */
export function parsed<Value>(
  { kind, secret }: Pick<Setting, 'secret'> & { readonly kind: Kind<Value> },
  { text, from }: Pick<Given, 'text' | 'from'>,
  canRead: Environment['canRead'],
): Value {
  const reading = kind.read(text);
  const isHidden = secret === true || [CREDENTIAL, kind.secretIn].some((pattern) => pattern?.test(text));
  const blamed = isHidden ? from : `${from} (${JSON.stringify(text)})`;
  if ('wrong' in reading) throw new UsageError(`${blamed} ${reading.wrong}`, reading.remedy);
  if (kind.isFile && !canRead(text)) {
    throw new UsageError(`${blamed} cannot be read`, 'name a file that exists and is readable');
  }
  return reading.value;
}
