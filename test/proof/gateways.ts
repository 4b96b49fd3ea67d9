/** Judges lawful services behind gateways, in virtual time. */

import { chance } from '../../fixtures/gateways/drawn.ts';
import type { Gateway, Surroundings } from '../../fixtures/gateways/gateways.ts';
import type { Reference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';
import { judge, optionsFrom, transportTo } from '../selftest/harness.ts';
import { casesOf, type Help, isBroken, isMust } from '../selftest/judged.ts';
import { declaredOpen } from '../selftest/prove.ts';
import { accusationsIn, helpFrom, isFinal, type RuleSet } from '../selftest/rules.ts';
import type { Choices } from '../selftest/sample.ts';
import { parallelClock } from './hanging.ts';

/** What a run came to. */
export interface Judgement {
  readonly record: RunRecord;
  readonly results: Results;
  readonly seconds: number;
  /** Cases that count against the service, with their reasons. */
  readonly accused: readonly string[];
  /** Binding cases that stay open, with their reasons. */
  readonly open: readonly string[];
  /** Those of them that name no remedy. */
  readonly unhelped: readonly string[];
  readonly callsOpen: number;
  /** Ids of what is not as it was before the run. */
  readonly changedIds: readonly string[];
}

/** A service, and what it lies behind: the last gateway is met first. */
export interface Behind {
  readonly gateways: readonly Gateway[];
  readonly seed?: number;
  readonly choices?: Choices;
  readonly rules?: RuleSet;
  /** What its operator knows about the service. */
  readonly help?: Help;
  /** What the service itself does otherwise than the reference service. */
  readonly within?: (service: Service, reference: Reference) => Service;
  readonly changes?: Partial<RunOptions>;
}

/** What an operator may change between two runs. */
interface Advice {
  readonly help?: Help | undefined;
  readonly changes?: Partial<RunOptions> | undefined;
}

/** Judges a service, and lets time pass between two runs. */
interface Standing {
  (advice: Advice): Promise<Judgement>;
  later(milliseconds: number): Promise<void>;
}

/** The service behind its gateways, which go on from run to run. */
function standing(behind: Omit<Behind, 'help' | 'changes'>): Standing {
  const { gateways, seed = 1, choices = {}, rules = [], within } = behind;
  const clock = parallelClock();
  const reference = createVariant(choices, { now: clock.now, wait: clock.sleep, policy: { rules, longList: 60 } });
  const { PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN } = reference.settings;
  const tokens = [PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN].map((token) => `Bearer ${token}`);
  const surroundings: Surroundings = {
    now: clock.now,
    wait: clock.sleep,
    random: chance(seed),
    isValid: ({ headers }) => tokens.includes(headers['authorization'] ?? ''),
  };
  const own = within?.(reference.service, reference) ?? reference.service;
  const service = gateways.reduce((inner, gateway) => gateway(surroundings)(inner), own);
  const toService = transportTo(service);
  const judgeOnce = async ({ help, changes }: Advice): Promise<Judgement> => {
    reference.ringAgain();
    reference.unmute();
    const before = reference.inspect().restorable;
    const settings = { ...reference.settings, ...help?.settings };
    const samples = { ...(samplesOf(choices) as RunOptions['samples']), ...help?.samples };
    const options = optionsFrom(settings, { samples, ...changes });
    const run = await judge(service, options, clock, async (request) => {
      const late = clock.sleep(request.timeout).then(() => LATE);
      return Promise.race([toService(request), late]);
    });
    return judgementOf(run, reference, before);
  };
  return Object.assign(judgeOnce, { later: clock.sleep });
}

/** A run against the service behind its gateways. */
export const judgeBehind = ({ help, changes, ...behind }: Behind): Promise<Judgement> =>
  standing(behind)({ help, changes });

function judgementOf(
  { record, results }: Awaited<ReturnType<typeof judge>>,
  reference: Reference,
  before: Readonly<Record<string, unknown>>,
): Judgement {
  const after = reference.inspect().restorable;
  const cases = casesOf(results);
  const openCases = cases.filter((one) => isMust(one) && one.verdict === 'inconclusive');
  const named = (list: typeof cases) => list.map(({ id, reason, remedy }) => `${id}: ${reason} (${remedy})`);
  return {
    record,
    results,
    seconds: Math.max(0, ...record.exchanges.map(({ at, took }) => at + took)) / 1_000,
    accused: named(cases.filter(isBroken)),
    open: named(openCases),
    unhelped: named(openCases.filter(({ remedy }) => remedy === undefined)),
    callsOpen: reference.inspect().callsOpen,
    changedIds: Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id])),
  };
}

const LATE = { kind: 'failure', failure: 'timeout', detail: 'no response came in time' } as const;

/** Limits by the flag that a remedy names. */
const LIMITS: readonly (readonly [flag: string, changes: Partial<RunOptions>])[] = [
  ['--max-wait', { maxWait: 3_600_000 }],
  ['--credential-pause', { credentialPause: 5_000 }],
  ['--max-calls', { maxCalls: 60 }],
  ['--max-requests', { maxRequests: 10_000 }],
  ['lower --rate', { rate: 2 }],
  ['--timeout', { timeout: 30_000 }],
];

/** A lawful service, and what it lies behind. */
export type Lawful = Omit<Behind, 'help' | 'changes'>;

/** A variant may well ignore a recommendation; the reference and a service with rules do not. */
function accusedIn({ choices = {}, rules = [] }: Lawful, results: Results): readonly string[] {
  const isVariant = Object.keys(choices).length > 0 && rules.length === 0;
  if (!isVariant) return accusationsIn(rules, results, 'behind gateways');
  const accused = casesOf(results).filter((one) => isBroken(one) && isMust(one));
  return accused.map(({ id, reason }) => `accused of ${id}: ${reason}`);
}

/** Number of times that the remedies of a run are followed: what one run could not come to, the next one names. */
const MOST_RUNS = 4;

/** What is wrong with the runs against the service, its remedies followed: it is accused, or a remedy does not help. */
export async function problemsWith(service: Lawful): Promise<readonly string[]> {
  const declared = declaredOpen(service.choices ?? {});
  const judgeAgain = standing(service);
  let [help, changes]: [Help | undefined, Partial<RunOptions>] = [undefined, {}];
  let left: readonly string[] = [];
  // Calls that an earlier run left open, and named, stay open.
  let named = 0;
  for (let run = 0; run < MOST_RUNS; run += 1) {
    // Nobody follows a remedy within a minute, so what locked out or limited the last run is over.
    if (run > 0) await judgeAgain.later(60_000);
    const { results, callsOpen, record } = await judgeAgain({ help, changes });
    const accused = accusedIn(service, results);
    named += record.possiblyOpen.length;
    const unnamed = callsOpen > named ? ['a call is open that the run does not name'] : [];
    if (accused.length + unnamed.length > 0) return [...accused, ...unnamed];
    const open = casesOf(results).filter((one) => isMust(one) && one.verdict === 'inconclusive');
    const due = open.filter((one) => !isFinal(one) && !isDeclared(one.id, declared));
    left = due.map(({ id, reason, remedy }) => `${id}: ${reason} (${remedy})`);
    const said = [results.endedEarly ?? '', ...due.map(({ remedy = '' }) => remedy)];
    const unhelped = due.filter(({ remedy }) => remedy === undefined && results.endedEarly === null);
    if (due.length === 0 || unhelped.length > 0) return unhelped.map(({ id, reason }) => `no remedy: ${id}: ${reason}`);
    const limits = LIMITS.filter(([flag]) => said.some((one) => one.includes(flag))).map(([, one]) => one);
    changes = Object.assign({}, changes, ...limits);
    help = service.rules === undefined || service.rules.length === 0 ? undefined : helpFrom(service.rules, due);
  }
  return left.map((one) => `open although each remedy was followed: ${one}`);
}

const isDeclared = (id: string, declared: readonly string[]): boolean =>
  declared.some((one) => new RegExp(`^${one.replaceAll('*', '.*')}$`).test(id));
