/** `pcs-conformance matrix`: verifies bundles and compares their implementations on one page. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareImplementations } from '../../certificate/implementations.ts';
import { renderImplementations } from '../../certificate/implementations-page.ts';
import { isInForce, type Opened, openVerified } from '../../certificate/verify.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { visible } from '../../report/text.ts';
import { makeFolder } from '../../run/disk.ts';
import { openBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';
import { witnessLogAt } from '../witness-link.ts';
import { programmeKeyAt, publicKeyAt, registerAt } from './verify.ts';

/** The flags of `matrix`. */
export interface MatrixOptions {
  readonly key: readonly string[];
  readonly programmeKey?: string;
  readonly witness?: string;
  readonly register?: string;
  readonly out: string;
}

/** Writes matrix.html and matrix.json; exits 3 if a bundle is not verifiable, which the page shows as such. */
export async function matrix(
  folders: readonly string[],
  { key, programmeKey, witness, register, out }: MatrixOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const signers = key.map((path) => publicKeyAt(path, '--key', 'signer'));
  const keys = { signers, ...programmeKeyAt(programmeKey), ...witnessLogAt(witness), ...registerAt(register) };
  const opened: Opened[] = [];
  // One after the other: a bundle may take a hundred MiB while it is run again.
  for (const folder of folders) {
    opened.push(await openVerified(folder, openBundle(folder), keys, version));
  }
  const compared = compareImplementations(opened, version);
  write(out, 'matrix.html', renderImplementations(compared));
  write(out, 'matrix.json', `${JSON.stringify(compared, null, 2)}\n`);
  for (const { verification } of opened) {
    const isVerified = verification.outcome !== 'not verifiable';
    const problem = isVerified ? verification.standing?.problem : verification.problem;
    const force = isVerified && problem !== undefined ? ', and not in force' : '';
    const why = problem === undefined ? '' : `: ${visible(problem)}`;
    terminal.out(`${visible(verification.bundle)} is ${verification.outcome}${force}${why}.`);
  }
  terminal.out(`Written to ${join(out, 'matrix.html')} and ${join(out, 'matrix.json')}.`);
  return opened.some(({ verification }) => !isInForce(verification)) ? EXIT_CODES.incomplete : EXIT_CODES.conformant;
}

function write(folder: string, name: string, text: string): void {
  try {
    makeFolder(folder);
    writeFileSync(join(folder, name), text);
  } catch {
    throw new UsageError(`${join(folder, name)} cannot be written`, 'choose another --out');
  }
}
