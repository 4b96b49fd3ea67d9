// The browser of the tests and the pictures: PCS_CHROMIUM, a Chrome or Chromium that is installed, or the one that npm brings.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, ...ELSEWHERE].filter((path) => existsSync(path)).map((path) => ({ path, env: {} }));
}

/** Unpacks the browser of the package once; several processes may do so at the same time. */
function unpacked() {
  const folder = join(ROOT, 'node_modules', '@sparticuz', 'chromium', 'unpacked');
  if (!existsSync(folder)) {
    const staging = mkdtempSync(`${folder}-`);
    // The package unpacks into the temporary folder, and its libraries only where it believes to be a Lambda.
    const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    const program = "await (await import('@sparticuz/chromium')).default.executablePath()";
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT, env });
    try {
      renameSync(staging, folder);
    } catch {
      rmSync(staging, { recursive: true, force: true });
    }
  }
  const path = join(folder, 'chromium');
  const fonts = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return [
    { path, env: fonts },
    { path, env: { ...fonts, ...libraries } },
  ];
}

const starts = ({ path, env }) => {
  const { status } = spawnSync(path, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return status === 0;
};

/** The program of a browser that starts on this machine, with the variables it needs, or null. */
function findBrowser() {
  const named = process.env.PCS_CHROMIUM;
  if (named !== undefined) return { path: named, env: {} };
  const found = installed().find(starts);
  if (found !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return found ?? null;
  return unpacked().find(starts) ?? null;
}

let known;

/** Whether a browser starts on this machine. */
export function hasBrowser() {
  known ??= { browser: findBrowser() };
  return known.browser !== null;
}

/** Starts the browser. */
export async function startBrowser() {
  if (!hasBrowser()) throw new Error('No browser starts here: install Chromium, or name one in PCS_CHROMIUM.');
  const { path, env } = known.browser;
  return chromium.launch({ executablePath: path, args: ARGUMENTS, env: { ...process.env, ...env } });
}
