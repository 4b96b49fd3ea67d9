/** Where values come from: flags before the environment before `.env`, and the name under which each was given. */

import { parse } from 'dotenv';
import { UsageError } from '../contract/usage-error.ts';
import type { Setting } from './setting.ts';
import { SETTINGS, type SettingName, type SettingRow } from './settings-table.ts';
import { type KindValues, VALUE_RULES } from './value-rules.ts';

/** Flags by their names without dashes; `true` for one that takes no value. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** Variables, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A value as it was written, the name to blame, and how strong its source is (0 is the strongest). */
export interface Given {
  readonly text: string;
  readonly from: string;
  readonly strength: 0 | 1 | 2;
}

type Row<Name extends SettingName> = Extract<SettingRow, { readonly name: Name }>;
type ValueOf<R> = R extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : R extends { readonly kind: infer Kind extends keyof KindValues }
    ? KindValues[Kind]
    : never;

/** The type of a setting's value; `undefined` is in it where there is no default. */
export type SettingValue<Name extends SettingName> =
  | ValueOf<Row<Name>>
  | (Row<Name> extends { readonly default: string } ? never : undefined);

/** Reads single settings; `value` throws `UsageError`. */
export interface Sources {
  readonly given: (name: SettingName) => Given | undefined;
  readonly value: <Name extends SettingName>(name: Name) => SettingValue<Name>;
  /** Names of all variables, in the environment and in `.env`. */
  readonly variables: readonly string[];
}

const BY_NAME: ReadonlyMap<SettingName, Setting> = new Map(SETTINGS.map((setting) => [setting.name, setting]));

/** Lays flags over the environment over the text of a `.env` file. An empty variable counts as none. */
export function layer(flags: Flags, env: Variables, envFile: string | undefined): Sources {
  const file: Variables = envFile === undefined ? {} : parse(envFile);
  const given = (name: SettingName): Given | undefined => {
    const flag = BY_NAME.get(name)?.flag;
    const flagged = flag === undefined ? undefined : flags[flag];
    if (flagged !== undefined && flagged !== false) return { text: `${flagged}`, from: `--${flag}`, strength: 0 };
    const inEnv = env[name];
    if (inEnv !== undefined && inEnv !== '') return { text: inEnv, from: name, strength: 1 };
    const inFile = file[name];
    return inFile === undefined || inFile === '' ? undefined : { text: inFile, from: `${name} in .env`, strength: 2 };
  };
  return {
    given,
    value: <Name extends SettingName>(name: Name) => parsed(name, given(name)) as SettingValue<Name>,
    variables: [...new Set([...Object.keys(env), ...Object.keys(file)])].sort(),
  };
}

function parsed(name: SettingName, given: Given | undefined): unknown {
  const setting = BY_NAME.get(name);
  const text = given?.text ?? setting?.default;
  if (setting === undefined || text === undefined) return undefined;
  const reading = VALUE_RULES[setting.kind](text, setting);
  if ('value' in reading) return reading.value;
  // An address is quoted only when it cannot hold a password or a key.
  const quoted = setting.secret || (setting.kind === 'url' && /[@?#]/.test(text)) ? '' : ` (${JSON.stringify(text)})`;
  throw new UsageError(`${given?.from ?? name}${quoted} ${reading.wrong}: ${reading.remedy}.`);
}
