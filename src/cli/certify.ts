/** Certifies a target: a full run in an order that a nonce decides, and a signed bundle of the evidence. */

import type { KeyObject } from 'node:crypto';
import { SUITES } from '../../suites/index.ts';
import { type Bundle, makeBundle } from '../certificate/bundle.ts';
import { type Implementation, seedOf } from '../certificate/certification.ts';
import { type PlannedSequence, plannedSequence } from '../certificate/record-files.ts';
import { UsageError } from '../contract/usage-error.ts';
import { Kit } from '../run/kit.ts';
import { drawnOrder } from '../run/lanes.ts';
import { planRun } from '../run/plan.ts';
import type { SuiteInput } from '../run/suite-run.ts';
import type { Settings } from '../settings/settings.ts';
import { demandBundleFolder, writeBundle } from './bundle-folder.ts';
import { judge, suiteInputOf } from './engine.ts';
import { present } from './present.ts';
import { withTarget } from './target.ts';
import type { Terminal } from './terminal.ts';
import type { Watch } from './watch.ts';
import { demandFolder } from './write-reports.ts';

/** What a certification needs besides the settings of a run. */
export interface CertifyOrder {
  readonly implementation: Implementation;
  readonly nonce: string;
  readonly key: KeyObject;
  readonly bundleDir: string;
}

/** A certification is complete: settings that narrow, extend or excuse a run are rejected. Throws `UsageError`. */
export function demandWhole(settings: Settings): void {
  const unfit = [
    [settings.only.length > 0, '--only (PCS_ONLY)'],
    [settings.runs > 0 || settings.path !== undefined, '--runs and --path (PCS_RUNS, PCS_PATH)'],
    [settings.expect !== undefined, '--expect (PCS_EXPECT)'],
    [settings.baseline !== undefined, '--baseline (PCS_BASELINE)'],
    [settings.fullEvidence, '--full-evidence (PCS_FULL_EVIDENCE)'],
  ] as const;
  const found = unfit.find(([isSet]) => isSet);
  if (found !== undefined) throw new UsageError(`certify does not accept ${found[1]}: omit it.`);
}

function sequencesOf({ options }: SuiteInput): readonly PlannedSequence[] {
  const kit = new Kit(options, '');
  return drawnOrder(planRun(SUITES, kit).sequences, kit).map(plannedSequence);
}

async function certifyKnown(
  settings: Settings,
  order: CertifyOrder,
  terminal: Terminal,
  watch: Watch,
): Promise<Bundle> {
  const plain = suiteInputOf({ ...settings, profile: 'full', seed: seedOf(order.nonce) });
  const input = { ...plain, options: { ...plain.options, caseHeader: false, drawnOrder: true as const } };
  await demandFolder(settings.reportDir);
  const run = await judge(input, watch.signal, watch.show).finally(watch.end);
  await present(run, settings, terminal);
  const { implementation, nonce, key } = order;
  const time = new Date().toISOString();
  const bundle = makeBundle({ record: run.record, sequences: sequencesOf(input), implementation, nonce, time }, key);
  writeBundle(order.bundleDir, bundle.files);
  return bundle;
}

/** Judges the target of the settings and writes the bundle; it is signed only if every case was judged. */
export async function certifyTarget(
  settings: Settings,
  order: CertifyOrder,
  terminal: Terminal,
  watch: Watch,
): Promise<Bundle> {
  demandWhole(settings);
  demandBundleFolder(order.bundleDir);
  return withTarget(settings, terminal.environment().env, (known) => certifyKnown(known, order, terminal, watch));
}
