/**
 * A faulty service is run once, as a certification, and its record is read five times.
 * The reasons are in docs/design/proofs.md.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { type Bundle, makeBundle } from '../../src/certificate/bundle.ts';
import type { Certification } from '../../src/certificate/bundle-files.ts';
import { causesOf } from '../../src/report/causes.ts';
import { allCases } from '../../src/report/model.ts';
import { UNSAID } from '../../src/verdict/case.ts';
import { EXIT_OF } from '../../src/verdict/results.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { choicesOf, resultsOf } from '../../suites/index.ts';
import { optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBinding, isBroken } from '../selftest/judged.ts';
import {
  bytesOf,
  certificationOf,
  certifyingWith,
  NONCE,
  newKeys,
  signedAnyway,
} from '../unit/certificate/certified.ts';
import { rejectionOf } from '../unit/certificate/tampering.ts';
import { comesOutTheSame } from './again.ts';
import { expectAlone, expectNamed, mayBeShown } from './broken-by.ts';
import { CASE_FAULTS } from './case-faults.ts';
import { brokenBy as brokenInTraffic, judgeEvidence } from './judged-traffic.ts';
import { watchingCalls } from './open-calls.ts';
import { complaintsAbout } from './report-files.ts';

const keys = newKeys();

/** A run against a service with the fault, and what it says. */
interface FaultyRun {
  readonly fault: Fault;
  readonly whole: Certification;
  readonly results: ReturnType<typeof resultsOf>;
  /** Calls that are open and not named, and sentences on calls that are not. */
  readonly amiss: readonly string[];
}

/** Certifies a service with the fault; few entries of long lists, since the size is proved by itself. */
async function runOf(fault: Fault): Promise<FaultyRun> {
  const clock = skippingClock();
  const reference = createVariant({}, { wait: clock.sleep, now: clock.now, policy: { longList: 20 } });
  const { service, settings } = planted(fault, reference);
  const options = certifyingWith(optionsFrom(settings), NONCE);
  const { watch, amiss } = watchingCalls(reference);
  const whole = await certificationOf(watch(service), options, NONCE, clock);
  return { fault, whole, results: resultsOf(whole.record), amiss: amiss(whole.record) };
}

/** A valid body that a fault rejects is taken apart, and each part that is accepted is a call, as planned. */
const MOST_PLANNED = 19;

/** The requirements of the likely causes, the most telling first. */
function rootsOf({ record, results }: Parameters<typeof judgeEvidence>[0]): readonly string[] {
  const broken = allCases(results).filter(({ result }) => isBroken(result));
  const causes = causesOf(broken, { results, exchanges: record.exchanges });
  return [...new Set(causes.map(({ first }) => first.requirement.id))];
}

/** First reading: the requirements are named exactly, and each finding says what was expected, what came and where. */
function namesExactly({ fault, whole: { record }, results, amiss }: FaultyRun): void {
  const { breaks, names } = fault;
  expectNamed(results, fault);
  if (fault.alone !== undefined) expectAlone(results, fault);
  // A variation that its check asked and did not speak of.
  const unsaid = casesOf(results).filter(({ unanswered = [] }) => unanswered.some(({ reason }) => reason === UNSAID));
  expect(unsaid.map(({ id }) => id)).toEqual([]);
  const roots = rootsOf({ record, results });
  expect(breaks).toContain(roots[0]);
  expect(roots.length).toBeLessThanOrEqual(breaks.length);
  const cases = casesOf(results).filter(({ id }) => id.startsWith(`${breaks[0]}/`));
  if (names !== undefined) expect(cases.find(({ operation }) => operation === names[0])?.reason).toMatch(names[1]);
  const seqs = new Set(record.exchanges.map(({ seq }) => seq));
  const findings = cases.flatMap((one) => one.findings);
  expect(findings.length).toBeGreaterThan(0);
  const isSaid = findings.map(({ expected, actual, where, example }) => [
    ...[expected, actual, where].map((phrase) => phrase.trim() !== ''),
    seqs.has(example),
  ]);
  expect(isSaid.flat()).not.toContain(false);
  // A warning never fails a run unless it is strict; it may leave a must case without its control (3).
  const isWarning = !breaks.some(isBinding);
  expect(isWarning ? [0, 3] : [1]).toContain(EXIT_OF[results.verdict]);
  const strictly = isWarning ? resultsOf({ ...record, header: { ...record.header, strict: true } }) : results;
  expect(EXIT_OF[strictly.verdict]).toBe(1);
  expect(results.counts.calls - results.counts.unplannedCalls).toBeLessThanOrEqual(MOST_PLANNED);
  expect(amiss).toEqual([]);
}

/** Second reading: its record is run again without the target, and comes out the same. */
const rerunsToTheSame = ({ whole }: FaultyRun): Promise<void> => comesOutTheSame(whole.record);

const byAnswer = (id: string): boolean => !['pair', undefined].includes(requirementById(id)?.traffic);

/** Third reading: judged as somebody else's traffic, it shows nothing that the run does not say. */
async function trafficSaysNoMore({ fault, whole: { record }, results }: FaultyRun): Promise<boolean> {
  const shown = brokenInTraffic(await judgeEvidence({ record, results }));
  expect(shown.filter((id) => !mayBeShown(fault).includes(id))).toEqual([]);
  return fault.breaks.filter(byAnswer).every((id) => shown.includes(id));
}

/** The record without the first exchange that shows the fault: the line that its owner would like to leave out. */
function withoutFailure({ whole, results }: FaultyRun): Certification {
  const [example] = casesOf(results).flatMap(({ findings }) => findings.map((finding) => finding.example));
  const exchanges = whole.record.exchanges.filter(({ seq }) => seq !== example);
  return { ...whole, record: { ...whole.record, exchanges: exchanges.map((one, at) => ({ ...one, seq: at + 1 })) } };
}

/** Fourth reading: its bundle verifies; with one line edited it does not, whether or not that is signed again. */
async function verifiesUnedited(run: FaultyRun): Promise<void> {
  const made = makeBundle(run.whole, keys.own);
  const isAttested = made.outcome.kind === 'attested';
  const rejection = await rejectionOf(bytesOf(made), keys.known);
  expect(rejection).toEqual(isAttested ? null : expect.stringMatching(/\w/));
  if (isAttested) expect(await rejectionOf(editedIn(made), keys.known)).toMatch(/has the digest/);
  expect(await rejectionOf(bytesOf(signedAnyway(withoutFailure(run), keys.own)), keys.known)).toMatch(/\w/);
}

/** The files with the first line of the exchanges edited. */
function editedIn(bundle: Bundle) {
  const bytes = bytesOf(bundle);
  const name = 'exchanges.ndjson';
  const text = Buffer.from(bytes.get(name) ?? []).toString();
  return new Map([...bytes, [name, Buffer.from(text.replace('"status":200', '"status":201'))]]);
}

/** Fifth reading: each file of its report folder is what it says it is. */
async function reportsParse({ whole: { record }, results }: FaultyRun): Promise<void> {
  expect(await complaintsAbout({ results, exchanges: record.exchanges, choices: choicesOf(record) })).toEqual([]);
}

/** The first fault of each requirement. */
export function firstFaults(): readonly Fault[] {
  return FAULTS.filter((fault, at) => FAULTS.findIndex(({ breaks }) => breaks[0] === fault.breaks[0]) === at);
}

/** The other faults, those of single cases among them. */
export function otherFaults(): readonly Fault[] {
  const first = new Set(firstFaults());
  return [...FAULTS.filter((fault) => !first.has(fault)), ...CASE_FAULTS];
}

/** Traffic lacks what the run knows of its requests, so that a few faults do not show there; nine of ten do. */
const LEAST_SHOWN = 0.9;
/** Of the eight faults of the short project one may be such a fault. */
const ENOUGH_TO_WEIGH = 20;

/** Registers the five readings of these faults; `words` say how many of a list they are. */
export function proveFaults(faults: readonly Fault[], words: string): void {
  const inTraffic: boolean[] = [];

  describe.each(faults)(`the run against $name (${words})`, (fault) => {
    let run: FaultyRun;
    beforeAll(async () => {
      run = await runOf(fault);
    });
    afterAll(() => {
      // Five hundred records would not fit into memory with ease.
      run = undefined as unknown as FaultyRun;
    });
    test('names exactly what it breaks', () => namesExactly(run));
    test('comes out the same from its record', () => rerunsToTheSame(run));
    test('shows as traffic what the run says, and nothing else', async () => {
      inTraffic.push(await trafficSaysNoMore(run));
    });
    test('has a bundle that verifies, and does not with one line edited', () => verifiesUnedited(run));
    test('has reports that others can read', () => reportsParse(run));
  });

  if (faults.length >= ENOUGH_TO_WEIGH) {
    test('most faults show in traffic', () => {
      // Where one fault alone was asked for, there is nothing to weigh.
      if (inTraffic.length < faults.length) return;
      expect(inTraffic.filter(Boolean).length / inTraffic.length).toBeGreaterThan(LEAST_SHOWN);
    });
  }
}
