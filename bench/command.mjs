// What the built command costs besides Node and the requests themselves: `npm run bench:command`, after a build.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { createReference } from '../dist/fixtures/service/reference.js';
import { listen } from '../dist/fixtures/service/serve.js';

const ROUNDS = 7;
const CONNECTIONS = 8;
const BIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'pcs-conformance-bench-'));
const node = (words, env = {}) => promisify(execFile)(process.execPath, words, { cwd, env });

async function serving(work, wrap = (service) => service) {
  const { service, settings } = createReference();
  const listening = await listen(wrap(service));
  try {
    return await work(listening.url, settings);
  } finally {
    await listening.close();
  }
}

async function seconds(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The requests of a run, as the reference service received them. */
async function requestsOfARun() {
  const requests = [];
  await serving(
    (url, settings) => node([BIN, 'run', '--quiet', '--profile', 'full'], { ...settings, PCS_BASE_URL: url }),
    (service) => (request) => {
      requests.push(request);
      return service(request);
    },
  );
  return requests;
}

/** Sends the requests through undici and reads the answers, nothing else. */
async function replay(requests, url) {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let next = 0;
  const lane = async () => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      const { host: _, connection: __, 'content-length': ___, ...headers } = one.headers;
      const { body } = await pool.request({ method: one.method, path: one.target, headers, body: one.body });
      await body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await pool.close();
}

const requests = await requestsOfARun();
const times = { command: [], node: [], replay: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.command.push(await seconds(() => node([BIN, 'run', '--reference', '--quiet'])));
  times.node.push(await seconds(() => node(['-e', '0'])));
  times.replay.push(await serving((url) => seconds(() => replay(requests, url))));
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const [command, bareNode, bareReplay] = [median(times.command), median(times.node), median(times.replay)];
const bare = bareNode + bareReplay;
const goal = 1.5 * bare + 0.8;
console.log(`run --reference --quiet   ${command.toFixed(2)} s (${requests.length} requests, median of ${ROUNDS})`);
console.log(`node -e 0                 ${bareNode.toFixed(2)} s`);
console.log(`bare undici replay        ${bareReplay.toFixed(2)} s`);
console.log(`ratio                     ${(command / bare).toFixed(2)} to the sum of both`);
console.log(
  `goal                      ${goal.toFixed(2)} s (1.5 x the sum + 0.8 s): ${command <= goal ? 'met' : 'missed'}`,
);
