/** Flags of `run`, derived from the table of settings. */

import { type Command, Option } from 'commander';
import { explanation } from '../settings/env-example.ts';
import type { Setting } from '../settings/setting.ts';
import { FLAG_SETTINGS } from '../settings/settings-table.ts';
import type { Flags } from '../settings/sources.ts';

/**
 * Adds every flag of the table to a command, or only those that are named. Values stay text: the settings judge them,
 * wherever they come from.
 */
export function addFlags(command: Command, only?: readonly string[]): Command {
  for (const setting of FLAG_SETTINGS) {
    if (only === undefined || only.includes(setting.flag)) command.addOption(optionOf(setting));
  }
  return command;
}

/** The flags that were written, by their names without dashes. */
export function writtenFlags(command: Command): Flags {
  const given: Readonly<Record<string, unknown>> = command.opts();
  return Object.fromEntries(
    command.options.flatMap((option) => {
      const value = given[option.attributeName()];
      return typeof value === 'string' || value === true ? [[option.long?.slice(2) ?? '', value]] : [];
    }),
  );
}

function optionOf(setting: Setting & { readonly flag: string }): Option {
  const term = setting.placeholder === undefined ? `--${setting.flag}` : `--${setting.flag} <${setting.placeholder}>`;
  const preset = setting.default === undefined || setting.kind === 'boolean' ? '' : `, default ${setting.default}`;
  const option = new Option(term, `${explanation(setting)} [${setting.name}${preset}]`);
  // A list may be one argument with commas, or the flag several times; a header field may itself hold a comma.
  const separator = SEPARATORS[setting.kind];
  return separator === undefined ? option : option.argParser(joinWith(separator));
}

const SEPARATORS: Readonly<Partial<Record<Setting['kind'], string>>> = { list: ',', headers: '\n' };

const joinWith =
  (separator: string) =>
  (value: string, before: unknown): string =>
    typeof before === 'string' ? `${before}${separator}${value}` : value;
