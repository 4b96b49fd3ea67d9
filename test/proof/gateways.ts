/** Judges lawful services behind gateways, in virtual time. */

import { expect, test } from 'vitest';
import { chance, drawnGateways } from '../../fixtures/gateways/drawn.ts';
import type { Gateway, Surroundings } from '../../fixtures/gateways/gateways.ts';
import type { Reference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { judge, optionsFrom, transportTo } from '../../src/selftest/harness.ts';
import { casesOf, isBroken, isMust } from '../../src/selftest/judged.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';
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
}

/** A service, and what it lies behind: the last gateway is met first. */
export interface Behind {
  readonly gateways: readonly Gateway[];
  readonly seed?: number;
  readonly choices?: Readonly<Record<string, string>>;
  /** What the service itself does otherwise than the reference service. */
  readonly within?: (service: Service, reference: Reference) => Service;
  readonly changes?: Partial<RunOptions>;
}

/** A run against the service behind its gateways. */
export async function judgeBehind({ gateways, seed = 1, choices = {}, within, changes }: Behind): Promise<Judgement> {
  const clock = parallelClock();
  const reference = createVariant(choices, { now: clock.now, wait: clock.sleep });
  const { settings } = reference;
  const tokens = [settings.PCS_ACCESS_TOKEN, settings.PCS_OTHER_ORG_ACCESS_TOKEN].map((token) => `Bearer ${token}`);
  const surroundings: Surroundings = {
    now: clock.now,
    wait: clock.sleep,
    random: chance(seed),
    isValid: ({ headers }) => tokens.includes(headers['authorization'] ?? ''),
  };
  const own = within?.(reference.service, reference) ?? reference.service;
  const service = gateways.reduce((inner, gateway) => gateway(surroundings)(inner), own);
  const toService = transportTo(service);
  const { record, results } = await judge(service, optionsFrom(settings, changes), clock, async (request) => {
    const late = clock.sleep(request.timeout).then(() => LATE);
    return Promise.race([toService(request), late]);
  });
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
  };
}

const LATE = { kind: 'failure', failure: 'timeout', detail: 'no response came in time' } as const;

/** Registers the proof that services behind the gateways of these seeds are not accused, and each open case has a remedy. */
export function proveDrawnGateways(seeds: readonly number[]): void {
  test.each(seeds.map((seed) => [drawnGateways(seed).name, seed] as const))('%s (seed %i)', async (_, seed) => {
    const { accused, unhelped, callsOpen, record } = await judgeBehind({
      gateways: drawnGateways(seed).gateways,
      seed,
    });
    expect({ accused, unhelped, unnamed: Math.max(0, callsOpen - record.possiblyOpen.length) }).toEqual({
      accused: [],
      unhelped: [],
      unnamed: 0,
    });
  });
}
