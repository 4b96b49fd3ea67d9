/** Settings as a command reads them: the flags and variables of a test over those that every run needs. */

import type { Variables } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import type { Flags } from '../../../src/settings/sources.ts';
import type { Settings } from '../../../src/settings/table.ts';

const ENV: Variables = { PCS_BASE_URL: 'https://api.example.com', PCS_ACCESS_TOKEN: 'svc_org_abc' };

/** The settings; `envFile` is the text of `.env`, and `there.pem` the only file that can be read. */
export function read(flags: Flags = {}, env: Variables = {}, envFile?: string): Settings {
  return readSettings(flags, {
    env: { ...ENV, ...env },
    textOf: (path) => (path === '.env' ? envFile : undefined),
    canRead: (path) => path === 'there.pem',
  });
}
