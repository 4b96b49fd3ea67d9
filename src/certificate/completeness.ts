/**
 * Whether a certification asked everything: its catalogue, profile, plan and order are those of this suite and the
 * nonce, and the record shows every sequence. Running the record again will replace this file.
 */

import { REQUIREMENTS, requirementById } from '../../suites/catalogue.ts';
import { plannerFor } from '../../suites/index.ts';
import { gapById } from '../../suites/observations/index.ts';
import { OPERATION_IDS, OPERATIONS, type ResourceKind } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import { SETTING_OF } from '../contract/settings.ts';
import type { Ask } from '../exchange/exchange.ts';
import type { RequestBuilder } from '../run/builder.ts';
import { DEFAULTS } from '../run/defaults.ts';
import { drawnOrder } from '../run/lanes.ts';
import type { RunOptions } from '../run/options.ts';
import { planRun } from '../run/plan.ts';
import type { Suite } from '../run/requirement.ts';
import type { RunHeader, RunRecord } from '../verdict/record.ts';
import { canonicalJson, Disagreement, sha256 } from './bundle-files.ts';
import { type Particulars, seedOf } from './certification.ts';
import { type PlannedSequence, plannedSequence, type Recorded } from './record-files.ts';

let digest: string | undefined;

/** Version and digest of this suite's requirements, operations and readings. */
export function catalogueOf(version: string): Particulars['catalogue'] {
  digest ??= sha256(canonicalJson({ requirements: REQUIREMENTS, operations: OPERATIONS, readings: READINGS }));
  return { version, sha256: digest };
}

/** What the engine sends besides the plan: preflight, clean-up, and controls between repetitions. */
const UNPLANNED = /^(preflight\/|clean-up\b)/;

/** Digits alone, so that the plan is the same for any id, number or credential. */
const SOME_ID = '11111111-1111-4111-8111-111111111111';
const SOME_NUMBER = '+15550100';
const SOME_CREDENTIAL = '1';

/** A builder that plans what that run planned: the record names the settings that were present, not their values. */
function plannerOf({ target, profile, without, strict, seed, settings }: RunHeader): RequestBuilder {
  const has = (name: string): boolean => settings.includes(name);
  const kinds = Object.entries(SETTING_OF) as readonly (readonly [ResourceKind, string])[];
  const options: RunOptions = {
    ...DEFAULTS,
    ...{ baseUrl: target, profile, without: without as RunOptions['without'], strict, seed },
    credentials: {
      access: SOME_CREDENTIAL,
      ...(has('PCS_OTHER_ORG_ACCESS_TOKEN') ? { otherOrganization: SOME_CREDENTIAL } : {}),
      ...(has('PCS_REVOKED_ACCESS_TOKEN') ? { revoked: SOME_CREDENTIAL } : {}),
    },
    numbers: has('PCS_CALL_FROM') ? { from: SOME_NUMBER, to: SOME_NUMBER } : null,
    resources: Object.fromEntries(kinds.flatMap(([kind, name]) => (has(name) ? [[kind, SOME_ID]] : []))),
    ...(has('PCS_RINGING_CALL_ID') ? { ringingCallId: SOME_ID } : {}),
  };
  return plannerFor(options);
}

function demandHeader(header: RunHeader, { suite, nonce, catalogue }: Particulars): void {
  const own = catalogueOf(suite.version);
  const facts = [
    [canonicalJson(catalogue) === canonicalJson(own), `the catalogue is ${catalogue.sha256}, not ${own.sha256}`],
    [header.profile === 'full', `the profile is ${header.profile}, and only full is certified`],
    [header.only.length === 0, 'a filter was set'],
    [header.runs === 0, 'the run had random cases'],
    [header.seed === seedOf(nonce), `the seed is ${header.seed}, but the nonce gives ${seedOf(nonce)}`],
    [canonicalJson(header.suite) === canonicalJson(suite), 'record.json and manifest.json name different suites'],
  ] as const;
  for (const [holds, phrase] of facts) if (!holds) throw new Disagreement(phrase);
}

function isKnown({ operation, asks }: PlannedSequence): boolean {
  if (operation !== 'undocumented' && !(OPERATION_IDS as readonly string[]).includes(operation)) return false;
  return asks.every(({ id }) => requirementById(id) !== undefined || gapById(id) !== undefined);
}

const keyOf = ({ id, variation }: Ask): string => canonicalJson([id, variation]);

/** What each sequence asked, or could not ask, according to the record. */
function askedIn({ exchanges, skipped }: RunRecord): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  const note = (sequence: string, asks: readonly Ask[]): void => {
    asked.set(sequence, new Set([...(asked.get(sequence) ?? []), ...asks.map(keyOf)]));
  };
  for (const { tag } of exchanges) note(tag.sequence, tag.asks);
  for (const { sequence, asks } of skipped) note(sequence, asks);
  return asked;
}

function demandRecorded({ record, sequences }: Recorded): void {
  const asked = askedIn(record);
  for (const { name, asks } of sequences) {
    // A sequence that asks nothing only cleans up or borrows: there may have been nothing to do.
    if (asks.length > 0 && !asked.has(name)) {
      throw new Disagreement(`the sequence "${name}" was planned, but nothing is recorded of it`);
    }
    const open = asks.find(
      (ask) => requirementById(ask.id)?.level === 'must' && asked.get(name)?.has(keyOf(ask)) !== true,
    );
    if (open === undefined) continue;
    throw new Disagreement(
      `the sequence "${name}" was planned to ask ${open.id} (${open.variation}), but nothing recorded did`,
    );
  }
  const names = new Set(sequences.map(({ name }) => name));
  const extra = [...asked.keys()].find((name) => !names.has(name) && !UNPLANNED.test(name));
  if (extra !== undefined) throw new Disagreement(`the sequence "${extra}" was recorded but not planned`);
}

/** Without letters, an id is the same in lower and upper case, and its variations have other names. */
function comparable({ name, operation, lane, asks }: PlannedSequence): string {
  const plain = asks.map(({ id, variation }) => [id, variation.replace(/ (lower|upper) case( \d+)?$/, '')]);
  return canonicalJson({ name, operation, lane, asks: plain });
}

/** The signer could remove a sequence from plan and record alike, so the suite plans again. */
function demandPlan({ record, sequences }: Recorded, suite: Suite, builder: RequestBuilder): void {
  const due = planRun(suite, builder);
  if (canonicalJson(record.plan) !== canonicalJson(due.cases)) {
    throw new Disagreement('plan.json does not hold the cases that the catalogue gives for this profile');
  }
  const unknown = sequences.find((sequence) => !isKnown(sequence));
  if (unknown !== undefined) throw new Disagreement(`the sequence "${unknown.name}" asks an unknown requirement`);
  if (canonicalJson(drawnOrder(sequences, builder)) !== canonicalJson(sequences)) {
    throw new Disagreement('plan.json is not in the order that the nonce gives');
  }
  const planned = new Map(sequences.map((sequence) => [sequence.name, comparable(sequence)]));
  const missing = due.sequences.find((one) => planned.get(one.name) !== comparable(plannedSequence(one)));
  if (missing === undefined) return;
  throw new Disagreement(`plan.json lacks the sequence "${missing.name}" or changes it`);
}

/** Throws `Disagreement` if a part of a certification was not asked, or was asked differently. */
export function demandComplete(recorded: Recorded, particulars: Particulars, suite: Suite): void {
  const { header, exchanges } = recorded.record;
  demandHeader(header, particulars);
  demandPlan(recorded, suite, plannerOf(header));
  demandRecorded(recorded);
  const told = exchanges.find(({ request: { headers } }) =>
    headers.some(([name]) => name.toLowerCase() === 'x-conformance-case'),
  );
  if (told !== undefined) throw new Disagreement(`exchange ${told.seq} told the target which case it was`);
}
