/** From settings to the connection; the only place that reads certificate and key files of a connection. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../contract/usage-error.ts';
import type { Connection } from '../run/live.ts';
import type { Settings } from '../settings/settings.ts';

/** The text of a PEM file, and what it holds. */
function read<T>(flag: string, path: string, what: string, parse: (pem: string) => T): { pem: string; value: T } {
  const pem = readFileSync(path, 'utf8');
  try {
    return { pem, value: parse(pem) };
  } catch {
    throw new UsageError(`${flag} (${path}) contains no ${what}`, 'give it as a PEM file');
  }
}

const certificateIn = (flag: string, path: string) =>
  read(flag, path, 'certificate', (pem) => new X509Certificate(pem));

/** A pair that no server could accept is rejected before anything is sent. */
function clientOf(certFile: string, keyFile: string): NonNullable<Connection['client']> {
  const certificate = certificateIn('--cert', certFile);
  const key = read('--key', keyFile, 'private key without a pass phrase', createPrivateKey);
  if (certificate.value.checkPrivateKey(key.value)) return { cert: certificate.pem, key: key.pem };
  throw new UsageError(`--key (${keyFile}) does not belong to the certificate of --cert (${certFile})`, 'give its key');
}

/** The connection that the settings describe, certificates and keys as text. Throws `UsageError`. */
export function connectionOf({ ca, cert, key, header, proxy }: Settings): Connection {
  return {
    ...(ca === undefined ? {} : { ca: certificateIn('--ca', ca).pem }),
    ...(cert === undefined || key === undefined ? {} : { client: clientOf(cert, key) }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(header.length === 0 ? {} : { headers: header }),
  };
}
