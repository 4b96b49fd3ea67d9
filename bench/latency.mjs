// A full run at 40 ms a request beside a bare replay of its requests, one after the other: `npm run bench:latency`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { createReference } from '../dist/fixtures/service/reference.js';
import { listen } from '../dist/fixtures/service/serve.js';

const ROUNDS = 3;
const DELAY = 40;
const SELF = fileURLToPath(import.meta.url);
const BIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'pcs-conformance-latency-'));

/** Sends the requests in their order, one after the other, whatever is answered. */
async function replay(url, file) {
  const requests = JSON.parse(readFileSync(file, 'utf8'));
  const began = performance.now();
  for (const { target, ...one } of requests) {
    const { body } = await request(`${url}${target}`, one);
    await body.arrayBuffer();
  }
  console.log((performance.now() - began) / 1000);
}

/** Puts up the reference service behind the delay, and runs words of Node against it. */
async function against(words) {
  const reference = createReference();
  const requests = [];
  const { url, close } = await listen(async (one) => {
    const { host: _, connection, 'content-length': __, 'transfer-encoding': ___, ...headers } = one.headers;
    const body = one.body.length === 0 ? null : Buffer.from(one.body).toString('utf8');
    requests.push({ method: one.method, target: one.target, headers, body, reset: connection === 'close' });
    await setTimeout(DELAY);
    return reference.service(one);
  });
  const env = { ...reference.settings, PCS_BASE_URL: url };
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, words(url), { cwd, env });
  const seconds = (performance.now() - began) / 1000;
  await close();
  return { seconds, stdout, requests };
}

async function compare() {
  const file = join(cwd, 'requests.json');
  const run = () => [BIN, 'run', '--quiet', '--profile', 'full'];
  const times = { run: [], replay: [] };
  let sent = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { seconds, requests } = await against(run);
    sent = requests.length;
    times.run.push(seconds);
    writeFileSync(file, JSON.stringify(requests));
    times.replay.push(Number((await against((url) => [SELF, url, file])).stdout));
  }
  const shown = Object.entries(times).map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return `${name}: ${sorted[Math.floor(ROUNDS / 2)].toFixed(1)} s (${all.map((one) => one.toFixed(1)).join(', ')})`;
  });
  console.log(`${sent} requests at ${DELAY} ms each\n${shown.join('\n')}`);
}

const [url, file] = process.argv.slice(2);
await (url === undefined ? compare() : replay(url, file));
