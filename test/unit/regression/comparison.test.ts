import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { compareRuns, comparisonDocument, differenceOf } from '../../../src/regression/comparison.ts';
import { addFailures, type Expectation, matchExpectations } from '../../../src/regression/expectations.ts';
import { terminalText } from '../../../src/report/console.ts';
import { markdownText } from '../../../src/report/markdown.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const ID = 'LIST-STATUS/listTrunks';
const sound = await soundRun();
const broken = { results: withCase(sound.results, ID, failing('status 200', 'status 206')) };
const open = { results: withCase(sound.results, ID, { verdict: 'inconclusive', reason: 'no answer' }) };
const names = (changes: readonly { readonly case: string }[]): readonly string[] => changes.map((one) => one.case);

describe('a comparison', () => {
  test('of a run with itself is empty', () => {
    const comparison = compareRuns(sound, sound);
    expect(differenceOf(comparison)).toEqual({ summary: 'Nothing new.', groups: [], newWarnings: [] });
    expect(comparison.worse).toBe(false);
  });

  test('puts each change on its own list', () => {
    expect(names(compareRuns(sound, broken).new)).toEqual([ID]);
    expect(names(compareRuns(open, broken).new)).toEqual([ID]);
    expect(names(compareRuns(broken, broken).known)).toEqual([ID]);
    expect(names(compareRuns(broken, sound).gone)).toEqual([ID]);
    expect(names(compareRuns(sound, open).noLongerJudged)).toEqual([ID]);
    expect(names(compareRuns(broken, open).noLongerJudged)).toEqual([ID]);
    expect(names(compareRuns(open, sound).newlyJudged)).toEqual([ID]);
  });

  test('takes another deviation and another stimulus in a failing case for new', () => {
    for (const [change, first] of [
      [failing('status 200', 'status 500'), undefined],
      [failing('status 200', 'status 206', 'a value that was never sent'), true],
    ] as const) {
      const comparison = compareRuns(broken, { results: withCase(sound.results, ID, change) });
      expect(comparison.new).toMatchObject([{ case: ID, at: 0 }]);
      expect([comparison.new[0]?.first, comparison.worse]).toEqual([first, true]);
    }
  });

  test('says of a finding that shows something else, or more than a part, what it was, and nothing is gone', () => {
    const part = failing('status 200', 'status 206', 'a part of a group').findings?.[0];
    if (part === undefined) throw new Error('no finding');
    const findings = [{ ...part, within: 'a valid request' }];
    const narrow = { results: withCase(sound.results, ID, { verdict: 'fail', reason: 'r', findings }) };
    const other = { results: withCase(sound.results, ID, failing('status 200', 'status 500')) };
    expect(compareRuns(broken, other)).toMatchObject({
      new: [{ detail: 'expected status 200, got status 500; before status 206' }],
      gone: [],
    });
    expect(compareRuns(narrow, broken)).toMatchObject({
      new: [{ detail: 'expected status 200, got status 206; before status 206 (a part of a group)' }],
      gone: [],
    });
    expect(names(compareRuns(broken, narrow).gone)).toEqual([ID]);
    const another = {
      results: withCase(sound.results, 'LIST-STATUS/listNumbers', failing('status 200', 'status 206')),
    };
    expect(names(compareRuns(broken, another).gone)).toEqual([ID]);
  });

  test('says what is gone only where it was asked again', () => {
    const other = { results: withCase(sound.results, ID, failing('status 200', 'status 206', 'an older stimulus')) };
    expect(compareRuns(other, sound)).toMatchObject({ gone: [], notAskedAgain: [{ case: ID }], worse: false });
    const { findings = [] } = failing('status 200', 'status 206', 'a part of a group');
    const within = findings.map((finding) => ({ ...finding, within: 'a valid request' }));
    const narrowed = { results: withCase(sound.results, ID, { verdict: 'fail', reason: 'r', findings: within }) };
    expect(names(compareRuns(narrowed, sound).gone)).toEqual([ID]);
    const elsewhere = failing('status 200', 'status 206', 'getTrunk: a valid request');
    expect(names(compareRuns({ results: withCase(sound.results, ID, elsewhere) }, sound).gone)).toEqual([ID]);
    expect(compareRuns(sound, narrowed).new[0]?.first).toBeUndefined();
  });

  test('takes a walk with another random body for new, and asked for the first time by another seed or number', () => {
    const drawn = (seed: number, body: number) => {
      const [finding] =
        failing('status 200', 'status 206', `listTrunks (a valid request, random body ${body})`).findings ?? [];
      const findings = finding === undefined ? [] : [{ ...finding, walk: '1:2' }];
      return { results: { ...withCase(sound.results, ID, { verdict: 'fail', reason: 'r', findings }), seed } };
    };
    // Which part of a drawn body a target dies of is not known, so another one may show another defect.
    expect(compareRuns(drawn(1, 71), drawn(2, 72)).new).toMatchObject([{ case: ID, first: true }]);
    const longer = { results: { ...drawn(1, 72).results, explore: 1_000 } };
    expect(compareRuns(drawn(1, 71), longer).new).toMatchObject([{ case: ID, first: true }]);
    expect(compareRuns(drawn(1, 71), drawn(1, 71)).new).toEqual([]);
    const [known] = addFailures([], drawn(1, 71).results, {
      reason: 'r',
      owner: 'o',
      issue: 'https://issues.example/1',
      expires: '2999-12-31',
    });
    const any = { ...known, stimulus: 'listTrunks (a valid request, random body *)' } as Expectation;
    expect(matchExpectations([any], drawn(2, 72).results, '2026-01-01').known).toEqual([any]);
  });

  test('ignores ids and positions in a finding', () => {
    const id = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const at = (text: string) => ({ results: withCase(sound.results, ID, failing('nothing', text)) });
    expect(compareRuns(at(`shown ${id('1')} at byte 7`), at(`shown ${id('2')} at byte 9`)).worse).toBe(false);
    expect(compareRuns(at('status 404'), at('status 410')).worse).toBe(true);
  });

  test('counts a warning as a failure if the run is strict', () => {
    const warned = withCase(sound.results, ID, { ...failing('a', 'b'), verdict: 'warning' });
    expect(compareRuns(sound, { results: warned }).worse).toBe(false);
    expect(compareRuns({ results: warned }, sound).gone).toEqual([]);
    expect(compareRuns(sound, { results: { ...warned, strict: true } }).worse).toBe(true);
  });
});

describe('the rest of a comparison', () => {
  test('shows a changed choice as drift, but not a new gap', () => {
    const choice = { gap: 'GAP-UNKNOWN-ID', operation: 'getTrunk', choice: 'refused (404)' };
    const before = { ...sound, choices: [choice] };
    const now = {
      ...sound,
      choices: [
        { ...choice, choice: 'refused (422)' },
        { ...choice, gap: 'GAP-NEW' },
      ],
    };
    const comparison = compareRuns(before, now);
    expect(comparison.drift).toEqual([
      { gap: 'GAP-UNKNOWN-ID', operation: 'getTrunk', before: ['refused (404)'], now: ['refused (422)'] },
    ]);
    expect(comparison.worse).toBe(false);
    expect(differenceOf(comparison).groups[0]?.inGate).toBe(false);
  });

  test('says how the plan differs', () => {
    const { requirements } = sound.results;
    const less = { ...sound.results, seed: 9, requirements: requirements.filter(({ id }) => id !== 'LIST-STATUS') };
    const comparison = compareRuns(sound, { results: less });
    const { plan, noLongerJudged } = comparison;
    expect(plan).toEqual([`seed changed from ${sound.results.seed} to 9`]);
    expect(names(noLongerJudged)).toContain(ID);
    const older = JSON.parse(JSON.stringify(sound.results).replaceAll('LIST-STATUS', 'LIST-OF-OLD'));
    expect(compareRuns({ results: older }, sound).noLongerJudged).toEqual([]);
    const { groups } = differenceOf(comparison);
    expect(groups.map(({ title, inGate }) => [title, inGate])).toEqual([
      ['No longer judged', true],
      ['Changed plan', false],
    ]);
  });

  test('in Markdown names no file that lacks its further entries: results.json holds no changed choices', () => {
    const entries = Array.from({ length: 60 }, (_, at) => ({ name: `GAP-${at}`, detail: 'was 200, is 204' }));
    const groups = [{ title: 'Changed choices', inGate: false, count: 60, entries }];
    const markdown = markdownText(comparisonDocument({ summary: '60 choices changed.', groups, newWarnings: [] }));
    expect(markdown).toMatch(/- and 10 more entries in the JSON report\n$/);
  });

  test('is text and Markdown in which no text of the target is markup', () => {
    const hostile = withCase(sound.results, ID, failing('a', '<b>\u001b[31m`x`'));
    const document = comparisonDocument(differenceOf(compareRuns(sound, { ...sound, results: hostile })));
    expect(terminalText(document)).toBe(
      `1 new finding.\n\nNew findings (1)\n- ${ID}: expected a, got <b>\\x1b[31m\`x\` (a valid request)`,
    );
    const markdown = markdownText(document);
    expect(markdown).toContain('### New findings (1)');
    expect(marked.parse(markdown)).not.toMatch(/<b>|<em>|<table>/);
  });
});
