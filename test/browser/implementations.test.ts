/** The page of implementations in a real browser: accessible, light and dark, on a narrow screen, with hostile names. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareImplementations } from '../../src/certificate/implementations.ts';
import { renderImplementations } from '../../src/certificate/implementations-page.ts';
import { VERSION } from '../unit/certificate/certified.ts';
import { comparedBundles } from '../unit/certificate/compared.ts';
import { type Looking, Reader } from './reader.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let reader: Reader;
let html = '';

beforeAll(async () => {
  reader = await Reader.start();
  html = renderImplementations(compareImplementations(await comparedBundles(), VERSION));
});

afterAll(() => reader.stop());

test.each<Looking>([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
])('is accessible and no wider than the screen: $colorScheme, $width', async (looking) => {
  const { page, requests, complaints } = await reader.openPage(html, looking);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(looking.width);
  await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
  await page.evaluate(AXE);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  expect(results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)).toEqual([]);
  expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
  await page.context().close();
});

test('shows a bundle that is not verifiable as such, and its name as text', async () => {
  const { page } = await reader.openPage(html);
  const broken = page.locator('.bundle.broken');
  expect(await broken.locator('h3').innerText()).toBe('<img src=x onerror=alert(1)>');
  expect(await broken.innerText()).toContain('Not verifiable');
  expect(await page.locator('img, script').count()).toBe(0);
  await page.context().close();
});
