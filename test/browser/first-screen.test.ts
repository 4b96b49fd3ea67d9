import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RunArtefacts } from '../../src/report/model.ts';
import { faultyRun, shortened } from '../unit/report/real-runs.ts';
import { browserTest, expectQuiet, Reader } from './reader.ts';

const test = browserTest(import.meta.url);

let reader: Reader;
let faulty: RunArtefacts;

beforeAll(async () => {
  reader = await Reader.start();
  faulty = shortened(await faultyRun());
});

afterAll(() => reader.stop());

describe('the first screen of a failing run', () => {
  test('keeps the filter in its address', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    await page.getByRole('checkbox', { name: /fail/ }).check();
    await page.getByLabel('Operation', { exact: true }).selectOption('listTrunks');
    await page.getByRole('searchbox').fill('list-status');
    await page.locator('#shown', { hasText: /^1 of/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?verdict=fail&operation=listTrunks&q=list-status');
    await page.reload();
    expect(await page.locator('#shown').textContent()).toMatch(/^1 of/);
    expect(await page.getByRole('checkbox', { name: /fail/ }).isChecked()).toBe(true);
    // A link to a case that the filter hides shows everything again.
    await page.locator('#why a').first().click();
    await page.locator('#shown', { hasText: /^\d+ cases$/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.locator('#case-ERROR-ENVELOPE-createCall').getAttribute('open')).not.toBeNull();
    expectQuiet(opened);
  });

  test('shows the verdict and a cause with its request on the first screen, and leads to the exchange', async () => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const opened = await reader.open(faulty, { width, height });
      const { page } = opened;
      const [cause] = await page.locator('.entry').all();
      const box = await cause?.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      const link = page.locator('.entry .aside a').first();
      const id = (await link.getAttribute('href')) ?? '';
      await link.click();
      await page.locator(id).waitFor({ state: 'visible' });
      expectQuiet(opened);
    }
  });
});
