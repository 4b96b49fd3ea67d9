// npm run bench:path [-- COUNT]: how much code runs between the rejection of an invalid credential and the next request, in a
// run over the reference service in this process: named functions of src and suites, and their files, by V8's coverage.
import { Session } from 'node:inspector';
import { createReference } from '../dist/fixtures/service/reference.js';
import { judge, optionsFrom, skippingClock, transportTo } from '../dist/test/selftest/harness.js';

const most = Number(process.argv[2] ?? 60);
/** The first requests of a run differ from all others. */
const FIRST = 300;
const OURS = /\/dist\/((?:src|suites)\/.+)\.js$/;

const inspector = new Session();
inspector.connect();

function post(method, params) {
  let answer;
  inspector.post(method, params, (error, result) => {
    if (error !== null) throw error;
    answer = result;
  });
  return answer;
}

/** The named functions that ran since the call before, by file. */
function ran() {
  const scripts = post('Profiler.takePreciseCoverage').result.flatMap(({ url, functions }) => {
    const [, file] = OURS.exec(url) ?? [];
    const names = functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0);
    return file === undefined || names.length === 0 ? [] : [[file, names.length]];
  });
  return new Map(scripts);
}

const sum = (counts) => [...counts.values()].reduce((total, count) => total + count, 0);

post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const { service, settings } = createReference();
const send = transportTo(service);
const samples = [];
let [requests, isDue] = [0, false];
await judge(service, optionsFrom(settings), skippingClock(), async (request) => {
  if (isDue) samples.push(ran());
  isDue = false;
  const outcome = await send(request);
  requests += 1;
  isDue = outcome.status === 401 && requests > FIRST && samples.length < most;
  if (isDue) ran();
  return outcome;
});
const sorted = samples.toSorted((one, other) => sum(one) - sum(other));
for (const [name, at] of [
  ['least', 0],
  ['median', Math.floor(sorted.length / 2)],
  ['most', sorted.length - 1],
]) {
  console.log(`${name} of ${sorted.length}: ${sum(sorted[at])} functions in ${sorted[at].size} files`);
}
for (const [file, count] of sorted[Math.floor(sorted.length / 2)]) console.log(`  ${file}: ${count}`);
