// What judging recorded traffic costs: exchanges a second on one core, beside JSON.parse of the same lines, and memory.
// `npm run bench:judge`, or `node bench/judge.mjs 1000000`. Seconds are those of the processor, so that company does not count.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Traffic } from '../dist/src/traffic/judge.js';
import { piecesOf } from '../dist/src/traffic/reader.js';

const COUNT = Number(process.argv[2] ?? 100_000);

const CREDENTIALS = 100;

const seconds = ({ user, system }) => (user + system) / 1e6;

/** What `judge` does with a file, what it takes of the processor, and its peak of memory. */
async function judgeFile(path) {
  const before = process.cpuUsage();
  const traffic = new Traffic({ strict: false, suite: { name: 'bench', version: '0' } });
  await traffic.read(path, piecesOf(createReadStream(path, { highWaterMark: 262_144 }).setEncoding('utf8')));
  const { verdict, summary } = traffic.results([path]).results;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ judged: seconds(process.cpuUsage(before)), peak, verdict, summary }));
}

if (process.argv[2] === 'judge') {
  await judgeFile(process.argv[3]);
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-judge-'));
const file = join(folder, 'traffic.ndjson');

const hex = (text) => createHash('sha256').update(text).digest('hex');
const uuid = (at) => hex(`id ${at}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
const trunk = (at) => ({
  id: uuid(at),
  name: `trunk ${at}`,
  direction: 'outbound',
  status: 'active',
  endpoints: [{ host: `sip${at}.example`, port: 5060 }],
  created_at: '2026-01-01T00:00:00Z',
});
const error = (code) => ({
  success: false,
  error: { code, message: 'There is no such resource in this organization.' },
});

/** One exchange in ten is an error, one in five a write; each id is another one. */
function exchange(at) {
  const operations = [
    ['GET', `/v1/trunks/${uuid(at)}`, null, 200, { success: true, data: trunk(at) }],
    ['GET', '/v1/trunks/', null, 200, { success: true, data: [trunk(at), trunk(at + 1), trunk(at + 2)] }],
    [
      'GET',
      '/v1/numbers/available?country=US',
      null,
      200,
      { success: true, data: [{ number: '+15550100', monthly: 1.5 }] },
    ],
    [
      'POST',
      '/v1/calls/',
      { from: '+15550100', to: '+15550101', variables: { order: String(at) } },
      201,
      { success: true, data: { id: uuid(at), status: 'queued' } },
    ],
    [
      'GET',
      `/v1/carrier-providers/${uuid(at)}`,
      null,
      200,
      { success: true, data: { id: uuid(at), name: 'A carrier' } },
    ],
    ['PATCH', `/v1/trunks/${uuid(at)}`, { name: `trunk ${at}` }, 200, { success: true, data: trunk(at) }],
    ['GET', '/v1/numbers/', null, 200, { success: true, data: [{ id: uuid(at), number: '+15550100' }] }],
    ['POST', `/v1/calls/${uuid(at)}/hangup`, null, 200, { success: true }],
    ['GET', `/v1/trunks/${uuid(at + 5)}`, null, 404, error('trunk_not_found')],
    ['GET', '/v1/trunks/', null, 200, { success: true, data: [trunk(at)] }],
  ];
  const [method, path, body, status, answer] = operations[at % operations.length];
  const fields = {
    'content-type': 'application/json',
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    'x-request-id': uuid(at),
  };
  const credential = `Bearer acme_org_${hex(`credential ${at % CREDENTIALS}`).slice(0, 40)}`;
  return {
    time: 1_767_225_600_000 + at,
    duration: 12,
    request: {
      method,
      url: `https://api.example${path}`,
      headers: { authorization: credential, accept: 'application/json' },
      body: body && JSON.stringify(body),
    },
    response: { status, headers: fields, body: JSON.stringify(answer) },
  };
}

try {
  const out = createWriteStream(file);
  for (let at = 0; at < COUNT; at += 1) if (!out.write(`${JSON.stringify(exchange(at))}\n`)) await once(out, 'drain');
  await new Promise((done) => out.end(done));
  const size = statSync(file).size;

  // In a process of its own, so that its memory is that of judging alone.
  const told = execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'judge', file], { encoding: 'utf8' });
  const { judged, peak, verdict, summary } = JSON.parse(told);

  const start = process.cpuUsage();
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  const read = seconds(process.cpuUsage(start));
  const lines = [];
  for await (const line of createInterface({ input: createReadStream(file) })) if (lines.push(line) === 50_000) break;
  const again = process.cpuUsage();
  for (const line of lines) JSON.parse(line);
  const parsed = (seconds(process.cpuUsage(again)) / lines.length) * COUNT;

  console.log(`${verdict.toUpperCase()} ${summary}`);
  console.log(
    `${COUNT} exchanges, ${(size / 1_048_576).toFixed(0)} MiB: ${judged.toFixed(1)} s, ${Math.round(COUNT / judged)} a second`,
  );
  console.log(
    `JSON.parse of the same lines: ${parsed.toFixed(1)} s (ratio ${(judged / parsed).toFixed(1)}); read by readline and parsed: ${read.toFixed(1)} s`,
  );
  console.log(`peak memory: ${peak.toFixed(0)} MiB`);
} finally {
  rmSync(folder, { recursive: true });
}
