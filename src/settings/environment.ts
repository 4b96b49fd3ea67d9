/** The one place that reads the environment of the process and its `.env` file, and checks whether a file exists. */

import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { sha256 } from '../exchange/digest.ts';
import { codeOf, readTextFile } from '../run/disk.ts';

/** Variables, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Variables that change how Node, its TLS and the resolver reach a target; NODE_OPTIONS may load code that answers
 * in its place. A run names those that are set, as it names a proxy.
 */
export const SURROUNDINGS = [
  ...(['NODE_OPTIONS', 'NODE_PATH', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const),
  ...(['OPENSSL_CONF', 'OPENSSL_MODULES', 'OPENSSL_ENGINES', 'LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH'] as const),
  ...(['DYLD_INSERT_LIBRARIES', 'DYLD_LIBRARY_PATH', 'HOSTALIASES', 'LOCALDOMAIN', 'RES_OPTIONS'] as const),
] as const;

/** The file whose authorities Node trusts besides the well-known ones. */
export const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';

/** Those that decide whom to trust, which does not matter on the way to an http target. */
const OF_TRUST: readonly string[] = ['NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** What is unusual about this process's way to a target, as conditions of a run; `hasTls`: certificates matter. */
export function surroundingsOf(
  { env, nodeFlags = [] }: Pick<Environment, 'env' | 'nodeFlags'>,
  hasTls: boolean,
): readonly string[] {
  const extra = hasTls ? (env[EXTRA_AUTHORITIES] ?? '') : '';
  return [
    ...(extra === '' ? [] : [`also trusting the authorities of ${EXTRA_AUTHORITIES} (${digestOf(extra)})`]),
    ...SURROUNDINGS.filter((name) => hasTls || !OF_TRUST.includes(name)).flatMap((name) =>
      (env[name] ?? '') === '' ? [] : [`${name}=${env[name]}`],
    ),
    ...(nodeFlags.length === 0 ? [] : [`Node started with ${nodeFlags.join(' ')}`]),
  ];
}

function digestOf(path: string): string {
  try {
    return `sha256:${sha256(readTextFile(path))}`;
  } catch {
    return 'not readable';
  }
}

/** The environment from which settings are read. */
export interface Environment {
  readonly env: Variables;
  /** The flags with which Node was started. */
  readonly nodeFlags?: readonly string[];
  /** Text of the `.env` file; `undefined` if it does not exist and was not named. Throws `UsageError`. */
  readonly textOf: (path: string, isNamed: boolean) => string | undefined;
  /** Whether the path is a file that this process may read. */
  readonly canRead: (path: string) => boolean;
}

/** Variables alone, without any file. */
export function variablesOnly(env: Variables): Environment {
  return { env, textOf: () => undefined, canRead: () => false };
}

/** The environment of this process, overridden by the given variables; files are looked up in the folder. */
export function readEnvironment(folder: string, given: Variables = {}): Environment {
  return {
    env: { ...process.env, ...given },
    nodeFlags: process.execArgv,
    textOf: (path, isNamed) => settingsText(resolve(folder, path), path, isNamed),
    canRead: (path) => canReadFile(resolve(folder, path)),
  };
}

function canReadFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    // A pipe is fine: secrets often come through one.
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function settingsText(path: string, name: string, isNamed: boolean): string | undefined {
  try {
    // Only our own lines must be valid text: other tools may have written the rest.
    return readTextFile(path, name, true);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = codeOf(error);
    // A folder with this name is a virtual environment, not settings.
    if (!isNamed && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return undefined;
    throw new UsageError(`${name} cannot be read (${code})`, 'make it readable or remove it');
  }
}
