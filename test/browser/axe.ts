/** What axe-core finds on a page with everything unfolded. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Colours depend on the scheme alone, everything else on the width alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;
export const COLOURS = { runOnly: { type: 'rule', values: COLOUR_RULES } };
export const ALL_BUT_COLOURS = { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) };

/** Opens whatever can be unfolded, and brings axe-core into the page. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
  await page.evaluate(AXE);
}

/** The violations on an unfolded page. */
export async function violations(page: Page, rules: object = {}): Promise<readonly string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const results = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.length} ${nodes[0]?.html.slice(0, 160)}`);
}
