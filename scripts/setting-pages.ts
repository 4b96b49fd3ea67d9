/** What the docs say of settings and of waiting, derived from the tables of both. */

import { settingHelp, writtenDefault } from '../src/cli/flag-options.ts';
import { TIME } from '../src/contract/limits.ts';
import { isRetryableStatus, WAITING, type WaitRule } from '../src/contract/waiting.ts';
import { GROUPS, type Setting } from '../src/settings/table.ts';

const HEAD = [
  'Settings of pcs-conformance. Copy this file to .env and fill in what you have.',
  'Flags come before the environment, and the environment before this file; an empty value counts as none.',
  'Times are in seconds.',
];

/** The text of `.env.example`: what belongs to a target to fill in, everything else commented out at its default. */
export function renderEnvExample(): string {
  const groups = GROUPS.flatMap(({ title, settings }) => [
    ['', `# --- ${title}`],
    ...settings.map((row: Setting) => ['', `# ${settingHelp(row)}`, assignment(row)]),
  ]);
  return `${[...HEAD.map((line) => `# ${line}`), ...groups.flat()].join('\n')}\n`;
}

function assignment(row: Setting): string {
  const isOfTarget = row.flag === undefined || row.key === 'baseUrl';
  return isOfTarget ? `${row.name}=` : `# ${row.name}=${writtenDefault(row) ?? ''}`;
}

/** The settings as Markdown: a heading and a table for each group. */
export function renderSettingsTables(): string {
  return GROUPS.map(({ title, settings }) => {
    const rows = settings.map((row: Setting) => {
      const flag = row.flag === undefined ? '' : `\`--${[row.flag, row.kind.placeholder ?? []].flat().join(' ')}\``;
      const preset = writtenDefault(row);
      return `| ${flag} | \`${row.name}\` | ${preset === undefined ? '' : `\`${preset}\``} | ${settingHelp(row)} |`;
    });
    return [`### ${title}`, '', '| flag | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
  }).join('\n\n');
}

const seconds = (milliseconds: number): string => String(milliseconds / 1_000);

function timesOf({ waits, isAsked, statuses }: WaitRule): string {
  const own = waits.every((wait) => wait === 0) ? 'at once' : `${waits.map(seconds).join(', ')} s`;
  const most = statuses.some(isRetryableStatus) ? '' : `, up to ${TIME.wait / 1_000} s`;
  return isAsked ? `as the answer asks${most}; otherwise ${own}` : own;
}

/** The table as Markdown. */
export function renderWaiting(): string {
  const rows = Object.values<WaitRule>(WAITING).map((rule) => {
    const { request, after, within, waits, isEndless } = rule;
    return `| ${after} | ${request} | ${timesOf(rule)} | ${isEndless ? 'until then' : waits.length} | ${within} |`;
  });
  return ['| after | sent again | waits | times | within |', '|---|---|---|---|---|', ...rows].join('\n');
}
