// Takes the pictures of the README: the report of a run against the reference service, and of one against
// the same service with faults in it. Run it after a build. PCS_CHROMIUM names the browser, PCS_DIST another build (from
// this folder), PCS_IMAGES another folder than docs/images, PCS_KEEP a folder that gets the pages as well.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const built = new URL(process.env.PCS_DIST ?? '../dist/', import.meta.url);
const load = (path) => import(new URL(path, built));
const images = process.env.PCS_IMAGES ?? fileURLToPath(new URL('../docs/images', import.meta.url));

const { createReference } = await load('fixtures/service/reference.js');
const { renderHtml } = await load('src/report/html/html.js');
const { optionsFrom, skippingClock } = await load('src/selftest/harness.js');
const { judgeOverSocket } = await load('src/selftest/socket.js');
const { choicesOf } = await load('suites/index.js');

const textOf = (body) => (body === null ? '' : typeof body === 'string' ? body : Buffer.from(body).toString());

/** The reference service with a few things wrong that services get wrong. */
function faulty(service) {
  return async (request) => {
    const reply = await service(forgiving(request));
    const { method, target } = request;
    if (reply.status === 404) return { ...reply, headers: [['Content-Type', 'text/html']], body: '<h1>Not Found</h1>' };
    if (reply.status === 401) return { ...reply, headers: reply.headers.filter(([name]) => !/^www-/i.test(name)) };
    if (target.endsWith('/inbound-auth') && reply.status === 400) {
      return {
        ...reply,
        status: 500,
        body: '{"success":false,"error":{"code":"internal","message":"unexpected value"}}',
      };
    }
    if (method !== 'PATCH' || !target.startsWith('/v1/trunks/') || reply.status < 400) return reply;
    return { ...reply, body: textOf(reply.body).replace(/"code":"[^"]*",?/, '') };
  };
}

/** Takes the right secret under any scheme for muting, and a word for `privacy`. */
function forgiving(request) {
  const { authorization } = request.headers;
  if (request.target.endsWith('/mute') && authorization !== undefined) {
    return { ...request, headers: { ...request.headers, authorization: authorization.replace(/^(\w+ )?/, 'Bearer ') } };
  }
  const text = textOf(request.body);
  if (request.target !== '/v1/calls/' || !/"privacy":"/.test(text)) return request;
  return { ...request, body: Buffer.from(text.replace(/"privacy":"[^"]*"/, '"privacy":true')) };
}

/** The page of a run; `plant` makes another service of the reference, and the second organization may be unknown. */
async function pageOf(plant, knowsOthers) {
  const { service, settings } = createReference();
  const credentials = { access: settings.PCS_ACCESS_TOKEN };
  const options = optionsFrom(settings, knowsOthers ? {} : { credentials });
  const { record, results } = await judgeOverSocket(plant(service), options, skippingClock());
  const exchanges = [...record.exchanges].sort((a, b) => a.seq - b.seq);
  return renderHtml({ results, exchanges, choices: choicesOf(record) });
}

const PAGES = [
  { name: 'report-conformant', plant: (service) => service, knowsOthers: true },
  { name: 'report-non-conformant', plant: faulty, knowsOthers: false },
];

const folder = mkdtempSync(join(tmpdir(), 'pcs-pictures-'));
mkdirSync(images, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.PCS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
try {
  for (const { name, plant, knowsOthers } of PAGES) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, await pageOf(plant, knowsOthers));
    const page = await browser.newPage({ viewport: { width: 1280, height: 1500 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: join(images, `${name}.png`) });
    if (process.env.PCS_KEEP !== undefined)
      writeFileSync(join(process.env.PCS_KEEP, `${name}.html`), await page.content());
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
