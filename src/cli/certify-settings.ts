/** The settings of a certification: `--key` signs, and the client certificate has a key of its own. */

import { UsageError } from '../contract/usage-error.ts';
import { textAt } from '../regression/own-files.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import type { Flags, Variables } from '../settings/sources.ts';

/** What the process was started with. */
export interface Surroundings {
  readonly env: Variables;
  readonly envFile: string | undefined;
}

/** Reads the settings; the client certificate's key comes from --client-key or PCS_KEY. Throws `UsageError`. */
export function certifySettings(flags: Flags, { env, envFile }: Surroundings): Settings {
  const { key: _, 'client-key': clientKey, ...own } = flags;
  if (typeof clientKey !== 'string') return readSettings(own, env, envFile);
  if (textAt(clientKey) === undefined) {
    throw new UsageError(`--client-key ${clientKey} cannot be read: name the private key of the client certificate.`);
  }
  return readSettings(own, { ...env, PCS_KEY: clientKey }, envFile);
}
