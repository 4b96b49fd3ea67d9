/** `pcs-conformance verify`: whether a bundle matches its signature and its record. */

import { SUITE } from '../../../suites/index.ts';
import { Disagreement } from '../../certificate/bundle-files.ts';
import { fingerprintOf, readPublicKey } from '../../certificate/keys.ts';
import { verifyBundle } from '../../certificate/verify.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { textAt } from '../../regression/own-files.ts';
import { visible } from '../../report/text.ts';
import { readBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

/** Verifies the bundle in a folder with a public key; exits 0 if it is verified and 1 if it is rejected. */
export async function verify(
  folder: string,
  { key: keyPath }: { readonly key: string },
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const pem = textAt(keyPath);
  if (pem === undefined) throw new UsageError(`--key ${keyPath} cannot be read: name the public key of the signer.`);
  const key = readPublicKey(pem, keyPath);
  const bytes = readBundle(folder);
  try {
    const { outcome, particulars, results, exchanges } = await verifyBundle(bytes, key, { version, suite: SUITE });
    const { name, version: release, vendor } = particulars.implementation;
    const cases = Object.values(results.counts.cases).reduce((sum, count) => sum + count, 0);
    const recomputed = `${cases} verdicts computed again from ${exchanges} exchanges`;
    terminal.out(`The bundle is verified: signature, digests, rerun, and ${recomputed}.`);
    terminal.out(`Key ${fingerprintOf(key)}`);
    const sentence = `${name} ${release} (${vendor}) is ${outcome.outcome}, ${particulars.time}: ${outcome.reason}.`;
    terminal.out(visible(sentence));
    return EXIT_CODES.conformant;
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    terminal.err(`The bundle is rejected: ${error.message}.`);
    return EXIT_CODES.nonConformant;
  }
}
