/** What a setting is, and how one is written down in the table. */

import { SETTING_VALUES, type TargetSettingName } from '../contract/settings.ts';
import type { Kind } from './kinds.ts';

/** A command that reads settings. */
export type CommandName = 'run' | 'plan' | 'doctor' | 'clean' | 'replay' | 'certify';

/** One setting: a variable, and a flag where a command line is a fit place for the value. */
export interface Setting<Key extends string = string, Value = unknown> {
  /** Member of the settings that holds the value. */
  readonly key: Key;
  /** Name of the variable in the environment and in `.env`. */
  readonly name: `PCS_${string}`;
  /** The flag without its dashes; credentials, numbers and resources have none. */
  readonly flag?: string;
  /** The flag in `certify`, where another one has that name. */
  readonly certifyFlag?: string;
  readonly kind: Kind<Value>;
  readonly default?: Value;
  /** `true` where a target cannot be judged without it. */
  readonly required?: true;
  /** A phrase without a full stop. */
  readonly help: string;
  /** The commands that use it. */
  readonly usedBy: readonly CommandName[];
  /** `true` where the value is never shown, not even in the message that rejects it. */
  readonly secret?: true;
}

type VariableOf<Flag extends string> = Flag extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${VariableOf<Tail>}`
  : Uppercase<Flag>;
type More<Value> = Pick<Setting<string, Value>, 'default' | 'usedBy' | 'secret' | 'certifyFlag'>;

/** Makes a setting with a flag; its variable has the same name. */
export function flag<Key extends string, const Flag extends string, Value, const Rest extends More<NoInfer<Value>>>(
  key: Key,
  flag: Flag,
  kind: Kind<Value>,
  help: string,
  rest: Rest,
): Setting<Key, Value> & { readonly name: `PCS_${VariableOf<Flag>}`; readonly flag: Flag } & Rest {
  const variable = flag.toUpperCase().replaceAll('-', '_') as VariableOf<Flag>;
  return { key, name: `PCS_${variable}`, flag, kind, help, ...rest };
}

/** Makes a setting of the target, without a flag. */
export function variable<
  Key extends string,
  Name extends TargetSettingName,
  const Rest extends Pick<Setting, 'usedBy' | 'secret' | 'required'>,
>(key: Key, name: Name, kind: Kind<string>, rest: Rest): Setting<Key, string> & { readonly name: Name } & Rest {
  return { key, name, kind, help: SETTING_VALUES[name], ...rest };
}
