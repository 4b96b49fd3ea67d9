/** The tour of one answer in docs/architecture.md, measured: V8's coverage says which code ran between two moments. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import { runSuite } from '../../src/run/suite-run.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { optionsFrom } from '../selftest/harness.ts';

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

const inspector = new Session();

function post(method: string, params: object = {}): readonly ScriptCoverage[] {
  let scripts: readonly ScriptCoverage[] = [];
  inspector.post(method, params, (error, answer) => {
    if (error !== null) throw error;
    scripts = (answer as { readonly result?: readonly ScriptCoverage[] }).result ?? [];
  });
  return scripts;
}

const FILE = /\/((?:src\/[a-z]+|suites)\/[\w/-]+)\.[jt]s$/;

/** The files of the rooms with a named function that ran since the call before. */
function filesThatRan(): readonly string[] {
  return post('Profiler.takePreciseCoverage').flatMap(({ url, functions }) => {
    const hasRun = functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0);
    const [, file] = FILE.exec(url) ?? [];
    return hasRun && file !== undefined ? [`${file}.ts`] : [];
  });
}

const roomOf = (file: string): string => /^(?:src\/)?[a-z]+/.exec(file)?.[0] ?? '';

/** The files that the steps from one number to another name. */
function namedIn(first: number, last: number): readonly string[] {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const [, tour = ''] = page.split('\n## The tour of one answer\n');
  const [, ...steps] = (tour.split('\n## ')[0] ?? '').split(/^\d+\. /m);
  return steps
    .slice(first - 1, last)
    .flatMap((step) => [...step.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file));
}

describe('the tour of one answer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-tour-'));
  let afterAnswer: readonly string[] | undefined;
  let whileJudged: readonly string[] = [];

  beforeAll(async () => {
    inspector.connect();
    post('Profiler.enable');
    post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const reference = createReference();
    let isAnswered = false;
    const server = await listen(async (request) => {
      if (isAnswered) afterAnswer ??= filesThatRan();
      const reply = await reference.service(request);
      if (!isAnswered && request.method === 'PATCH' && reply.status === 400) {
        isAnswered = true;
        filesThatRan();
      }
      return reply;
    });
    const options = optionsFrom(reference.settings, { baseUrl: server.url, only: ['UPDATE-BODY-OBJECT'] });
    const { record } = await runSuite({ options, version: '0', reportDir: folder }, SUITE, () => {});
    await server.close();
    filesThatRan();
    resultsOf(record);
    whileJudged = filesThatRan();
  });
  afterAll(() => {
    post('Profiler.stopPreciseCoverage');
    inspector.disconnect();
    rmSync(folder, { recursive: true });
  });

  test('names files that run between the answer and the next request, in every room that does', () => {
    const named = namedIn(1, 6);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => afterAnswer?.includes(file) !== true)).toEqual([]);
    // The contract is data that every room reads.
    const rooms = new Set(afterAnswer?.map(roomOf).filter((room) => room !== 'src/contract'));
    expect([...rooms].sort()).toEqual([...new Set(named.map(roomOf))].sort());
  });

  test('names files that run when the record is judged', () => {
    const named = namedIn(7, 7);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((file) => !whileJudged.includes(file))).toEqual([]);
  });
});
