/** The help on settings, derived from the table. */

import type { CommandName, Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

/** The default as it would be written; `undefined` where there is none to speak of. */
export function written({ kind: { default: value, unit = 1 } }: Setting): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return typeof value === 'number' ? String(value / unit) : String(value);
}

/** What a setting does, with its bounds. */
export function described({ help, kind: { range } }: Setting): string {
  return range === undefined ? help : `${help} (${range[0]} to ${range[1]})`;
}

/** The help text of a flag: what it does, its variable and its default. */
export function flagHelp(setting: Setting): string {
  const preset = written(setting);
  const isSaid = preset !== undefined && preset !== 'false';
  return `${described(setting)} [${setting.name}${isSaid ? `, default ${preset}` : ''}]`;
}

/** The section of a command's help on the variables that have no flag; `undefined` where it uses none. */
export function environmentHelp(command: CommandName): string | undefined {
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
