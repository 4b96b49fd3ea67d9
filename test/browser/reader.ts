/** A browser that opens pages from disk and records their requests and complaints. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startBrowser } from '../../scripts/chromium.mjs';
import { renderHtml } from '../../src/report/html/page-writer.ts';
import { lacksBrowser } from '../programs.ts';

/** Defines tests of a file that need a browser. */
export const browserTest = (file: string) => test.skipIf(lacksBrowser(file));

/** Colour scheme and size of the view. */
export interface Looking {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

/** An open page, its requests beside the page itself, and the complaints of its scripts and its policy. */
export interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** Demands of a page that it requested nothing and complained of nothing. */
export function expectQuiet({ requests, complaints }: Opened): void {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
}

/** Opens the pages of runs, one after the other in one tab: a process of its own for each would take longer than the page. */
export class Reader {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #folder = mkdtempSync(join(tmpdir(), 'pcs-report-'));
  #files = 0;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async start(): Promise<Reader> {
    const browser = await startBrowser();
    return new Reader(browser, await browser.newPage());
  }

  /** Writes the run's page to a file and opens it. */
  open(run: Parameters<typeof renderHtml>[0], looking: Looking = {}): Promise<Opened> {
    return this.openPage(renderHtml(run), looking);
  }

  /** What the page before left: what it stored, what it was allowed, and what listens to it. */
  async #forget(): Promise<void> {
    const page = this.#page;
    if (page.url() !== 'about:blank') await page.evaluate('localStorage.clear()');
    for (const event of ['pageerror', 'console', 'dialog'] as const) page.removeAllListeners(event);
    await page.context().unrouteAll();
    await page.context().clearPermissions();
  }

  /** Writes a page to a file and opens it. */
  async openPage(html: string, looking: Looking = {}): Promise<Opened> {
    this.#files += 1;
    const file = join(this.#folder, `report-${this.#files}.html`);
    writeFileSync(file, html);
    const address = pathToFileURL(file).href;
    const { colorScheme = 'light', width = 1280, height = 900 } = looking;
    const requests: string[] = [];
    const complaints: string[] = [];
    const page = this.#page;
    await this.#forget();
    await page.emulateMedia({ colorScheme, media: 'screen' });
    await page.setViewportSize({ width, height });
    await page.context().route('**', (route) => {
      const asked = route.request().url();
      if (asked.split('?')[0] === address) return route.continue();
      requests.push(asked);
      return route.abort();
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    await page.goto(address);
    return { page, requests, complaints };
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
