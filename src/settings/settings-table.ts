/** Every setting there is, in the order of `.env.example`. */

import { RUN_SETTINGS } from './run-settings.ts';
import type { Setting } from './setting.ts';
import { TARGET_SETTINGS } from './target-settings.ts';

/** The whole table. */
export const SETTINGS = [...TARGET_SETTINGS, ...RUN_SETTINGS] as const satisfies readonly Setting[];

/** A row of the table with its literal types. */
export type SettingRow = (typeof SETTINGS)[number];

/** Name of a setting's variable. */
export type SettingName = SettingRow['name'];

/** The rows that are flags as well, with the flag required by type. */
export const FLAG_SETTINGS: readonly (Setting & { readonly flag: string })[] = SETTINGS.filter(
  (setting): setting is Extract<SettingRow, { readonly flag: string }> => 'flag' in setting,
);
