import { marked } from 'marked';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { RunArtefacts } from '../../../src/report/artefacts.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { REQUIREMENTS } from '../../../suites/catalogue.ts';
import { CASES, MADE, MARK, madeOf, madeWith, RESULTS } from './made-run.ts';
import { referenceRun } from './real-runs.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Every element of the summary; text of a target may add no other. */
const OURS = ['h2', 'h3', 'p', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'code', 'ul', 'li'];

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

function rowsOf(run: RunArtefacts): readonly (readonly string[])[] {
  return named(nodesOf(run), 'tr').map((row) =>
    ('childNodes' in row ? row.childNodes : []).filter(({ nodeName }) => /^t[dh]$/.test(nodeName)).map(textOf),
  );
}

describe('summary.md', () => {
  test.each([
    ['✗ fail', 'MADE-FAIL/createCall'],
    ['! warning', 'MADE-WARNING/getTrunk'],
    ['? inconclusive', 'MADE-INCONCLUSIVE/updateTrunk'],
    ['– not exercised', 'MADE-NOT-EXERCISED/answerCall'],
    ['‼ error', 'MADE-ERROR/hangUpCall'],
  ])('shows the verdict %s beside its case', (verdict, id) => {
    const row = rowsOf(MADE).find((cells) => cells[0] === verdict && cells.some((cell) => cell.includes(id)));
    expect(row).toBeDefined();
  });

  test('counts each verdict', () => {
    const counted = rowsOf(MADE)
      .filter((cells) => cells.length === 2)
      .slice(1);
    expect(counted.map(([, count]) => count)).toEqual(CASES.map(() => '1'));
    expect(counted.map(([verdict]) => verdict)).toContain('✓ pass');
  });

  test('names the verdict of the run in its heading', () => {
    expect(textOf(named(nodesOf(MADE), 'h2')[0] as Node)).toBe('PCS conformance: void');
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

  test('says what would resolve an open case', () => {
    expect(rowsOf(MADE).flat()).toContain('set PCS_TRUNK_ID');
  });

  test('keeps our own words readable', () => {
    const { statement } = REQUIREMENTS[0] ?? { statement: '' };
    const requirements = RESULTS.requirements.map((one) => (one.verdict === 'error' ? { ...one, statement } : one));
    const cells = rowsOf(madeWith({ requirements })).flat();
    const cell = cells.find((text) => text.startsWith(statement));
    expect(cell).toBe(`${statement} (must, section 4)`);
  });

  test('omits empty sections', async () => {
    const headings = named(nodesOf(await referenceRun()), 'h3').map(textOf);
    expect(headings).toEqual(['Not exercised']);
    const none = madeOf('conformant', ['pass'], { changed: [], possiblyOpen: [], intermittent: [] });
    expect(named(nodesOf(none), 'h3')).toEqual([]);
  });

  test('stays far below 1 MiB if everything fails', () => {
    const [, failing] = RESULTS.requirements;
    if (failing === undefined) throw new Error('the made run is empty');
    const many = Array.from({ length: 2_000 }, (_, at) => ({ ...failing, id: `MADE-${at}` }));
    expect(renderSummary(madeWith({ requirements: many })).length).toBeLessThan(500_000);
  });
});
