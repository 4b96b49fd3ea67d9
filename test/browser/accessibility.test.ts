import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
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

/** Colours depend on the scheme alone, everything else on the width alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
const COLOURS = { runOnly: { type: 'rule', values: COLOUR_RULES } };
const ALL_BUT_COLOURS = { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) };

async function violations(page: Page, rules: object = {}): Promise<readonly string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const results = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.length} ${nodes[0]?.html.slice(0, 160)}`);
}

describe.each(Object.keys(RUNS) as readonly (keyof typeof RUNS)[])('the page of %s', (name) => {
  let page: Page;

  beforeAll(async () => {
    page = (await reader.open(await RUNS[name](), { width: 1440 })).page;
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    await page.evaluate(AXE);
  });

  afterAll(() => page.context().close());

  test('has no accessibility violation, light', async () => {
    expect(await violations(page)).toEqual([]);
  });

  test('has no accessibility violation, dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, COLOURS)).toEqual([]);
  });

  test('has no accessibility violation on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await violations(page, ALL_BUT_COLOURS)).toEqual([]);
  });
});
