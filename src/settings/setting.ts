/** What a setting is, and how one is written down in the table. */

import { SETTING_VALUES, type TargetSettingName } from '../contract/settings.ts';
import type { Kind } from './kinds.ts';

/** A command that reads settings. */
export type CommandName = 'run' | 'plan' | 'doctor' | 'clean' | 'replay' | 'certify' | 'merge' | 'judge';

/** One setting: a variable, and a flag where a command line is a fit place for the value. */
export interface Setting {
  /** Member of the settings that holds the value. */
  readonly key: string;
  /** Name of the variable in the environment and in `.env`. */
  readonly name: `PCS_${string}`;
  /** The flag without its dashes; credentials, numbers and resources have none. */
  readonly flag?: string;
  /** The flag in `certify`, where another one has that name. */
  readonly certifyFlag?: string;
  readonly kind: Kind<unknown>;
  /** The commands that use it. */
  readonly usedBy: readonly CommandName[];
  /** A phrase without a full stop. */
  readonly help: string;
  /** `true` where a target cannot be judged without it. */
  readonly required?: true;
  /** `true` where the value is never shown, not even in the message that rejects it. */
  readonly secret?: true;
}

type Upper<Flag extends string> = Flag extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Upper<Tail>}`
  : Uppercase<Flag>;
type Camel<Flag extends string> = Flag extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Flag;

/** Makes a setting with a flag; its key and its variable have the same name: `maxWait`, `PCS_MAX_WAIT`. */
export function flag<const Flag extends string, const K extends Kind<unknown>>(
  flag: Flag,
  kind: K,
  usedBy: readonly CommandName[],
  help: string,
  more: Pick<Setting, 'secret' | 'certifyFlag'> = {},
) {
  const key = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Flag>;
  const name = `PCS_${flag.toUpperCase().replaceAll('-', '_') as Upper<Flag>}` as const;
  return { key, name, flag, kind, usedBy, help, ...more };
}

/** Makes a setting of the target, without a flag. */
export function variable<const Key extends string, Name extends TargetSettingName, const More extends object>(
  key: Key,
  name: Name,
  kind: Kind<string>,
  usedBy: readonly CommandName[],
  more: More & Pick<Setting, 'secret' | 'required'>,
) {
  return { key, name, kind, usedBy, help: SETTING_VALUES[name], ...more };
}
