/** Whether a certification was asked everything: profile, depth, plan and order are what the nonce and the catalogue say. */

import { gapById } from '../contract/gaps.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { requirementById } from '../contract/requirements/index.ts';
import { DEFAULTS } from '../engine/defaults.ts';
import { Kit } from '../engine/kit.ts';
import { drawnOrder } from '../engine/lanes.ts';
import type { RunOptions } from '../engine/options.ts';
import { planRun } from '../engine/plan.ts';
import { PREFLIGHT } from '../engine/preflight.ts';
import type { RunHeader, RunRecord } from '../engine/record.ts';
import { canonicalJson } from './canonical.ts';
import type { Particulars, PlannedSequence } from './certification.ts';
import { Disagreement } from './disagreement.ts';
import { seedOf } from './nonce.ts';

const CASE_HEADER = 'x-conformance-case';

/** What the engine sends beside the plan: first looks, clean-up, and controls between repetitions. */
const BESIDE = new RegExp(`^(${PREFLIGHT}|clean-up\\b)`);
const BETWEEN = /(, refused)?( \(control\))?$/;

function kitOf({ target, profile, without, strict, seed }: RunHeader): Kit {
  const narrowed = without as RunOptions['without'];
  return new Kit(
    { ...DEFAULTS, baseUrl: target, credentials: { access: '' }, profile, without: narrowed, strict, seed },
    '',
  );
}

function demandHeader(header: RunHeader, { suite, nonce }: Particulars): void {
  const wrong = [
    [header.profile === 'full', `the profile is ${header.profile}, and only full is certified`],
    [header.only.length === 0, 'a filter was set'],
    [header.runs === 0, 'the depth was not the fixed one'],
    [header.seed === seedOf(nonce), `the seed is ${header.seed}, and the nonce gives ${seedOf(nonce)}`],
    [canonicalJson(header.suite) === canonicalJson(suite), 'record.json names another suite than manifest.json'],
  ] as const;
  for (const [holds, phrase] of wrong) if (!holds) throw new Disagreement(phrase);
}

const isAsked = (operation: string): boolean =>
  operation === 'undocumented' || (OPERATION_IDS as readonly string[]).includes(operation);

function isKnownAsk(id: string): boolean {
  return requirementById(id) !== undefined || gapById(id) !== undefined;
}

function demandSequences({ exchanges, withheld }: RunRecord, sequences: readonly PlannedSequence[], kit: Kit): void {
  const names = new Set(sequences.map(({ name }) => name));
  const unknown = sequences.find(({ operation, serves }) => !isAsked(operation) || !serves.every(isKnownAsk));
  if (unknown !== undefined) throw new Disagreement(`the sequence "${unknown.name}" serves what no catalogue knows`);
  if (canonicalJson(drawnOrder(sequences, kit)) !== canonicalJson(sequences)) {
    throw new Disagreement('plan.json is not in the order that the nonce gives');
  }
  const seen = new Set([...exchanges.map(({ tag }) => tag.sequence), ...withheld.map(({ sequence }) => sequence)]);
  // A sequence that serves nothing only tidies up or borrows what is there: it may have had nothing to do.
  const idle = sequences.find(({ name, serves }) => serves.length > 0 && !seen.has(name));
  if (idle !== undefined)
    throw new Disagreement(`the sequence "${idle.name}" was planned, and nothing is recorded of it`);
  const isKnown = (name: string): boolean => names.has(name.replace(BETWEEN, '')) || BESIDE.test(name);
  const stranger = [...seen].find((name) => !isKnown(name));
  if (stranger !== undefined) throw new Disagreement(`the sequence "${stranger}" was recorded, and it was not planned`);
}

/** Throws `Disagreement` where a part of what is certified was not asked, or was asked otherwise than planned. */
export function demandComplete(
  record: RunRecord,
  sequences: readonly PlannedSequence[],
  particulars: Particulars,
): void {
  const { header, plan, exchanges } = record;
  demandHeader(header, particulars);
  const kit = kitOf(header);
  const { cases } = planRun([], kit);
  if (canonicalJson(plan) !== canonicalJson(cases)) {
    throw new Disagreement('plan.json does not hold the cases that the catalogue gives for this profile');
  }
  demandSequences(record, sequences, kit);
  const told = exchanges.find(({ request }) => request.headers.some(([name]) => name.toLowerCase() === CASE_HEADER));
  if (told !== undefined) throw new Disagreement(`exchange ${told.seq} told the target which case it was`);
}
