/** `pcs-conformance certify`: a full run, and a signed bundle that anyone can verify. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ATTESTATION } from '../../certificate/bundle.ts';
import { type Implementation, NONCE_BYTES, namesOf, readNonce } from '../../certificate/certification.ts';
import { readPrivateKey } from '../../certificate/keys.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { readOwnFile, schemaProblem, textAt } from '../../regression/own-files.ts';
import { visible } from '../../report/text.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { watched } from '../watch.ts';

/** The flags of `certify` besides those of a run. */
export interface CertifyOptions {
  readonly key: string;
  readonly bundleDir: string;
  readonly nonce?: string;
  readonly implementation?: string;
  readonly implementationName?: string;
  readonly implementationVersion?: string;
  readonly vendor?: string;
}

const FLAG_OF = { name: '--implementation-name', version: '--implementation-version', vendor: '--vendor' } as const;

/** Names appear in certificates and on the terminals of readers, so control characters are rejected. */
function demandPlain(value: Implementation, flags: object, file: string | undefined): Implementation {
  for (const member of ['name', 'version', 'vendor'] as const) {
    if (!/\p{Cc}/u.test(value[member])) continue;
    const where = member in flags ? FLAG_OF[member] : `${member} in ${file}`;
    throw new UsageError(`${where} ("${visible(value[member])}") holds a control character: remove it.`);
  }
  return value;
}

/** Name, version and vendor from the file and the flags; flags take precedence. Throws `UsageError`. */
export function implementationOf(options: CertifyOptions): Implementation {
  const { implementationName: name, implementationVersion: version, vendor } = options;
  const given = Object.entries({ name, version, vendor }).filter(([, text]) => text !== undefined);
  const flags = Object.fromEntries(given);
  const path = options.implementation;
  const remedy = 'name the file that describes the implementation';
  const file = path === undefined ? {} : (readOwnFile('implementation', path, remedy) as object);
  const value: object = { ...file, ...flags };
  if (schemaProblem('implementation', value) === null) {
    return demandPlain(value as Implementation, flags, path);
  }
  throw new UsageError(
    'The implementation has no name, version or vendor: give --implementation-name, --implementation-version and --vendor, or --implementation FILE.',
  );
}

/** Certifies the target of the settings and prints the outcome. Exits 0 only with a certificate. */
export async function certify(flags: Flags, options: CertifyOptions, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  for (const warning of settings.warnings) terminal.err(`Warning: ${warning}`);
  const pem = textAt(options.key);
  if (pem === undefined)
    throw new UsageError(`--key ${options.key} cannot be read: make one with pcs-conformance keygen.`);
  const order = {
    implementation: implementationOf(options),
    nonce: options.nonce === undefined ? randomBytes(NONCE_BYTES).toString('hex') : readNonce(options.nonce),
    key: readPrivateKey(pem, options.key),
    bundleDir: options.bundleDir,
  };
  const { certifyTarget } = await import('../certify.ts');
  return watched(terminal, settings.quiet || settings.json, async (watch) => {
    const { outcome, results } = await certifyTarget(settings, order, terminal, watch);
    // The exit code will be that of the signal.
    if (watch.signal.aborted) return EXIT_CODES.incomplete;
    const tell = settings.json ? terminal.err : terminal.out;
    if (outcome.kind !== 'attested') {
      tell(`No certificate: ${outcome.reason}. The bundle in ${order.bundleDir} is not signed.`);
      return outcome.kind === 'void' ? EXIT_CODES.void : EXIT_CODES.incomplete;
    }
    const idle = byRequirement(namesOf(results, 'not-exercised'));
    if (idle.length > 0) tell(`Not exercised, as the statement says: ${idle.join(', ')}.`);
    tell(`Attested as ${outcome.outcome} in ${join(order.bundleDir, ATTESTATION)}: ${outcome.reason}.`);
    return outcome.outcome === 'conformant' ? EXIT_CODES.conformant : EXIT_CODES.nonConformant;
  });
}

/** The names of cases; several cases of one requirement are counted. */
function byRequirement(cases: readonly string[]): readonly string[] {
  const requirements = [...new Set(cases.map((name) => name.split('/', 1)[0] ?? ''))];
  return requirements.map((id) => {
    const [only = id, ...more] = cases.filter((name) => name.startsWith(`${id}/`));
    return more.length === 0 ? only : `${id} (${more.length + 1} operations)`;
  });
}
