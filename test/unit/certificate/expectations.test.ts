import { describe, expect, test } from 'vitest';
import { type Expectation, parseExpectations, renderExpectations } from '../../../src/regression/expectations.ts';
import { addFailures, holdAgainst, withoutStale } from '../../../src/regression/expected.ts';
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
  reason: 'paging is being rebuilt',
  owner: 'voice platform',
  issue: 'https://issues.example/17',
  expires: '2026-06-15',
};
const fileOf = (...entries: readonly object[]): string => renderExpectations(entries as readonly Expectation[]);

describe('an expectation', () => {
  test('holds while the failure is as listed, up to and including its last day', () => {
    expect(holdAgainst([ENTRY], broken, TODAY)).toEqual({ held: [ENTRY], stale: [], idle: [] });
  });

  test('is stale from the day after its last', () => {
    const { held, stale } = holdAgainst([ENTRY], broken, '2026-06-16');
    expect(held).toEqual([]);
    expect(stale[0]?.sentence).toContain('was to be borne with until 2026-06-15');
    expect(stale[0]?.sentence).toContain('voice platform');
  });

  test('is stale where the case passes', () => {
    expect(holdAgainst([ENTRY], sound, TODAY).stale[0]?.sentence).toContain('passes: remove the entry');
  });

  test('is stale where the case fails differently', () => {
    const other = withCase(sound, ID, failing('status 200', 'status 500'));
    expect(holdAgainst([ENTRY], other, TODAY).stale[0]?.sentence).toContain('fails differently');
  });

  test('is neither held nor stale where the case was not judged', () => {
    const open = withCase(sound, ID, { verdict: 'inconclusive', reason: 'nobody knows' });
    expect(holdAgainst([ENTRY], open, TODAY)).toMatchObject({ held: [], stale: [] });
    expect(holdAgainst([ENTRY], open, TODAY).idle[0]).toContain('was inconclusive');
  });
});

describe('the list', () => {
  test('takes up every failure of a run once, and leaves what is there', () => {
    const pledge = { reason: 'r', owner: 'o', issue: 'https://issues.example/18', expires: '2027-01-01' };
    expect(addFailures([], broken, pledge)).toEqual([{ ...ENTRY, ...pledge }]);
    expect(addFailures([ENTRY], broken, pledge)).toEqual([ENTRY]);
    expect(addFailures([], sound, pledge)).toEqual([]);
  });

  test('loses what is stale and what names nothing', () => {
    const nobody = { ...ENTRY, requirement: 'NO-SUCH-THING' };
    expect(withoutStale([ENTRY, nobody], broken, TODAY)).toEqual([ENTRY]);
    expect(withoutStale([ENTRY, nobody], sound, TODAY)).toEqual([]);
    expect(withoutStale([ENTRY], broken, '2026-06-16')).toEqual([]);
  });

  test('is read back as it was written', () => {
    expect(parseExpectations(fileOf(ENTRY), 'f.json')).toEqual([ENTRY]);
  });
});

describe('a file of expectations', () => {
  test.each(['reason', 'owner', 'issue'] as const)('with a blank %s is refused unless it is unfinished', (name) => {
    const text = fileOf({ ...ENTRY, [name]: '' });
    expect(() => parseExpectations(text, 'f.json')).toThrow(`has no ${name} yet`);
    expect(parseExpectations(text, 'f.json', true)).toHaveLength(1);
  });

  test.each([
    ['no JSON', 'x', 'is no JSON'],
    ['another format', '{"format":"other","expectations":[]}', '/format'],
    ['an unknown member', fileOf({ ...ENTRY, more: 1 }), 'more'],
    ['a date that is none', fileOf({ ...ENTRY, expires: '2026-13-01' }), '/expectations/0/expires'],
    ['an issue without an address', fileOf({ ...ENTRY, issue: 'soon' }), '/expectations/0/issue'],
    [
      'an entry that is no object',
      '{"format":"pcs-conformance/expectations@1","expectations":[null]}',
      '/expectations/0',
    ],
  ])('with %s is refused, and the sentence says where', (_, text, place) => {
    expect(() => parseExpectations(text, 'f.json')).toThrow(place);
    expect(() => parseExpectations(text, 'f.json')).toThrow('f.json');
  });
});
