/** `pcs-conformance certify`: a full run, and a signed bundle that anyone can verify. */

import { type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Bundle } from '../../certificate/bundle.ts';
import { ATTESTATION, type Implementation } from '../../certificate/bundle-files.ts';
import { caseNames, certifyingOptions, namedBriefly, readNonce } from '../../certificate/certification.ts';
import { certifiedBundle } from '../../certificate/verify.ts';
import { withoutUndefined } from '../../contract/lists.ts';
import { RUN_DEFAULTS } from '../../contract/settings.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { valueAt } from '../../contract/validators.ts';
import { schemaFault } from '../../regression/own-files.ts';
import { COMMAND } from '../../report/command-line.ts';
import { visible } from '../../report/text.ts';
import { isInFolder } from '../../run/disk.ts';
import { DEFAULTS } from '../../run/options.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { Flags } from '../../settings/sources.ts';
import type { Settings } from '../../settings/table.ts';
import { demandBundleFolder, writeBundle } from '../bundle-folder.ts';
import { demandNumbers, judgeInput, suiteInputOf } from '../engine.ts';
import { present } from '../present.ts';
import { demandLimits } from '../rehearsal.ts';
import { inReportFolder } from '../report-folder.ts';
import { settingsOfRun, withFixtures, withTarget } from '../target.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from '../terminal.ts';
import { type Watch, watched } from '../watch.ts';
import { privateKeyAt } from './bundles.ts';

/** The flags of `certify` besides those of a run. */
export interface CertifyOptions {
  readonly key: string;
  readonly bundleDir: string;
  readonly nonce?: string;
  readonly implementationName?: string;
  readonly implementationVersion?: string;
  readonly vendor?: string;
}

/** What a certification needs besides the settings of a run. */
interface CertificationOrder {
  readonly implementation: Implementation;
  readonly nonce: string;
  readonly key: KeyObject;
  readonly bundleDir: string;
}

/** Certifies the target of the settings and prints the outcome. Exits 0 only with a certificate. */
export async function certify(flags: Flags, options: CertifyOptions, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(flags, terminal.environment());
  const drawn = 'the nonce decides the seed of a certification, so PCS_SEED is not used';
  for (const warning of [...settings.warnings, ...(settings.seed === RUN_DEFAULTS.seed ? [] : [drawn])])
    terminal.err(`Warning: ${warning}`);
  const order: CertificationOrder = {
    implementation: implementationOf(options),
    nonce: options.nonce === undefined ? randomBytes(NONCE_BYTES).toString('hex') : readNonce(options.nonce),
    key: privateKeyAt(options.key, `make one with ${COMMAND} keygen`, terminal),
    bundleDir: options.bundleDir,
  };
  demandWhole(settings);
  demandNumbers(settings);
  // A bundle with report files in it was attested, and could not be verified.
  if (isInFolder(order.bundleDir, settings.reportDir)) {
    throw new UsageError(
      `--report-dir ${settings.reportDir} is in the folder of the bundle`,
      'choose another --bundle-dir',
    );
  }
  demandBundleFolder(order.bundleDir);
  return watched(terminal, settings.quiet || settings.json, async (watch) => {
    const { bundle, written, lost } = await withTarget(settings, (known) =>
      certifyTarget({ ...known, profile: 'full' }, order, terminal, watch),
    );
    // After a signal the exit code is that of the signal.
    if (watch.signal.aborted) return EXIT_CODES.incomplete;
    if (lost !== null) {
      terminal.err(`No certificate: the bundle cannot be written to ${order.bundleDir}: ${lost}.`);
      return EXIT_CODES.incomplete;
    }
    const code = presentBundle(bundle, order.bundleDir, settings.json ? terminal.err : terminal.out);
    return code === EXIT_CODES.conformant ? written : code;
  });
}

/** Name, version and vendor from the flags. Throws `UsageError`. */
export function implementationOf(options: CertifyOptions): Implementation {
  const { implementationName: name, implementationVersion: version, vendor } = options;
  const value = withoutUndefined({ name, version, vendor });
  const fault = schemaFault('implementation', value);
  if (fault === undefined) return value as Implementation;
  const flag = FLAG_OF[fault.instancePath.slice(1)];
  if (flag !== undefined) {
    throw new UsageError(
      `${flag} (${quotedValue(valueAt(value, fault.instancePath))}) cannot stand on a certificate`,
      "write 1 to 100 letters, digits, single spaces and . , _ + & ( ) ' / : # ! -",
    );
  }
  const remedy = 'give --implementation-name, --implementation-version and --vendor';
  throw new UsageError('The implementation has no name, version or vendor', remedy);
}

const FLAG_OF: Readonly<Record<string, string>> = {
  name: '--implementation-name',
  version: '--implementation-version',
  vendor: '--vendor',
};

const quotedValue = (value: unknown): string => `"${visible(String(value))}"`;

/** Every certificate is about the same requests. */
const isDefault = ({ explore, path }: Settings): boolean => explore === RUN_DEFAULTS.explore && path === undefined;

/** Rejects settings that narrow, extend or excuse a run: a certification is complete. Throws `UsageError`. */
function demandWhole(settings: Settings): void {
  const unfit = [
    [settings.chosenProfile === 'read-only', '--profile read-only (PCS_PROFILE), since it writes and places calls'],
    [settings.only.length > 0, '--only (PCS_ONLY)'],
    [!isDefault(settings), '--explore and --path (PCS_EXPLORE, PCS_PATH)'],
    [settings.expect !== undefined, '--expect (PCS_EXPECT)'],
    [settings.baseline !== undefined, '--baseline (PCS_BASELINE)'],
    [settings.maxCalls < DEFAULTS.maxCalls, `--max-calls (PCS_MAX_CALLS) below ${DEFAULTS.maxCalls}`],
    [settings.maxWait < DEFAULTS.maxWait, `--max-wait (PCS_MAX_WAIT) below ${DEFAULTS.maxWait / 1000}`],
  ] as const;
  const found = unfit.find(([isSet]) => isSet);
  if (found !== undefined)
    throw new UsageError(`certify does not accept ${found[1]}`, found[1].includes(' and --') ? 'omit them' : 'omit it');
}

/** The bundle, why it could not be written, if so, and the exit code for the reports beside it. */
interface Certified {
  readonly bundle: Bundle;
  readonly lost: string | null;
  readonly written: ExitCode;
}

/** Judges the target and writes the bundle; it is signed only if every case was judged. */
async function certifyTarget(
  settings: Settings,
  order: CertificationOrder,
  terminal: Terminal,
  watch: Watch,
): Promise<Certified> {
  const orderedInput = (known: Settings) => {
    const input = suiteInputOf(known);
    return { ...input, options: certifyingOptions(input.options, order, input.version, input.connection?.headers) };
  };
  // Usage errors come before a fixture is started.
  await demandLimits(orderedInput(settings).options, settingsOfRun(settings));
  const machine = machineOf(terminal);
  const { implementation, nonce, key, bundleDir } = order;
  const run = await inReportFolder(settings.reportDir, machine, async (begin) => {
    const judged = await withFixtures(settings, terminal.environment().env, (live) => {
      begin();
      return judgeInput({ ...orderedInput(live), ...machine }, watch.signal, watch.show).finally(watch.end);
    });
    return { ...judged, written: present(judged, settings, terminal, EXIT_CODES.conformant) };
  });
  const { facts } = run;
  const time = facts?.endedAt ?? new Date().toISOString();
  const certification = {
    ...{ record: run.record, implementation, nonce, time },
    ...(facts && { run: facts }),
  };
  const bundle = await certifiedBundle(certification, key);
  return { bundle, lost: writeBundle(bundleDir, bundle.files), written: run.written };
}

const NONCE_BYTES = 16;

function presentBundle({ outcome, results }: Bundle, folder: string, tell: (line: string) => void): ExitCode {
  if (outcome.kind !== 'attested') {
    tell(`No certificate: ${outcome.reason}. The bundle in ${folder} is not signed.`);
    return outcome.kind === 'void' ? EXIT_CODES.void : EXIT_CODES.incomplete;
  }
  const idle = caseNames(results, 'not-exercised');
  if (idle.length > 0) tell(`Not exercised, as the statement says: ${namedBriefly(idle)}.`);
  tell(`Attested in ${join(folder, ATTESTATION)}: ${results.summary}.`);
  return outcome.outcome === 'conformant' ? EXIT_CODES.conformant : EXIT_CODES.nonConformant;
}
