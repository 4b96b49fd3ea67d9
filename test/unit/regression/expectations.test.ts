import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addFailures,
  type Expectation,
  matchExpectations,
  parseExpectations,
  readExpectations,
  renderExpectations,
  withoutStale,
} from '../../../src/regression/expectations.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const ID = 'LIST-STATUS/listTrunks';
const TODAY = '2026-06-15';
const { results: sound } = await soundRun();
const broken = withCase(sound, ID, failing('status 200', 'status 206'));
const ENTRY: Expectation = {
  requirement: 'LIST-STATUS',
  operation: 'listTrunks',
  expected: 'status 200',
  actual: 'status 206',
  stimulus: 'a valid request',
  where: 'the status',
  reason: 'paging is being rebuilt',
  owner: 'voice platform',
  issue: 'https://issues.example/17',
  expires: '2026-06-15',
};
const fileOf = (...entries: readonly object[]): string => renderExpectations(entries as readonly Expectation[]);

describe('an expectation', () => {
  const placesOf = (results: Results, today = TODAY) =>
    Object.entries(matchExpectations([ENTRY], results, today)).flatMap(([place, entries]) =>
      entries.includes(ENTRY) ? [place] : [],
    );

  test('matches its failure up to and including its last day', () => {
    expect(placesOf(broken)).toEqual(['known']);
    expect(placesOf(broken, '2026-06-16')).toEqual(['expired']);
  });

  test('is gone if the case passes, on whatever day, or fails differently', () => {
    expect(placesOf(sound)).toEqual(['gone']);
    expect(placesOf(sound, '2026-06-16')).toEqual(['gone']);
    expect(placesOf(withCase(sound, ID, failing('status 200', 'status 500')))).toEqual(['gone']);
  });

  test('is gone where the group of values that it was sent in gets another answer', () => {
    const [finding] = failing('status 200', 'status 206', 'a part of a group').findings ?? [];
    if (finding === undefined) throw new Error('no finding');
    const findings = [{ ...finding, within: 'a valid request' }];
    const run = withCase(sound, ID, { verdict: 'fail', reason: 'r', findings });
    const { reason, owner, issue, expires } = ENTRY;
    const list = parseExpectations(fileOf(...addFailures([], run, { reason, owner, issue, expires })), 'f.json');
    expect(withoutStale(list, run, TODAY)).toEqual(list);
    expect(matchExpectations(list, sound, TODAY).gone).toEqual(list);
  });

  // Of an expired one a run had said nothing.
  test.each([TODAY, '2026-06-16'])('is unused on %s if the case was not judged', (day) => {
    const open = withCase(sound, ID, { verdict: 'inconclusive', reason: 'no answer' });
    expect(placesOf(open, day)).toEqual(['unused']);
    expect(withoutStale([ENTRY], open, day)).toEqual(day === TODAY ? [ENTRY] : []);
  });

  // A list with * had made a run that ended after three questions exit 0.
  test.each(['end', 'nonsense'])('is rejected for RUN/%s, which no list excuses', (operation) => {
    const path = join(mkdtempSync(join(tmpdir(), 'expect-')), 'known.json');
    writeFileSync(path, fileOf({ ...ENTRY, requirement: 'RUN', operation }));
    expect(() => readExpectations(path)).toThrow(
      `names RUN/${operation}, which no list excuses: of the run itself list only createCall, target, flaky.`,
    );
  });
});

test('an expectation with a pattern lists every finding that matches it, and no other', () => {
  const listed = (pattern: string, stimulus: string) =>
    matchExpectations(
      [{ ...ENTRY, stimulus: pattern }],
      withCase(sound, ID, failing('status 200', 'status 206', stimulus)),
      TODAY,
    ).known.length;
  const matching = ['*', 'strings *: /name', '*/name', 'strings*', '*U+0000*', 'strings with U+0000: /name'];
  expect(matching.map((pattern) => listed(pattern, 'strings with U+0000: /name'))).toEqual([1, 1, 1, 1, 1, 1]);
  const others = ['', 'strings', '*/realm', '*U+0000', 'strings *: /name*x', 'strings with U+0000: /name*/name'];
  expect(others.map((pattern) => listed(pattern, 'strings with U+0000: /name'))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a list and a baseline of an earlier version are rejected with the version and what to do', () => {
  const old = renderExpectations([]).replace('@2', '@1');
  expect(() => parseExpectations(old, 'known.json')).toThrow(
    'known.json has the format "pcs-conformance/expectations@1", and this version reads pcs-conformance/expectations@2: make the list again with expect add',
  );
});

describe('the list', () => {
  test('takes every failure of a run once, and keeps existing entries', () => {
    const details = { reason: 'r', owner: 'o', issue: 'https://issues.example/18', expires: '2027-01-01' };
    expect(addFailures([], broken, details)).toEqual([{ ...ENTRY, ...details }]);
    expect(addFailures([ENTRY], broken, details)).toEqual([ENTRY]);
    expect(addFailures([], sound, details)).toEqual([]);
    expect(addFailures([], withCase(sound, ID, { ...failing('a', 'b'), verdict: 'warning' }), details)).toEqual([]);
    expect(addFailures([ENTRY], broken, details, { owner: 'o' })).toEqual([{ ...ENTRY, owner: 'o' }]);
    expect(addFailures([ENTRY], sound, details, { owner: 'o' })).toEqual([ENTRY]);
    expect(addFailures([ENTRY], broken, details, { owner: ENTRY.owner })[0]).toBe(ENTRY);
  });

  test('loses stale entries and entries for unknown cases', () => {
    const unknown = { ...ENTRY, requirement: 'NO-SUCH-THING' };
    expect(withoutStale([ENTRY, unknown], broken, TODAY)).toEqual([ENTRY]);
    expect(withoutStale([ENTRY, unknown], sound, TODAY)).toEqual([]);
    expect(withoutStale([ENTRY], broken, '2026-06-16')).toEqual([]);
  });

  test('is read back unchanged', () => {
    expect(parseExpectations(fileOf(ENTRY), 'f.json')).toEqual([ENTRY]);
  });
});

describe('an expectations file', () => {
  test.each(['reason', 'owner', 'issue'] as const)('with a blank %s is rejected unless blanks are allowed', (name) => {
    const text = fileOf({ ...ENTRY, [name]: '' });
    expect(() => parseExpectations(text, 'f.json')).toThrow(`has no ${name}; fill it in.`);
    expect(parseExpectations(text, 'f.json', true)).toHaveLength(1);
  });

  test.each([
    ['text that is not JSON', 'x', 'is not valid JSON'],
    ['another format', '{"format":"other","expectations":[]}', '/format'],
    ['an unknown member', fileOf({ ...ENTRY, more: 1 }), 'more'],
    ['an invalid date', fileOf({ ...ENTRY, expires: '2026-13-01' }), '/expectations/0/expires'],
    ['a day that no month has', fileOf({ ...ENTRY, expires: '2026-02-31' }), 'expires on 2026-02-31'],
    ['an issue without an address', fileOf({ ...ENTRY, issue: 'soon' }), '/expectations/0/issue'],
    // Page and summary could not be made, and the run was void.
    ['an issue that no URL is', fileOf({ ...ENTRY, issue: 'https://[PCS-17]/' }), 'has the issue https://[PCS-17]/'],
    [
      'an entry that is not an object',
      '{"format":"pcs-conformance/expectations@2","expectations":[null]}',
      '/expectations/0',
    ],
  ])('with %s is rejected, and the message says where', (_, text, place) => {
    expect(() => parseExpectations(text, 'f.json')).toThrow(place);
    expect(() => parseExpectations(text, 'f.json')).toThrow('f.json');
  });
});
