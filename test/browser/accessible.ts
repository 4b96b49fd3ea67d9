/** The proof that the page of a run is accessible: light, dark and on a narrow screen. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { ALL_BUT_COLOURS, COLOURS, unfold, violations } from './axe.ts';
import { browserTest, Reader } from './reader.ts';

const test = browserTest(import.meta.url);

/** Registers the proof for these pages. */
export function proveAccessible(pages: Readonly<Record<string, () => Promise<Parameters<Reader['open']>[0]>>>): void {
  let reader: Reader;

  beforeAll(async () => {
    reader = await Reader.start();
  });

  afterAll(() => reader.stop());

  describe.each(Object.entries(pages))('the page of %s', (_, run) => {
    let page: Page;

    beforeAll(async () => {
      page = (await reader.open(await run(), { width: 1440 })).page;
      await unfold(page);
    });

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
}
