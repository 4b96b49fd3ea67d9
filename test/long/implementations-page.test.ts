/** The page of implementations in a real browser: accessible, light and dark, on a narrow screen, with hostile names. */

import { afterAll, beforeAll, expect } from 'vitest';
import { compareImplementations, renderImplementations } from '../../src/certificate/implementations.ts';
import { ALL_BUT_COLOURS, COLOURS, unfold, violations } from '../browser/axe.ts';
import { browserTest, type Looking, Reader } from '../browser/reader.ts';
import { VERSION } from '../unit/certificate/certified.ts';
import { comparedBundles } from '../unit/certificate/compared.ts';

const test = browserTest(import.meta.url);

let reader: Reader;
let html = '';

beforeAll(async () => {
  reader = await Reader.start();
  html = renderImplementations(compareImplementations(await comparedBundles(), VERSION));
});

afterAll(() => reader.stop());

test.each<Looking & { readonly rules: object }>([
  { colorScheme: 'light', width: 1280, rules: {} },
  { colorScheme: 'dark', width: 1280, rules: COLOURS },
  { colorScheme: 'light', width: 390, rules: ALL_BUT_COLOURS },
])('is accessible and no wider than the screen: $colorScheme, $width', async ({ rules, ...looking }) => {
  const { page, requests, complaints } = await reader.openPage(html, looking);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(looking.width);
  await unfold(page);
  expect(await violations(page, rules)).toEqual([]);
  expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
});

test('shows a bundle that is not verifiable as such, and its name as text', async () => {
  const { page } = await reader.openPage(html);
  const broken = page.locator('.bundle.broken');
  expect(await broken.locator('h3').innerText()).toBe('<img src=x onerror=alert(1)>');
  expect(await broken.innerText()).toContain('Not verifiable');
  expect(await page.locator('img, script').count()).toBe(0);
});
