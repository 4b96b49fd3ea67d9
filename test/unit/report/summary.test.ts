import { marked } from 'marked';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { value } from '../../../src/report/blocks.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { markdownText, renderSummary } from '../../../src/report/markdown.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { MADE, MARK, madeWith } from './made-run.ts';
import { faultyRun, referenceRun } from './real-runs.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Every element of the summary; text of a target may add no other. */
const OURS = ['h2', 'h3', 'p', 'code', 'strong', 'ul', 'li'];

function nodesOf(run: RunArtefacts): readonly Node[] {
  const flat = (node: Node): readonly Node[] => [node, ...('childNodes' in node ? node.childNodes.flatMap(flat) : [])];
  const html = marked.parse(renderSummary(run), { async: false, gfm: true });
  return parseFragment(html).childNodes.flatMap(flat);
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

const named = (nodes: readonly Node[], name: string): readonly Node[] =>
  nodes.filter(({ nodeName }) => nodeName === name);

/** Entries of the lists, each with the lines below it. */
const entriesOf = (run: RunArtefacts): readonly string[] => named(nodesOf(run), 'li').map(textOf);

/** ERROR-ENVELOPE on every operation, CALL-CREATE-400, and a list with 206. */
const FAILING = OPERATION_IDS.length + 2;

describe('summary.md', () => {
  test.each([
    ['✗ fail', 'MADE-FAIL/createCall'],
    ['! warning', 'MADE-WARNING/getTrunk'],
    ['? 1 case inconclusive', 'MADE-INCONCLUSIVE/updateTrunk'],
    ['– 1 case not exercised', 'MADE-NOT-EXERCISED/answerCall'],
    ['‼ error', 'MADE-ERROR/hangUpCall'],
  ])('shows the verdict %s beside its case', (verdict, id) => {
    expect(entriesOf(MADE).find((text) => text.startsWith(verdict) && text.includes(id))).toBeDefined();
  });

  test('begins with the verdict, the most telling findings with their requests, and what needs action', async () => {
    const summary = renderSummary(await faultyRun());
    const lines = summary.split('\n').filter((line) => line !== '');
    expect(lines.slice(0, 4)).toEqual([
      '## PCS conformance: NON-CONFORMANT (profile full)',
      `${FAILING} cases fail, with 2 likely causes.`,
      '### Likely causes (2)',
      expect.stringMatching(`^- ✗ \`ERROR-ENVELOPE\` on updateTrunk and ${FAILING - 3} more operations: Every error`),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}- request: `[A-Z]+ \/v1\/.*`$/));
    const headings = named(nodesOf(MADE), 'h3').map(textOf);
    expect(headings.indexOf('Calls that may still be open')).toBe(1);
    expect(headings.indexOf('Changed on the target and not restored')).toBe(2);
  });

  test('reads well as plain text: no table, no character reference, no tag around our own words', async () => {
    for (const run of [await referenceRun(), await faultyRun()]) {
      expect(renderSummary(run)).not.toMatch(/&#|<\/?[a-z]+>|\|/);
    }
  });

  test('contains only our elements, whatever a target sends', () => {
    const names = nodesOf(MADE)
      .map(({ nodeName }) => nodeName)
      .filter((name) => name !== '#text');
    expect([...new Set(names)].filter((name) => !OURS.includes(name))).toEqual([]);
  });

  test('shows the text of a target as text', () => {
    const texts = named(nodesOf(MADE), 'code')
      .map(textOf)
      .filter((text) => text.includes(MARK));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.join()).toContain('</failure></testcase>');
    expect(texts.join()).toContain('**forged** [forged](javascript:forged)');
  });
});

test('a failure names the form in which it was sent: a 500 without Accept was one to "a valid request"', () => {
  const sent = { stimulus: 'a valid request', expected: 'no 5xx', where: 'the status', form: 'without Accept' };
  const text = JSON.stringify(MADE, (name, value) => {
    if (name === 'about') return 'a valid request';
    return name === 'findings' ? value.map((finding: object) => ({ ...finding, ...sent })) : value;
  });
  const run: RunArtefacts = JSON.parse(text);
  expect(renderSummary(run)).toMatch(/^- ✗ fail .* to `a valid request, without Accept`$/m);
  const failing = renderConsole(run, { color: false, detail: 'quiet' }).split('\n');
  const lineOf = (name: string) => failing.find((line) => line.startsWith(`  ${name} `));
  expect(lineOf('sent')).toMatch(/│ a valid request, without Accept$/);
  expect(lineOf('also')).toMatch(/│ expected no 5xx, got a hang to a valid request, without Accept \(exchange 2\)$/);
});

test('a command is never cut: the end of 40 names of --only had been "… (812 more characters)"', () => {
  const only = Array.from({ length: 40 }, (_, at) => `MADE-WITH-A-LONG-NAME-${at}/createCall`);
  const summary = renderSummary(madeWith({ only }));
  expect(summary).toContain(`--only ${only.join(',')} --seed 7`);
});

test.each([
  ['a sentence', 'expected status 200, got 404 (a valid request)', 'expected status 200, got 404 (a valid request)'],
  ['what begins a list', '1. forged', '`1. forged`'],
  ['a name that GitHub links', 'see www.forged.invalid', '`see www.forged.invalid`'],
  ['an address', 'see http://forged.invalid', '`see http://forged.invalid`'],
  ['a name that GitHub notifies', 'ask @forged', '`ask @forged`'],
  ['a mark', 'a *forged* word', '`a *forged* word`'],
])('%s of a finding is written as text only if Markdown reads nothing into it', (_what, text, written) => {
  expect(markdownText({ title: 'made', lead: [[value(text)]], parts: [] })).toBe(`## made\n\n${written}\n`);
});
