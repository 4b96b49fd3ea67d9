/** The text of `.env.example`, derived from the table. */

import { RUN_SETTINGS } from './run-settings.ts';
import type { Setting } from './setting.ts';
import { TARGET_SETTINGS } from './target-settings.ts';

const HEAD = [
  'Settings of pcs-conformance. Copy this file to .env and fill in what you have.',
  'Flags come before the environment, the environment before this file; an empty value counts as none.',
];

/** The whole file: the target's variables to fill in, those of a run commented out at their defaults. */
export function renderEnvExample(): string {
  return [
    ...HEAD.map(comment),
    '',
    comment('The target, and what the suite may touch there'),
    '',
    ...TARGET_SETTINGS.flatMap((setting) => entry(setting, `${setting.name}=`)),
    comment('The run; times are in seconds'),
    '',
    ...RUN_SETTINGS.flatMap((setting: Setting) => entry(setting, `# ${setting.name}=${setting.default ?? ''}`)),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function entry(setting: Setting, line: string): readonly string[] {
  return [comment(explanation(setting)), line, ''];
}

/** A setting's description with its bounds, for `.env.example` and `--help`. */
export function explanation({ description, min, max }: Setting): string {
  return min === undefined || max === undefined ? description : `${description} (${min} to ${max})`;
}

function comment(text: string): string {
  return `# ${text}`;
}
