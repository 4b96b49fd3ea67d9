/** The facts of a run: read from settings and responses, and shown by every format. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { schemaProblem } from '../../../src/regression/own-files.ts';
import { againFact } from '../../../src/report/commands.ts';
import { callsSentence } from '../../../src/report/model.ts';
import { REPORTERS } from '../../../src/report/write-reports.ts';
import { factsOf } from '../../../src/run/facts.ts';
import { EXCHANGES, MADE } from './made-run.ts';

const SETTINGS = { host: 'build-7' };
const START = Date.UTC(2026, 0, 31, 12);
const facts = factsOf(SETTINGS, START, [{ ...(EXCHANGES[0] as Exchange), at: 1_000, took: 500 }]);
const textOf = (file: string, run = { ...MADE, facts }): string =>
  REPORTERS.find((one) => one.file === file)?.render(run) ?? '';

describe('the facts of a run', () => {
  test('are start, end and host', () => {
    expect(facts).toEqual({
      startedAt: '2026-01-31T12:00:00.000Z',
      endedAt: '2026-01-31T12:00:01.500Z',
      host: 'build-7',
    });
  });
});

test.each([
  ['full', 3, 'may place calls (the run placed 3) and write'],
  [
    'read-only',
    0,
    'writes are sent without a credential: only a target that accepts those changes anything or places calls',
  ],
] as const)('the command that repeats a %s run says what it may do', (profile, calls, says) => {
  const results = { ...MADE.results, profile, counts: { ...MADE.results.counts, calls } };
  const writes = EXCHANGES.map((exchange, at) => {
    const tag = { ...exchange.tag, operation: at === 0 ? ('createCall' as const) : ('updateTrunk' as const) };
    return { ...exchange, tag, request: { ...exchange.request, method: 'POST' as const } };
  });
  expect(againFact({ ...MADE, results, exchanges: writes })[2]).toEqual([says]);
});

test('calls beyond the plan are told without an accusation', () => {
  const counts = { ...MADE.results.counts, calls: 18, unplannedCalls: 7 };
  const said = callsSentence({ ...MADE.results, counts });
  expect(said).toMatch(/^18 calls \(11 planned, 7 for values that the target may reject\)/);
});

describe('the formats', () => {
  test.each(['results.json', 'summary.md', 'report.html', 'junit.xml', 'evidence.har'])('%s', (file) => {
    // Markdown escapes what it could take for markup.
    const text = textOf(file).replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    for (const fact of ['2026-01-31T12:00:00', 'build-7']) expect(text, fact).toContain(fact);
    expect(textOf(file, { ...MADE, facts: { ...facts, host: 'another' } })).not.toContain('build-7');
  });

  test('results.json matches its schema', () => {
    const value = JSON.parse(textOf('results.json'));
    expect(schemaProblem('results', value)).toBeNull();
    expect(schemaProblem('results', { ...value, run: { ...facts, startedAt: 'now' } })).toContain('/run/startedAt');
  });
});
