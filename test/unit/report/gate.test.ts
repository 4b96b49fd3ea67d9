/** What the gate says stands in every report, and a gate that passes looks like one. */

import { describe, expect, test } from 'vitest';
import { schemaFault } from '../../../src/regression/own-files.ts';
import { renderConsole } from '../../../src/report/console.ts';
import type { GateOutcome } from '../../../src/report/gate.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderResults } from '../../../src/report/json-files.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { attribute, elements, textOf, withId } from '../report-html/pages.ts';
import { HOSTILE, madeOf } from './made-run.ts';

const ID = 'MADE-FAIL/createCall';
const KNOWN = {
  case: ID,
  stimulus: 'to is missing',
  at: 0,
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
  sentences: ['1 known finding, nothing new, 1 case not judged'],
  new: [],
  known: [KNOWN],
  gone: [
    { case: 'MADE-PASS/createCall', detail: 'expected a, got b', remove: 'expect prune', file: 'known list.json' },
  ],
});
const failing = gated({
  code: 1,
  sentences: [`1 new finding: ${ID}`],
  new: [{ kind: 'finding', case: ID, stimulus: 'to is missing', at: 0, detail: 'status 200', first: true }],
  known: [],
  gone: [],
});

const marksOf = (junit: string): readonly string[] =>
  [...junit.matchAll(/<(failure|error|skipped)\b/g)].map(([, mark = '']) => mark);
const headingOf = (page: string): string => textOf(elements(page, ({ tagName }) => tagName === 'h1')[0]);

describe('a gate that passes', () => {
  test('has no red test in JUnit: the known failure is skipped, with its reason', () => {
    expect(marksOf(renderJunit(run))).toEqual(['failure', 'error', 'failure']);
    expect(marksOf(renderJunit(passing))).toEqual(['skipped', 'skipped']);
    expect(renderJunit(passing)).toContain(`message="known failure: ${PHRASE}`);
  });

  test('says so at the top of the summary and of the page, with the owner and the issue, beside the verdict', () => {
    const summary = renderSummary(passing);
    expect(summary).toMatch(
      /^## PCS conformance: the gate passes; NON-CONFORMANT \(profile full without muteParticipant\)\n\n1 known finding, nothing new/,
    );
    expect(summary).toContain(
      '<details><summary>1 known finding</summary>\n\n- **KNOWN** `MADE-FAIL/createCall`: comes back in 4.3 (calls,',
    );
    expect(summary).toContain('[issue](<https://issues.example/812>)');
    expect(summary).toContain("pcs-conformance expect prune conformance-report --file 'known list.json'");
    const page = renderHtml(passing);
    expect(headingOf(page)).toBe('The gate passes');
    expect(page).toMatch(/<div class="verdict"><span class="badge seal c-green"/);
    expect(page).toContain('<p>NON-CONFORMANT (profile full without muteParticipant): ');
    const [folded] = elements(withId(page, 'gate'), ({ tagName }) => tagName === 'details');
    expect(textOf(folded)).toContain('KNOWN MADE-FAIL/createCall: comes back in 4.3 (calls, until 2026-12-31)');
    expect(attribute(elements(folded, ({ tagName }) => tagName === 'a')[1], 'href')).toBe(KNOWN.issue);
    expect(textOf(withId(page, 'gate'))).toContain('expect prune conformance-report');
  });

  test('is marked in the failure on the screen, and stands in results.json', () => {
    expect(renderConsole(passing, { color: false, detail: 'quiet' })).toContain(
      'known     │ comes back in 4.3 (calls, until 2026-12-31) https://issues.example/812',
    );
    const lines = renderConsole(passing, { color: false, detail: 'gate' }).split('\n');
    expect(lines.filter((line) => line.includes('known finding:') || line.includes('KNOWN'))).toEqual([
      '1 known finding: MADE-FAIL/createCall',
    ]);
    const results = JSON.parse(renderResults(passing));
    expect([results.verdict, results.gate]).toEqual(['non-conformant', passing.gate]);
    expect(schemaFault('results', results)).toBeUndefined();
    expect(schemaFault('results', { ...results, gate: { code: 2 } })).toBeDefined();
  });
});

describe('a gate that fails', () => {
  test('marks what is new in every report, before anything else', () => {
    const console = renderConsole(failing, { color: false, detail: 'normal' });
    expect(console).toMatch(/^The gate fails: 1 new, 0 known, 0 gone\.\n\nNON-CONFORMANT /);
    expect(console.split('\n').slice(4, 6)).toEqual([
      'Likely causes of what is new (1)',
      expect.stringMatching(/^✗ NEW MADE-FAIL on createCall/),
    ]);
    expect(renderSummary(failing).indexOf('**NEW** `MADE-FAIL/createCall`')).toBeLessThan(
      renderSummary(failing).indexOf('### Likely causes'),
    );
    expect(textOf(withId(renderHtml(failing), 'gate'))).toContain(
      'NEW MADE-FAIL/createCall: status 200 (to is missing), asked for the first time',
    );
    expect(renderJunit(failing)).toContain('message="NEW: status 200 (to is missing), asked for the first time"');
  });
});

test('a case with a new finding behind a known one is headed by the new one, and never lays the known one to the release', () => {
  const finding = { expected: 'no 5xx', where: 'the status', example: 2, exchanges: [2] };
  const text = JSON.stringify(run, (name, value) =>
    name === 'findings' && value.length > 0
      ? [
          { ...finding, actual: 'status 500', stimulus: 'a blank' },
          { ...finding, actual: 'status 502', stimulus: 'a tab' },
        ]
      : value,
  );
  const entry = { kind: 'finding', case: ID, stimulus: 'a tab', at: 1, detail: 'd' } as const;
  const gate = { code: 1, sentences: [], new: [entry], known: [{ ...KNOWN, stimulus: 'a blank' }], gone: [] } as const;
  const gated = { ...JSON.parse(text), gate };
  expect(renderSummary(gated)).toContain('expected `no 5xx`, got `status 502` to `a tab`\n  - also: KNOWN: ');
  expect(textOf(withId(renderHtml(gated), 'case-MADE-FAIL-createCall'))).toMatch(/NEW createCall got status 502/);
});

test('a case with known findings of two owners names both', () => {
  const other = { ...KNOWN, at: 1, reason: 'a second defect', owner: 'edge', issue: 'https://issues.example/9' };
  const known = gated({ code: 0, sentences: [], new: [], known: [KNOWN, { ...KNOWN, at: 2 }, other], gone: [] });
  const both = `${PHRASE}; known failure: a second defect (edge, https://issues.example/9, until 2026-12-31)`;
  expect(renderJunit(known)).toContain(`message="known failure: ${both}; `);
  expect(renderConsole(known, { color: false, detail: 'quiet' })).toMatch(
    /known +│ comes back .*\/812\n +│ a second defect \(edge, until 2026-12-31\) https:\/\/issues\.example\/9\n/,
  );
  expect(renderSummary(known)).toContain(
    'known: comes back in 4.3 (calls, until 2026-12-31) [issue](<https://issues.example/812>), a second',
  );
  expect(textOf(withId(renderHtml(known), 'case-MADE-FAIL-createCall'))).toContain('a second defect (edge,');
});

test('of a run that a signal ended no view passes: two nights that were cut off alike exit 130 with nothing new', () => {
  const ended = { ...passing, exit: 130 };
  const console = renderConsole(ended, { color: false, detail: 'normal' });
  const page = renderHtml(ended);
  expect([console, renderSummary(ended), page].filter((view) => /the gate passes/i.test(view))).toEqual([]);
  expect(page).toMatch(/<div class="verdict"><span class="badge seal c-yellow"/);
  expect(marksOf(renderJunit(ended))).toEqual(['skipped', 'skipped', 'failure']);
});

test('a gate that fails without anything new says why on the page, too', () => {
  const why = 'not the whole interface was judged; to resolve: set PCS_TRUNK_ID';
  const run = gated({ code: 3, sentences: [why], new: [], known: [KNOWN], gone: [] });
  const top = textOf(elements(renderHtml(run), ({ tagName }) => tagName === 'header')[0]);
  expect(top).toContain('Not the whole interface was judged; to resolve: set PCS_TRUNK_ID.');
});

test('a line of many new stimuli names each of them', () => {
  const stimuli = Array.from({ length: 40 }, (_, at) => `the value ${at} of a member with a long name`);
  const entry = { kind: 'finding', case: ID, at: 0, detail: 'expected no 5xx, got status 500' } as const;
  const run = gated({
    code: 1,
    sentences: [],
    new: stimuli.map((stimulus) => ({ ...entry, stimulus })),
    known: [],
    gone: [],
  });
  const views = [
    renderSummary(run),
    textOf(withId(renderHtml(run), 'gate')),
    renderConsole(run, { color: false, detail: 'gate' }),
  ];
  for (const view of views)
    expect(stimuli.filter((stimulus) => !view.replaceAll(/\s+/g, ' ').includes(stimulus))).toEqual([]);
});

test('the comparison with the baseline stands in the summary, as far as the gate does not say it', () => {
  const entries = [{ name: ID, detail: HOSTILE }];
  const groups = [
    { title: 'New findings', inGate: true, count: 1, entries },
    { title: 'New warnings', inGate: false, count: 2, entries },
  ];
  const summary = renderSummary({ ...failing, difference: { summary: '1 new finding.', groups, newWarnings: [] } });
  expect(summary).toContain('Since the baseline: 1 new finding.');
  expect(summary).toContain(`### New warnings (2)\n\n<details><summary>Show 2 changes</summary>\n\n- \`${ID}\`: `);
  expect(summary).not.toContain('### New findings (');
});

test('names the reports as the next baseline only where the gate passes, which what is new does not', () => {
  const gone = [{ case: ID, stimulus: 'to is missing', detail: 'status 500', remove: 'baseline' }] as const;
  const advised = ({ gate }: RunArtefacts, exit?: number): string => {
    const run = { ...gated({ ...(gate as GateOutcome), gone }), folder: 'new', ...(exit !== undefined && { exit }) };
    return renderConsole(run, { color: false, detail: 'gate' });
  };
  expect(advised(passing)).toContain(
    'status 500 (to is missing) and passes now: use the folder "new" as the next baseline',
  );
  expect(advised(failing)).toMatch(/status 500 \(to is missing\) and passes now$/m);
  expect(advised(passing, 130)).not.toContain('next baseline');
});
