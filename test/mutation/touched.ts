/** Notes for each test file which functions of the build it calls; test/mutation/sample.mjs marks these functions. */

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { touched } = globalThis as { touched?: Uint8Array };

let began = 0;
beforeAll(() => {
  touched?.fill(0);
  began = performance.now();
});

afterAll(() => {
  const test = relative(ROOT, expect.getState().testPath ?? '');
  const called = [...(touched ?? [])].flatMap((count, at) => (count === 0 ? [] : [at]));
  const to = join(process.env['TOUCHED'] ?? '', `${test.replaceAll('/', '+')}.json`);
  writeFileSync(to, JSON.stringify({ test, millis: Math.round(performance.now() - began), called }));
});
