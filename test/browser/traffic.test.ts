/** A HAR that Playwright recorded against the reference service, as an end-to-end suite records one. */

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { startBrowser } from '../../scripts/chromium.mjs';
import { brokenBy, judgeTexts } from '../proof/judged-traffic.ts';
import { browserTest } from './reader.ts';

const test = browserTest(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'pcs-traffic-'));

let browser: Browser;
let listening: Listening | undefined;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await listening?.close();
});

/** What a page of the service records: reads, a call and an error, with the credential; `status` is that of a list. */
async function recorded(name: string, status: number, content: 'embed' | 'omit'): Promise<string> {
  const { service, settings } = createReference();
  await listening?.close();
  listening = await listen(async (request) => {
    if (request.target === '/app')
      return { status: 200, headers: [['Content-Type', 'text/html']], body: '<title>app</title>' };
    const reply = await service(request);
    return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status } : reply;
  });
  const path = join(folder, `${name}.har`);
  const context = await browser.newContext({ recordHar: { path, content } });
  const page = await context.newPage();
  await page.goto(`${listening.url}/app`);
  const call = JSON.stringify({ from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO });
  // The page may leave while a request is under way.
  await page.evaluate(`(async () => {
    const authorization = ${JSON.stringify(`Bearer ${settings.PCS_ACCESS_TOKEN}`)};
    const ask = (path, more = {}) => fetch(path, { ...more, headers: { authorization, 'content-type': 'application/json' } }).then((r) => r.text());
    await ask('/v1/trunks/');
    await ask('/v1/numbers/');
    await ask('/v1/trunks/${settings.PCS_TRUNK_ID}');
    await ask('/v1/trunks/00000000-0000-4000-8000-000000000000');
    await ask('/v1/calls/', { method: 'POST', body: ${JSON.stringify(call)} });
    await fetch('/v1/numbers/').then((r) => r.text());
    const leaving = new AbortController();
    const pending = fetch('/v1/numbers/', { signal: leaving.signal, headers: { authorization } }).catch(() => undefined);
    leaving.abort();
    await pending;
  })()`);
  await context.close();
  return readFileSync(path, 'utf8');
}

describe('a HAR of Playwright', () => {
  test('of the reference service shows no breach, and no secret', async () => {
    const text = await recorded('whole', 200, 'embed');
    const judged = await judgeTexts({ 'whole.har': text });
    const { verdict, summary, traffic } = judged.results;
    expect({ verdict, broken: brokenBy(judged) }).toEqual({ verdict: 'no breach', broken: [] });
    expect(summary).toMatch(/^in [67] exchanges \(4 of 13 operations/);
    expect(traffic?.others).toBeGreaterThan(0);
    const exercised = judged.results.requirements.filter(({ verdict: one }) => one === 'pass').map(({ id }) => id);
    expect(exercised).toEqual(
      expect.arrayContaining(['ERROR-ENVELOPE', 'JSON-LABEL', 'AUTH-CREDENTIAL-REQUIRED', 'CALL-CREATE-STATUS']),
    );
  });

  test('of a service with a fault names the requirement', async () => {
    const text = await recorded('faulty', 206, 'embed');
    writeFileSync(join(folder, 'faulty.har'), text);
    expect(brokenBy(await judgeTexts({ 'faulty.har': text }))).toEqual(['LIST-STATUS']);
  });
});
