/** `pcs-conformance.json`: settings of a project, beside `.env`, in version control and so without secrets. */

import { UsageError } from '../contract/usage-error.ts';
import { suggestion } from './near-miss.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

/** Name of the file. */
export const CONFIG_FILE = 'pcs-conformance.json';

/** The name of a setting in the file: its flag, or its variable if it has none. */
export const nameInFile = ({ flag, name }: Setting): string => flag ?? name;

/** What can stand in the file: it is found by its folder, and holds no secret. */
export const IN_FILE: readonly Setting[] = SETTINGS.filter(
  ({ flag, secret }) => flag !== 'settings' && secret !== true,
);

/** A value as it would be written in `.env`; `undefined` for one that is neither text, number nor switch, nor a list of texts. */
function written(value: unknown, { kind: { separator } }: Setting): string | undefined {
  if (Array.isArray(value) && separator !== undefined && value.every((one) => typeof one === 'string')) {
    return value.join(separator);
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function rowOf(member: string, path: string): Setting {
  const row = SETTINGS.find((one) => nameInFile(one) === member);
  if (row?.secret === true) {
    throw new UsageError(`${path} holds ${member}, which is a secret`, `set ${row.name} in the environment or in .env`);
  }
  if (row !== undefined && IN_FILE.includes(row)) return row;
  const remedy = suggestion(member, IN_FILE.map(nameInFile)) ?? 'see schemas/settings.schema.json for the names';
  throw new UsageError(`${path} holds ${JSON.stringify(member)}, which is not a setting`, remedy);
}

/** The settings in the text of the file, by their variables. Throws `UsageError` that names the member. */
export function settingsIn(text: string, path: string): ReadonlyMap<string, string> {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new UsageError(`${path} is not JSON`, 'correct it, or remove it');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`${path} is not an object`, 'write it as in {"profile": "full"}');
  }
  const members = Object.entries(content).filter(([member]) => member !== '$schema');
  return new Map(
    members.map(([member, value]) => {
      const row = rowOf(member, path);
      const one = written(value, row);
      if (one !== undefined) return [row.name, one] as const;
      const remedy = row.kind.separator === undefined ? 'write a text or a number' : 'write a text or a list of texts';
      throw new UsageError(`${member} in ${path} (${JSON.stringify(value)}) has the wrong type`, remedy);
    }),
  );
}
