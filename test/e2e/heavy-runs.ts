/** Runs that cost much: test/e2e does a small one of each, test/long the size that a user may meet. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { command, commandProcess, emptyFolder } from './command.ts';
import { behindFlakyProxy } from './flaky-proxy.ts';
import { live } from './live.ts';
import { measured } from './measured.ts';

/** Seeds from 1. */
export const seedsTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1);

/** From one to ten in a hundred, in turn. */
const shareOf = (seed: number): number => (((seed - 1) % 10) + 1) / 100;

/** Demands that a lawful service is accused under none of the seeds while a network loses its answers. */
export async function demandNoAccusation(seeds: readonly number[]): Promise<void> {
  const accused: string[] = [];
  const verdicts = new Map<string, number>();
  for (const seed of seeds) {
    const { service, settings } = createReference();
    let lost = 0;
    const seen = () => {
      lost += 1;
    };
    const flaky = behindFlakyProxy(service, { seed, share: shareOf(seed), seen });
    const { results } = await judge(flaky, optionsFrom(settings, { seed }));
    if (results.verdict !== 'conformant' && results.verdict !== 'incomplete')
      accused.push(`${seed}: ${results.summary}`);
    verdicts.set(results.verdict, (verdicts.get(results.verdict) ?? 0) + 1);
    const listed = results.intermittent.flatMap(({ exchanges }) => exchanges).length;
    expect([seed, listed > 0]).toEqual([seed, lost > 0]);
  }
  expect(accused).toEqual([]);
  expect(verdicts.get('conformant') ?? 0).toBeGreaterThan(0);
}

/** Demands that a lossy proxy before a lawful service makes no run with these words fail, and that losses are listed. */
export async function demandNoAccusationOverSockets(words: readonly string[]): Promise<void> {
  const wrap = (service: Parameters<typeof behindFlakyProxy>[0]) => behindFlakyProxy(service, { seed: 3, share: 0.04 });
  await live({ wrap }, async ({ env }) => {
    const folder = emptyFolder();
    const { code } = await command(words, env, folder);
    expect([0, 3]).toContain(code);
    const results = JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));
    expect(results.intermittent.length).toBeGreaterThan(0);
  });
}

/** Demands that an exploration of so many requests is sent in a small heap, within the cap on calls. */
export async function demandDeepExploration(requests: number): Promise<void> {
  await live({}, async ({ reference, env }) => {
    const heap = { ...env, NODE_OPTIONS: '--max-old-space-size=128' };
    const words = ['run', '--profile', 'full', '--explore', String(requests), '--quiet'];
    const { code } = await commandProcess(words, heap);
    expect(code).toBe(0);
    expect(reference.inspect().requests.length).toBeGreaterThan(requests);
    expect(reference.inspect().callsAccepted).toBeLessThanOrEqual(12);
    expect(reference.inspect().callsOpen).toBe(0);
  });
}

const MOST_MEMORY = 300;

/** Demands that errors nested so deep are judged by their envelope, within 300 MiB. */
export async function demandDeepErrors(levels: number, words: readonly string[]): Promise<void> {
  const deep = '['.repeat(levels) + ']'.repeat(levels);
  const wrap: NonNullable<Parameters<typeof live>[0]['wrap']> = (service) => async (request) => {
    const reply = await service(request);
    return reply.status < 400 || reply.body === null
      ? reply
      : { ...reply, body: `${String(reply.body).replace(/}$/, '')},"deep":${deep}}` };
  };
  await live({ wrap }, async ({ env }) => {
    const run = await measured(['run', ...words, '--max-wait', '2'], env);
    expect([run.code, run.out]).toEqual([0, expect.stringContaining('CONFORMANT')]);
    expect(run.peak).toBeLessThan(MOST_MEMORY);
  });
}
