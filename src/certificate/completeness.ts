/** Whether a certification was asked everything: profile, depth, plan and order are what the nonce and the catalogue say. */

import { gapById } from '../contract/gaps.ts';
import { OPERATION_IDS, type ResourceKind } from '../contract/operations.ts';
import { requirementById } from '../contract/requirements/index.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { DEFAULTS } from '../run/defaults.ts';
import { Kit } from '../run/kit.ts';
import { drawnOrder } from '../run/lanes.ts';
import type { RunOptions } from '../run/options.ts';
import { planRun, type Suite } from '../run/plan.ts';
import type { Sequence } from '../run/sequence.ts';
import type { RunHeader, RunRecord } from '../verdict/record.ts';
import { PREFLIGHT } from '../verdict/record.ts';
import { canonicalJson } from './canonical.ts';
import { type Particulars, type PlannedSequence, plannedSequence } from './certification.ts';
import { Disagreement } from './disagreement.ts';
import { seedOf } from './nonce.ts';

const CASE_HEADER = 'x-conformance-case';

/** What the engine sends beside the plan: first looks, clean-up, and controls between repetitions. */
const BESIDE = new RegExp(`^(${PREFLIGHT}|clean-up\\b)`);
const BETWEEN = /(, refused)?( \(control\))?$/;

/** Digits alone, so that nothing is planned but what is planned with any id, number or credential. */
const SOME_ID = '11111111-1111-4111-8111-111111111111';
const SOME_NUMBER = '+15550100';
const SOME_CREDENTIAL = '1';

const RESOURCES = Object.entries(SETTING_OF) as readonly (readonly [ResourceKind, string])[];

/** A kit that plans what that run planned, whatever its settings held: only which of them were there is known. */
function kitOf({ target, profile, without, strict, seed, settings }: RunHeader): Kit {
  const has = (name: string): boolean => settings.includes(name);
  const resources = RESOURCES.filter(([, name]) => has(name)).map(([kind]) => [kind, SOME_ID]);
  const other = has('PCS_OTHER_ORG_ACCESS_TOKEN') ? { otherOrganization: SOME_CREDENTIAL } : {};
  const revoked = has('PCS_REVOKED_ACCESS_TOKEN') ? { revoked: SOME_CREDENTIAL } : {};
  const options: RunOptions = {
    ...DEFAULTS,
    ...{ baseUrl: target, profile, without: without as RunOptions['without'], strict, seed },
    credentials: { access: SOME_CREDENTIAL, ...other, ...revoked },
    numbers: has('PCS_CALL_FROM') ? { from: SOME_NUMBER, to: SOME_NUMBER } : null,
    resources: Object.fromEntries(resources),
    ...(has('PCS_RINGING_CALL_ID') ? { ringingCallId: SOME_ID } : {}),
  };
  return new Kit(options, '');
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

function isKnownAsk(ask: string): boolean {
  const [id = ''] = ask.split('#', 1);
  return requirementById(id) !== undefined || gapById(id) !== undefined;
}

const isMust = (ask: string): boolean => requirementById(ask.split('#', 1)[0] ?? '')?.level === 'must';

/** What the record says that each sequence asked, or could not ask. */
function askedIn({ exchanges, withheld }: RunRecord): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  const note = (sequence: string, asks: readonly string[]): void => {
    const name = sequence.replace(BETWEEN, '');
    asked.set(name, new Set([...(asked.get(name) ?? []), ...asks]));
  };
  for (const { tag } of exchanges) note(tag.sequence, tag.asks);
  for (const { sequence, serves } of withheld) note(sequence, serves);
  return asked;
}

function demandSequences(record: RunRecord, sequences: readonly PlannedSequence[], kit: Kit): void {
  const unknown = sequences.find(({ operation, serves }) => !isAsked(operation) || !serves.every(isKnownAsk));
  if (unknown !== undefined) throw new Disagreement(`the sequence "${unknown.name}" serves what no catalogue knows`);
  if (canonicalJson(drawnOrder(sequences, kit)) !== canonicalJson(sequences)) {
    throw new Disagreement('plan.json is not in the order that the nonce gives');
  }
  const asked = askedIn(record);
  for (const { name, serves } of sequences) {
    // A sequence that serves nothing only tidies up or borrows what is there: it may have had nothing to do.
    if (serves.length > 0 && !asked.has(name)) {
      throw new Disagreement(`the sequence "${name}" was planned, and nothing is recorded of it`);
    }
    const open = serves.find((ask) => isMust(ask) && asked.get(name)?.has(ask) !== true);
    if (open !== undefined)
      throw new Disagreement(`the sequence "${name}" was to ask ${open}, and nothing recorded did`);
  }
  const names = new Set(sequences.map(({ name }) => name));
  const stranger = [...asked.keys()].find((name) => !names.has(name) && !BESIDE.test(name));
  if (stranger !== undefined) throw new Disagreement(`the sequence "${stranger}" was recorded, and it was not planned`);
}

/** An id without letters is the same in lower and in upper case, and then the strands are named otherwise. */
function spelledAlike({ serves, ...rest }: PlannedSequence): string {
  return canonicalJson({ ...rest, serves: serves.map((ask) => ask.replace(/ (lower|upper) case( \d+)?$/, '')) });
}

/** Whoever signs could leave a sequence out of the plan and of the record alike: the suite knows what it plans. */
function demandPlanned(sequences: readonly PlannedSequence[], due: readonly Sequence[]): void {
  const planned = new Map(sequences.map((sequence) => [sequence.name, spelledAlike(sequence)]));
  const missing = due.find((sequence) => planned.get(sequence.name) !== spelledAlike(plannedSequence(sequence)));
  if (missing === undefined) return;
  throw new Disagreement(`plan.json lacks the sequence "${missing.name}", or has it otherwise than the suite plans it`);
}

/** Throws `Disagreement` where a part of what is certified was not asked, or was asked otherwise than planned. */
export function demandComplete(
  record: RunRecord,
  sequences: readonly PlannedSequence[],
  particulars: Particulars,
  suites: readonly Suite[],
): void {
  const { header, plan, exchanges } = record;
  demandHeader(header, particulars);
  const kit = kitOf(header);
  const due = planRun(suites, kit);
  if (canonicalJson(plan) !== canonicalJson(due.cases)) {
    throw new Disagreement('plan.json does not hold the cases that the catalogue gives for this profile');
  }
  demandSequences(record, sequences, kit);
  demandPlanned(sequences, due.sequences);
  const told = exchanges.find(({ request }) => request.headers.some(([name]) => name.toLowerCase() === CASE_HEADER));
  if (told !== undefined) throw new Disagreement(`exchange ${told.seq} told the target which case it was`);
}
