import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MADE } from '../unit/report/made-run.ts';
import { faultyRun, referenceRun } from '../unit/report/real-runs.ts';
import { Reader } from './reader.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CHOICES = [{ gap: 'GAP-SUCCESS-CODES', operation: 'getTrunk', choice: '200' }] as const;

const RUNS = {
  'a failing run': faultyRun,
  'a conformant run': referenceRun,
  'a run with every verdict': async () => ({ ...MADE, choices: CHOICES }),
} as const;

let reader: Reader;

beforeAll(async () => {
  reader = await Reader.start();
});

afterAll(() => reader.stop());

async function violations(name: keyof typeof RUNS, colorScheme: 'light' | 'dark', width: number) {
  const { page } = await reader.open(await RUNS[name](), { colorScheme, width });
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
  await page.evaluate(AXE);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  await page.context().close();
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.length} ${nodes[0]?.html.slice(0, 160)}`);
}

describe.each(Object.keys(RUNS) as readonly (keyof typeof RUNS)[])('the page of %s', (name) => {
  test.each(['light', 'dark'] as const)('has no accessibility violation, %s', async (colorScheme) => {
    expect(await violations(name, colorScheme, 1280)).toEqual([]);
  });

  test('has no accessibility violation on a narrow screen', async () => {
    expect(await violations(name, 'light', 400)).toEqual([]);
  });
});
