/** Pages about settings, derived from the table: help, `.env.example` and the tables of the docs. */

import type { CommandName, Setting } from './setting.ts';
import { GROUPS, SETTINGS } from './table.ts';

/** The default as it would be written; `undefined` where there is none to speak of. */
function written({ kind: { default: value, unit = 1 } }: Setting): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return typeof value === 'number' ? String(value / unit) : String(value);
}

/** What a setting does, with its bounds. */
function described({ help, kind: { range } }: Setting): string {
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
    command === 'plan' ? [] : ['Environment: HTTP_PROXY, HTTPS_PROXY and NO_PROXY name the proxy to the target.'];
  return rows.length === 0 ? undefined : ['Environment (or the file of --settings):', ...lines, ...proxy].join('\n');
}

const HEAD = [
  'Settings of pcs-conformance. Copy this file to .env and fill in what you have.',
  'Flags come before the environment, and the environment before this file; an empty value counts as none.',
  'Times are in seconds.',
];

/** The text of `.env.example`: what belongs to a target to fill in, everything else commented out at its default. */
export function renderEnvExample(): string {
  const groups = GROUPS.flatMap(({ title, settings }) => [
    ['', `# --- ${title}`],
    ...settings.map((row: Setting) => ['', `# ${described(row)}`, assignment(row)]),
  ]);
  return `${[...HEAD.map((line) => `# ${line}`), ...groups.flat()].join('\n')}\n`;
}

function assignment(row: Setting): string {
  const isOfTarget = row.flag === undefined || row.key === 'baseUrl';
  return isOfTarget ? `${row.name}=` : `# ${row.name}=${written(row) ?? ''}`;
}

/** The settings as Markdown: a heading and a table for each group. */
export function renderSettingsTables(): string {
  return GROUPS.map(({ title, settings }) => {
    const rows = settings.map((row: Setting) => {
      const flag = row.flag === undefined ? '' : `\`--${[row.flag, row.kind.placeholder ?? []].flat().join(' ')}\``;
      const preset = written(row);
      return `| ${flag} | \`${row.name}\` | ${preset === undefined ? '' : `\`${preset}\``} | ${described(row)} |`;
    });
    return [`### ${title}`, '', '| flag | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
  }).join('\n\n');
}
