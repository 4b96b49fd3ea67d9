/** From settings to how the target is reached; the one place that reads the files of certificates and keys. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../contract/usage-error.ts';
import type { Connection } from '../run/live.ts';
import type { Settings } from '../settings/settings.ts';

/** A file with at least one certificate in PEM; a bundle may have more. */
function certificateIn(flag: string, path: string): { readonly pem: string; readonly certificate: X509Certificate } {
  const pem = readFileSync(path, 'utf8');
  try {
    return { pem, certificate: new X509Certificate(pem) };
  } catch {
    throw new UsageError(`${flag} (${path}) holds no certificate: give a PEM file that begins with one.`);
  }
}

function keyIn(path: string): { readonly pem: string; readonly key: KeyObject } {
  const pem = readFileSync(path, 'utf8');
  try {
    return { pem, key: createPrivateKey(pem) };
  } catch {
    throw new UsageError(`--key (${path}) holds no private key without a pass phrase: give one as PEM.`);
  }
}

/** What no server could accept is said before one is asked. */
function clientOf(certFile: string, keyFile: string): NonNullable<Connection['client']> {
  const { pem: cert, certificate } = certificateIn('--cert', certFile);
  const { pem, key } = keyIn(keyFile);
  if (certificate.checkPrivateKey(key)) return { cert, key: pem };
  throw new UsageError(`--key (${keyFile}) does not belong to the certificate of --cert (${certFile}): give its key.`);
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
