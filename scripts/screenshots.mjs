// Takes the pictures of the README: the report of a run against the reference service, and of one against the same
// same service with faults in it. Run it after a build. PCS_CHROMIUM names the browser, PCS_DIST another build (from
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
const { listen } = await load('fixtures/service/serve.js');
const { livePorts } = await load('src/run/live.js');
const { runSuites } = await load('src/run/run.js');
const { choicesOf } = await load('src/verdict/choices.js');
const { evaluate } = await load('src/verdict/evaluate.js');
const { renderHtml } = await load('src/report/html/html.js');
const { SUITES } = await load('suites/index.js');

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

function optionsFor(url, settings, credentials) {
  return {
    baseUrl: url,
    credentials,
    numbers: { from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO },
    ringingCallId: settings.PCS_RINGING_CALL_ID,
    resources: {
      voiceApplication: settings.PCS_VOICE_APPLICATION_ID,
      carrierConnection: settings.PCS_CARRIER_CONNECTION_ID,
      trunk: settings.PCS_TRUNK_ID,
      number: settings.PCS_NUMBER_ID,
      carrierProvider: settings.PCS_CARRIER_PROVIDER_ID,
      conference: settings.PCS_CONFERENCE_ID,
      participant: settings.PCS_PARTICIPANT_ID,
    },
    inbound: {
      username: settings.PCS_INBOUND_USERNAME,
      realm: settings.PCS_INBOUND_REALM,
      secret: settings.PCS_INBOUND_SECRET,
    },
    ...{
      samples: {},
      profile: 'full',
      without: [],
      strict: false,
      seed: 1,
      runs: 0,
      only: [],
      concurrency: 8,
      rate: 0,
    },
    ...{ maxRequests: 2000, maxCalls: 12, maxWait: 300_000, timeout: 10_000, callTimeout: 60_000 },
    ...{ fullEvidence: false, caseHeader: true },
  };
}

/** The page of a run; `flaw` makes another service of the reference, and the second organization may be unknown. */
async function pageOf(flaw, knowsOthers) {
  const { service, settings } = createReference();
  const { url, close } = await listen(flaw(service));
  const others = { otherOrganization: settings.PCS_OTHER_ORG_ACCESS_TOKEN, revoked: settings.PCS_REVOKED_ACCESS_TOKEN };
  const options = optionsFor(url, settings, { access: settings.PCS_ACCESS_TOKEN, ...(knowsOthers ? others : {}) });
  const { ports, close: letGo } = livePorts(options, { version: '0.1.0' });
  try {
    const record = await runSuites(options, SUITES, ports);
    const exchanges = [...record.exchanges].sort((a, b) => a.seq - b.seq);
    return renderHtml({ results: evaluate(record), exchanges, choices: choicesOf(record) });
  } finally {
    await letGo();
    await close();
  }
}

const PAGES = [
  { name: 'report-conformant', flaw: (service) => service, knowsOthers: true },
  { name: 'report-non-conformant', flaw: faulty, knowsOthers: false },
];

const folder = mkdtempSync(join(tmpdir(), 'pcs-pictures-'));
mkdirSync(images, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.PCS_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
try {
  for (const { name, flaw, knowsOthers } of PAGES) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, await pageOf(flaw, knowsOthers));
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
