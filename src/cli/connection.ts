/** From settings to how the target is reached; the one place that reads the files of certificates and keys. */

import { readFileSync } from 'node:fs';
import type { Settings } from '../config/settings.ts';
import type { Connection } from '../engine/live.ts';

/** The connection that the settings describe, certificates and keys as text. */
export function connectionOf({ caFile, certFile, keyFile, headers, proxy }: Settings): Connection {
  return {
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
    ...(certFile === undefined || keyFile === undefined
      ? {}
      : { client: { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') } }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(headers.length === 0 ? {} : { headers }),
  };
}
