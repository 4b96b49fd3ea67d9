/** Notes for each test file which functions of the build it calls, by V8's own count: [first character, end, calls]. */

import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One for all files of a worker, since they share their modules. */
const shared: { counter?: Session } = globalThis as object;

function startCounting(): Session {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return session;
}

/** The functions called since the last time, with those inside of them that were not; outer ones first. */
function takeCalled(session: Session): Record<string, readonly (readonly [number, number, number])[]> {
  const files: Record<string, readonly (readonly [number, number, number])[]> = {};
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url, functions } of result) {
      const file = /\/(dist\/(?:src|suites)\/.*\.js)$/.exec(url)?.[1];
      if (file === undefined) continue;
      const ranges = functions.flatMap(({ ranges: [whole] }) =>
        whole === undefined || whole.startOffset === 0 ? [] : [whole],
      );
      files[file] = ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]);
    }
  });
  return files;
}

let began = 0;
beforeAll(() => {
  shared.counter ??= startCounting();
  takeCalled(shared.counter);
  began = performance.now();
});

afterAll(() => {
  if (shared.counter === undefined) return;
  const test = relative(ROOT, expect.getState().testPath ?? '');
  const to = join(process.env['TOUCHED'] ?? '', `${test.replaceAll('/', '+')}.json`);
  const millis = Math.round(performance.now() - began);
  writeFileSync(to, JSON.stringify({ test, millis, files: takeCalled(shared.counter) }));
});
