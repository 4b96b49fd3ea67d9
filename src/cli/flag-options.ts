/** Flags and help of the commands: derived from the table of settings where they read any, and the formats. */

import { type Command, Option } from 'commander';
import { COMMAND } from '../report/command-line.ts';
import type { Flags } from '../settings/sources.ts';
import { type CommandName, GROUPS, SETTINGS, type Setting } from '../settings/table.ts';

/** The formats in which a comparison or a history is printed. */
export const COMPARISON_FORMATS = ['text', 'json', 'markdown'] as const;

/** The flag of a setting in a command; `undefined` if it has none there. */
const flagIn = ({ flag, usedBy }: Setting, command: CommandName): string | undefined =>
  usedBy.includes(command) ? flag : undefined;

/** Adds the flags of a command's settings, and to its help an example and the variables without a flag. */
export function addSettings(command: Command, name: CommandName, example: string): Command {
  for (const { title, settings } of GROUPS) {
    for (const setting of settings as readonly Setting[]) {
      const flag = flagIn(setting, name);
      if (flag === undefined) continue;
      const option = optionOf(setting, flag);
      command.addOption(setting.rare === true ? option.hideHelp() : option.helpGroup(`${title}:`));
    }
  }
  // It used to be a number of walks, and scripts still use it.
  const hint = (): void => process.emitWarning('--runs has no effect any more: use --explore');
  if (name === 'run' || name === 'plan') command.addOption(new Option('--runs <N>').hideHelp().argParser(hint));
  const rare = SETTINGS.flatMap((setting) =>
    setting.rare && setting.usedBy.includes(name) ? [`--${setting.flag}`] : [],
  );
  if (rare.length > 0) command.addHelpText('after', `\nFor rare cases (docs/settings.md): ${rare.join(', ')}`);
  const environment = environmentHelp(name);
  if (environment !== undefined) command.addHelpText('after', `\n${environment}`);
  return addExample(command, example);
}

/** Adds an example to the help of a command. */
export function addExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  $ ${COMMAND} ${example}`);
}

/** The given flags of settings, by their names without dashes. */
export function writtenFlags(command: Command, name: CommandName): Flags {
  const given: Readonly<Record<string, unknown>> = command.opts();
  const flags: Record<string, string | true> = {};
  for (const setting of SETTINGS) {
    const flag = flagIn(setting, name);
    const option = command.options.find(({ long }) => long === `--${flag}`);
    const value = option === undefined ? undefined : given[option.attributeName()];
    if (flag !== undefined && (typeof value === 'string' || value === true)) flags[flag] = value;
  }
  return flags;
}

/** Values stay text: the settings judge them, wherever they come from. */
function optionOf(setting: Setting, flag: string): Option {
  const { placeholder, separator } = setting.kind;
  const option = new Option(placeholder === undefined ? `--${flag}` : `--${flag} <${placeholder}>`, flagHelp(setting));
  if (separator === undefined) return option;
  return option.argParser((value: string, before: unknown) =>
    typeof before === 'string' ? `${before}${separator}${value}` : value,
  );
}

/** The default as a user would write it; `undefined` where the help should not mention it. */
export function writtenDefault({ kind: { default: value, unit = 1 } }: Setting): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return typeof value === 'number' ? String(value / unit) : String(value);
}

/** What a setting does, with its bounds. */
export function settingHelp({ help, kind: { range } }: Setting): string {
  return range === undefined ? help : `${help} (${range[0]} to ${range[1]})`;
}

/** The help text of a flag: what it does, its variable and its default. */
function flagHelp(setting: Setting): string {
  const preset = writtenDefault(setting);
  const isSaid = preset !== undefined && preset !== 'false';
  return `${settingHelp(setting)} [${setting.name}${isSaid ? `, default ${preset}` : ''}]`;
}

/** The help section on variables without a flag; `undefined` if the command uses none. */
function environmentHelp(command: CommandName): string | undefined {
  const rows = SETTINGS.filter(({ flag, usedBy }) => flag === undefined && usedBy.includes(command));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    (row) => `  ${row.name.padEnd(width)}  ${row.help}${row.required === true ? ' (required)' : ''}`,
  );
  const proxy =
    command === 'plan' || command === 'judge'
      ? []
      : ['Environment: HTTP_PROXY, HTTPS_PROXY and NO_PROXY name the proxy to the target.'];
  return rows.length === 0 ? undefined : ['Environment (or the file of --settings):', ...lines, ...proxy].join('\n');
}
