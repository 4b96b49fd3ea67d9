// Takes the pictures of the README: the reports that the command writes of a run against the reference service, and of one
// against the same service with faults in it. Run it after a build. PCS_CHROMIUM names the browser, PCS_DIST another build (from
// this folder), PCS_IMAGES another folder than docs/images, PCS_KEEP a folder that gets the pages as well.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startBrowser } from './chromium.mjs';

const built = new URL(process.env.PCS_DIST ?? '../dist/', import.meta.url);
const load = (path) => import(new URL(path, built));
const images = process.env.PCS_IMAGES ?? fileURLToPath(new URL('../docs/images', import.meta.url));

const { createReference } = await load('fixtures/service/reference.js');
const { listen } = await load('fixtures/service/serve.js');
const command = fileURLToPath(new URL('src/cli/main.js', built));

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

/** Runs the command in that folder, and returns the report; the second organization may be unknown. */
async function reportOf({ plant, knowsOthers }, cwd) {
  const { service, settings } = createReference();
  const { PCS_OTHER_ORG_ACCESS_TOKEN: _, PCS_REVOKED_ACCESS_TOKEN: __, ...fewer } = settings;
  const listening = await listen(plant(service));
  const env = { PATH: process.env.PATH, ...(knowsOthers ? settings : fewer), PCS_BASE_URL: listening.url };
  const words = ['run', '--profile', 'full', '--quiet'];
  await new Promise((resolve) => execFile(process.execPath, [command, ...words], { cwd, env }, resolve));
  await listening.close();
  return join(cwd, 'conformance-report', 'report.html');
}

const PAGES = [
  { name: 'report-conformant', plant: (service) => service, knowsOthers: true },
  { name: 'report-non-conformant', plant: faulty, knowsOthers: false },
];

const folder = mkdtempSync(join(tmpdir(), 'pcs-pictures-'));
mkdirSync(images, { recursive: true });
const browser = await startBrowser();
try {
  for (const shown of PAGES) {
    const { name } = shown;
    const cwd = join(folder, name);
    mkdirSync(cwd);
    const file = await reportOf(shown, cwd);
    const page = await browser.newPage({ viewport: { width: 1280, height: 1500 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: join(images, `${name}.png`) });
    if (process.env.PCS_KEEP !== undefined) copyFileSync(file, join(process.env.PCS_KEEP, `${name}.html`));
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
