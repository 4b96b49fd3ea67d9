// The cost of the built command compared with a bare replay of its requests: `npm run bench:command`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { createReference } from '../dist/fixtures/service/reference.js';
import { listen } from '../dist/fixtures/service/serve.js';

const ROUNDS = Number(process.env.PCS_BENCH_ROUNDS ?? 7);
const CONNECTIONS = 8;
const SELF = fileURLToPath(import.meta.url);
const BIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

/** Starts the reference service, sends the requests of a file through undici and reads the answers: nothing else. */
async function replay(file) {
  const requests = JSON.parse(readFileSync(file, 'utf8'));
  const { url, close } = await listen(createReference().service);
  const pool = new Pool(url, { connections: CONNECTIONS });
  let next = 0;
  const lane = async () => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      const { body } = await pool.request(one);
      await body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await pool.close();
  await close();
}

const cwd = mkdtempSync(join(tmpdir(), 'pcs-conformance-bench-'));
const node = (words, env = {}) => promisify(execFile)(process.execPath, words, { cwd, env });

async function seconds(words) {
  const began = performance.now();
  await node(words);
  return (performance.now() - began) / 1000;
}

/** Writes the requests of a run to a file, as undici takes them; returns their number. */
async function record(file) {
  const { service, settings } = createReference();
  const requests = [];
  const { url, close } = await listen((request) => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers;
    const body = request.body.length === 0 ? null : Buffer.from(request.body).toString('utf8');
    requests.push({ method: request.method, path: request.target, headers, body });
    return service(request);
  });
  await node([BIN, 'run', '--quiet', '--profile', 'full'], { ...settings, PCS_BASE_URL: url });
  await close();
  writeFileSync(file, JSON.stringify(requests));
  return requests.length;
}

async function compare() {
  const file = join(cwd, 'requests.json');
  const count = await record(file);
  const times = { command: [], node: [], replay: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.command.push(await seconds([BIN, 'run', '--reference', '--quiet']));
    times.node.push(await seconds(['-e', '0']));
    times.replay.push(await seconds([SELF, file]));
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const [command, empty, bare] = [median(times.command), median(times.node), median(times.replay)];
  const goal = 1.5 * bare + 0.8;
  console.log(`run --reference --quiet          ${command.toFixed(2)} s (${count} requests, median of ${ROUNDS})`);
  console.log(`node with a bare undici replay   ${bare.toFixed(2)} s (node -e 0 alone: ${empty.toFixed(2)} s)`);
  console.log(`ratio                            ${(command / bare).toFixed(2)}`);
  console.log(
    `goal                             ${goal.toFixed(2)} s (1.5 x + 0.8 s): ${command <= goal ? 'met' : 'missed'}`,
  );
}

const [file] = process.argv.slice(2);
if (file === undefined) await compare();
else await replay(file);
