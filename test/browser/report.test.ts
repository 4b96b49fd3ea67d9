import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RunArtefacts } from '../../src/report/model.ts';
import { MADE } from '../unit/report/made-run.ts';
import { faultyRun, shortened } from '../unit/report/real-runs.ts';
import { browserTest, expectQuiet, Reader } from './reader.ts';

const test = browserTest(import.meta.url);

let reader: Reader;
let faulty: RunArtefacts;

beforeAll(async () => {
  reader = await Reader.start();
  faulty = shortened(await faultyRun({ only: ['PATH-SERVED', 'LIST-STATUS', 'ERROR-ENVELOPE'] }));
});

afterAll(() => reader.stop());

const failing = '#case-LIST-STATUS-listTrunks';

describe('the page of a failing run', () => {
  test('shows the verdict, the failing requirement, expected and actual', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    expect(await page.locator('h1').textContent()).toBe('NON-CONFORMANT (profile full, partial)');
    await page.getByRole('link', { name: 'LIST-STATUS/listTrunks: fail' }).click();
    expect(await page.locator(failing).getAttribute('open')).not.toBeNull();
    expect(await page.locator(`${failing} dl`).first().innerText()).toContain('206');
    expect(await page.locator(`${failing} .pair pre`).first().innerText()).toContain('GET /v1/trunks/');
    expectQuiet(opened);
  });

  test('filters by verdict, operation and words, and counts the cases shown', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    const total = faulty.results.requirements.reduce((sum, { cases }) => sum + cases.length, 0);
    const shown = page.getByRole('status').first();
    expect(await shown.textContent()).toBe(`${total} of ${total} cases shown`);
    await page.getByRole('checkbox', { name: /fail/ }).check();
    expect(await shown.textContent()).toBe(`${faulty.results.counts.cases.fail} of ${total} cases shown`);
    expect(await page.locator('#open').isVisible()).toBe(false);
    await page.getByLabel('Operation', { exact: true }).selectOption('listTrunks');
    await page.getByRole('searchbox').fill('list-status');
    await page.locator('#shown', { hasText: `1 of ${total}` }).waitFor();
    expect(await page.locator('.matrix tbody tr:not(.theme):visible').count()).toBe(1);
    expect(await page.locator('.card:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('a zebra');
    await page.locator('#shown', { hasText: `0 of ${total} cases shown` }).waitFor();
    expect(await page.locator('.card:visible').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.locator('#shown', { hasText: `${total} of ${total}` }).waitFor();
    expectQuiet(opened);
  });

  test('selects the rerun command as a whole by a click', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    await page.getByRole('link', { name: 'LIST-STATUS/listTrunks: fail' }).click();
    await page.locator(`${failing} .command`).last().click();
    expect(await page.evaluate('getSelection().toString()')).toMatch(
      /^npx pcs-conformance run --base-url http:\/\/service\.invalid .*--only LIST-STATUS\/listTrunks --seed \d+ /,
    );
    expectQuiet(opened);
  });

  test('is no wider than a narrow screen', async () => {
    const opened = await reader.open(faulty, { width: 360 });
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expectQuiet(opened);
  });
});

describe('the first screen of a failing run', () => {
  test('shows everything again behind a link to a case that the filter hides', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    const whole = await page.locator('#shown').textContent();
    await page.getByRole('searchbox').fill('list-status');
    await page.locator('#shown', { hasText: /^[1-9]\d? of \d{2,}/ }).waitFor();
    await page.locator('#why a').first().click();
    await page.locator('#shown', { hasText: whole ?? '' }).waitFor();
    expect(await page.locator('#case-ERROR-ENVELOPE-createCall').getAttribute('open')).not.toBeNull();
    expectQuiet(opened);
  });

  test('shows the verdict, the whole at a glance and the first cause on the first screen, and leads to the exchange', async () => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const opened = await reader.open(faulty, { width, height });
      const { page } = opened;
      const [cause] = await page.locator('.entry').all();
      const [map, title] = [await page.locator('.map').boundingBox(), await cause?.locator('h3').boundingBox()];
      expect((map?.y ?? height) + (map?.height ?? 0)).toBeLessThan(title?.y ?? 0);
      expect((title?.y ?? height) + (title?.height ?? 0)).toBeLessThanOrEqual(height);
      await page
        .context()
        .grantPermissions(['clipboard-write'])
        .catch(() => undefined);
      const copy = cause?.getByRole('button', { name: 'Copy curl' });
      await copy?.click();
      await cause?.locator('[aria-live]', { hasText: /^copied$|curl -sS/ }).waitFor();
      const link = page.locator('.entry .aside a').first();
      const id = (await link.getAttribute('href')) ?? '';
      await link.click();
      await page.locator(id).waitFor({ state: 'visible' });
      expectQuiet(opened);
    }
  });
});

describe('the keyboard', () => {
  test('stops only at what did not pass, and opens a case', async () => {
    const opened = await reader.open(faulty);
    const { page } = opened;
    const { fail, warning, inconclusive } = faulty.results.counts.cases;
    expect(await page.locator('.matrix td a').count()).toBe(fail + warning + inconclusive);
    await page.locator('.matrix').getByRole('link', { name: 'LIST-STATUS', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator(failing).getAttribute('open')).not.toBeNull();
    expectQuiet(opened);
  });
});

describe('a hostile target', () => {
  test('runs, loads and breaks nothing', async () => {
    const opened = await reader.open(MADE);
    const { page } = opened;
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    for (const link of await page.locator('.matrix td .badge').all()) await link.hover();
    await page.waitForTimeout(50);
    expect(await page.evaluate('typeof forged')).toBe('undefined');
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    expectQuiet(opened);
  });

  test('could run nothing even with markup in the page', async () => {
    const { page, complaints, requests } = await reader.open(MADE);
    await page.evaluate(`
      globalThis.ran = 0;
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran += 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="http://forged.invalid/x.png" onerror="ran += 1">');
    `);
    await expect.poll(() => complaints.length).toBeGreaterThan(1);
    expect(await page.evaluate('globalThis.ran')).toBe(0);
    expect(requests).toEqual([]);
  });
});
