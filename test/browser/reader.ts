/** A browser that opens pages from disk and records their requests and complaints. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { renderHtml } from '../../src/report/html/html.ts';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

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

/** Closes a page that requested nothing and complained of nothing. */
export async function closeQuiet({ page, requests, complaints }: Opened): Promise<void> {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
  await page.context().close();
}

/** Opens the pages of runs. `PCS_CHROMIUM` names the browser. */
export class Reader {
  readonly #browser: Browser;
  readonly #folder = mkdtempSync(join(tmpdir(), 'pcs-report-'));
  #files = 0;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<Reader> {
    const executablePath = process.env['PCS_CHROMIUM'] ?? '/usr/bin/chromium';
    return new Reader(await chromium.launch({ executablePath, args: [...ARGUMENTS] }));
  }

  /** Writes the run's page to a file and opens it. */
  open(run: Parameters<typeof renderHtml>[0], looking: Looking = {}): Promise<Opened> {
    return this.openPage(renderHtml(run), looking);
  }

  /** Writes a page to a file and opens it. */
  async openPage(html: string, looking: Looking = {}): Promise<Opened> {
    this.#files += 1;
    const file = join(this.#folder, `report-${this.#files}.html`);
    writeFileSync(file, html);
    const address = pathToFileURL(file).href;
    const { colorScheme = 'light', width = 1280, height = 900 } = looking;
    const context = await this.#browser.newContext({ colorScheme, viewport: { width, height } });
    const requests: string[] = [];
    const complaints: string[] = [];
    await context.route('**', (route) => {
      const asked = route.request().url();
      if (asked.split('?')[0] === address) return route.continue();
      requests.push(asked);
      return route.abort();
    });
    const page = await context.newPage();
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
