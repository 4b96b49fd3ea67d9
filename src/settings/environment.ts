/** The one place that reads the process's environment, its `.env` file and whether a file is there. */

import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import type { Variables } from './sources.ts';

/** The variables and the text of the `.env` file, `undefined` where there is none. */
export interface Environment {
  readonly env: Variables;
  readonly envFile: string | undefined;
}

/** Reads the environment and `.env` of a folder; nothing is written back. Throws `UsageError`. */
export function readEnvironment(folder: string): Environment {
  return { env: { ...process.env }, envFile: readEnvFile(join(folder, '.env')) };
}

/** Says whether the path is a file that this process may read. */
export function canReadFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function readEnvFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    // A folder of that name is somebody's virtual environment, not settings.
    if (code === 'EISDIR') return undefined;
    throw new UsageError(`.env cannot be read (${String(code)}): make it readable or remove it.`);
  }
}
