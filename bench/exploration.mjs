// The rate of an exploration compared with a bare replay of its requests, side by side: `npm run bench:exploration`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { createReference } from '../dist/fixtures/service/reference.js';
import { listen } from '../dist/fixtures/service/serve.js';

const ROUNDS = Number(process.env.PCS_BENCH_ROUNDS ?? 3);
const EXPLORED = ROUNDS === 1 ? 1_000 : 10_000;
const SELF = fileURLToPath(import.meta.url);
const BIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'pcs-conformance-bench-'));

/** Sends requests one after the other through undici, each write on a connection of its own, and reads the responses. */
async function replay(url, file) {
  const requests = JSON.parse(readFileSync(file, 'utf8'));
  const began = performance.now();
  for (const { target, ...one } of requests) {
    const { body } = await request(`${url}${target}`, one);
    await body.arrayBuffer();
  }
  console.log((performance.now() - began) / 1000);
}

/** Puts up the reference service, runs words of Node against it, and resolves with what they print and what it heard. */
async function against(words, settings = {}) {
  const reference = createReference();
  const requests = [];
  const { url, close } = await listen((one) => {
    const { host: _, connection, 'content-length': __, 'transfer-encoding': ___, ...headers } = one.headers;
    const body = one.body.length === 0 ? null : Buffer.from(one.body).toString('utf8');
    requests.push({ method: one.method, target: one.target, headers, body, reset: connection === 'close' });
    return reference.service(one);
  });
  const env = { ...reference.settings, ...settings, PCS_BASE_URL: url };
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, words(url), { cwd, env });
  const seconds = (performance.now() - began) / 1000;
  await close();
  return { seconds, stdout, requests };
}

const run = (explore) => () => [BIN, 'run', '--quiet', '--profile', 'full', '--explore', String(explore)];

async function compare() {
  const file = join(cwd, 'requests.json');
  const systematic = (await against(run(0))).requests.length;
  const { requests } = await against(run(EXPLORED));
  const explored = requests.slice(-(requests.length - systematic));
  writeFileSync(file, JSON.stringify(explored));
  const rates = { exploration: [], replay: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = (await against(run(0))).seconds;
    rates.exploration.push(explored.length / ((await against(run(EXPLORED))).seconds - without));
    rates.replay.push(explored.length / Number((await against((url) => [SELF, url, file])).stdout));
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const [exploration, bare] = [median(rates.exploration), median(rates.replay)];
  console.log(
    `exploration            ${exploration.toFixed(0)} requests a second (${explored.length}, median of ${ROUNDS})`,
  );
  console.log(`bare undici replay     ${bare.toFixed(0)} requests a second`);
  console.log(
    `ratio                  ${(exploration / bare).toFixed(2)} (goal 0.50: ${exploration >= bare / 2 ? 'met' : 'missed'})`,
  );
}

const [url, file] = process.argv.slice(2);
if (file === undefined) await compare();
else await replay(url, file);
