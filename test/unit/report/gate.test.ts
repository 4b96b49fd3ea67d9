/** What the gate says stands in every report, and a gate that passes looks like one. */

import { describe, expect, test } from 'vitest';
import { schemaFault } from '../../../src/regression/own-files.ts';
import { renderAnnotations, renderJunit } from '../../../src/report/build-servers.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import { renderResults } from '../../../src/report/json-files.ts';
import type { GateOutcome, RunArtefacts } from '../../../src/report/model.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { elements, textOf } from '../report-html/pages.ts';
import { HOSTILE, madeOf } from './made-run.ts';

const ID = 'MADE-FAIL/createCall';
const KNOWN = {
  case: ID,
  reason: 'comes back in 4.3',
  owner: 'calls',
  issue: 'https://issues.example/812',
  expires: '2026-12-31',
};
const PHRASE = 'comes back in 4.3 (calls, https://issues.example/812, until 2026-12-31)';
const run = madeOf('non-conformant', ['pass', 'fail', 'inconclusive']);
const gated = (gate: GateOutcome): RunArtefacts => ({ ...run, gate });
const passing = gated({
  code: 0,
  sentences: ['1 known failure, no new failures, 1 case inconclusive'],
  known: [KNOWN],
});
const failing = gated({ code: 1, sentences: [`1 new failure: ${ID}`], known: [] });

const marksOf = (junit: string): readonly string[] =>
  [...junit.matchAll(/<(failure|error|skipped)\b/g)].map(([, mark = '']) => mark);
const commandsOf = (lines: string): readonly string[] => [...lines.matchAll(/^::(\w+)/gm)].map(([, one = '']) => one);
const headingOf = (page: string): string => textOf(elements(page, ({ tagName }) => tagName === 'h1')[0]);

describe('a gate that passes', () => {
  test('has no red test in JUnit: the known failure is skipped, with its reason', () => {
    expect(marksOf(renderJunit(run))).toEqual(['failure', 'error']);
    expect(marksOf(renderJunit(passing))).toEqual(['skipped', 'skipped']);
    expect(renderJunit(passing)).toContain(`message="known failure: ${PHRASE}`);
    expect(renderJunit(passing)).toContain('<property name="gate" value="passes"/>');
  });

  test('annotates with notices alone', () => {
    expect(commandsOf(renderAnnotations(run))).toEqual(['error', 'error']);
    expect(commandsOf(renderAnnotations(passing))).toEqual(['notice', 'notice']);
    expect(renderAnnotations(passing)).toContain('title=the gate passes (verdict%3A non-conformant)::1 known failure');
  });

  test('says so at the top of the summary and of the page, with the owner and the issue, beside the verdict', () => {
    const summary = renderSummary(passing);
    expect(summary).toMatch(
      /^## PCS conformance: the gate passes \(verdict: non-conformant\)\n\n`1 known failure, no new/,
    );
    expect(summary).toContain(`### Known failures\n\n- \`${ID}\`: \`${PHRASE}\``);
    const page = renderHtml(passing);
    expect(headingOf(page)).toBe('The gate passes');
    expect(page).toMatch(/<header class="masthead v-pass">/);
    expect(page).toContain('<span class="label">Verdict</span> non-conformant: ');
    expect(page).toContain(PHRASE);
  });

  test('is marked in the failure on the screen, and stands in results.json', () => {
    expect(renderConsole(passing, { color: false, width: 100, quiet: true })).toContain(`known     │ ${PHRASE}`);
    const results = JSON.parse(renderResults(passing));
    expect([results.verdict, results.gate]).toEqual(['non-conformant', passing.gate]);
    expect(schemaFault('results', results)).toBeNull();
    expect(schemaFault('results', { ...results, gate: { code: 2 } })).not.toBeNull();
  });
});

describe('a gate that fails', () => {
  test('looks like a failure everywhere', () => {
    expect(marksOf(renderJunit(failing))).toEqual(['failure', 'error']);
    expect(commandsOf(renderAnnotations(failing))).toEqual(['error', 'error']);
    expect(renderSummary(failing)).toMatch(/^## PCS conformance: the gate fails \(verdict: non-conformant\)/);
    expect(headingOf(renderHtml(failing))).toBe('The gate fails');
  });

  test('of a conformant run is a red case of its own', () => {
    const stale = {
      ...madeOf('conformant', ['pass']),
      gate: { code: 1, sentences: ['stale expectation: A'], known: [] },
    };
    expect(marksOf(renderJunit(stale as RunArtefacts))).toEqual(['error']);
    expect(renderAnnotations(stale as RunArtefacts)).toMatch(/^::error title=the gate fails/);
  });
});

test('the comparison with the baseline stands in the summary', () => {
  const groups = [{ title: 'Newly failing', grave: true, entries: [{ name: ID, detail: HOSTILE }] }];
  const summary = renderSummary({ ...failing, difference: { summary: '1 new failure.', groups } });
  expect(summary).toContain('Since the baseline: `1 new failure.`');
  expect(summary).toContain(`### Newly failing (1)\n\n- \`${ID}\`: `);
});
