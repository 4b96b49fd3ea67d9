/** What a setting is: one row of the table from which reading, `--help` and `.env.example` are derived. */

/** Kinds of value; each has one rule in `value-rules.ts`. */
export type SettingKind =
  | 'url'
  | 'token'
  | 'phone'
  | 'id'
  | 'uuid'
  | 'text'
  | 'query'
  | 'path'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'file'
  | 'folder'
  | 'headers';

/** One setting. Its variable is always there; the flag only where a command line is a fit place for the value. */
export interface Setting {
  /** Name of the variable in the environment and in `.env`. */
  readonly name: `PCS_${string}`;
  /** The flag without its dashes: the variable's name in lower case. */
  readonly flag?: string;
  readonly kind: SettingKind;
  /** What stands for the value in `--help`; boolean flags have none. */
  readonly placeholder?: string;
  /** The value when none is given, as it would be written. */
  readonly default?: string;
  /** Bounds of a number, both included. */
  readonly min?: number;
  readonly max?: number;
  /** The words that a choice admits. */
  readonly choices?: readonly string[];
  /** A phrase for people, without a full stop. */
  readonly description: string;
  /** `true` where the value is never shown, not even in the message that refuses it. */
  readonly secret?: true;
}
