import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../src/regression/comparison.ts';
import { addFailures, gate, matchExpectations } from '../../../src/regression/expectations.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const ID = 'LIST-STATUS/listTrunks';
const TODAY = '2026-06-15';
const sound = (await soundRun()).results;
const broken: Results = {
  ...withCase(sound, ID, failing('status 200', 'status 206')),
  verdict: 'non-conformant',
};
const twice: Results = withCase(broken, 'LIST-STATUS/listNumbers', failing('status 200', 'status 206'));
const listed = addFailures([], broken, {
  reason: 'r',
  owner: 'o',
  issue: 'https://issues.example/1',
  expires: '2026-12-31',
});
const under = (results: Results) =>
  gate({ results, pinChoices: false, expected: matchExpectations(listed, results, TODAY) });
const since = (baseline: Results, results: Results) =>
  gate({ results, pinChoices: false, comparison: compareRuns({ results: baseline }, { results }) });

describe('the gate', () => {
  test('is the verdict without a baseline and expectations', () => {
    for (const [verdict, code] of [
      ['conformant', 0],
      ['non-conformant', 1],
      ['incomplete', 3],
      ['void', 4],
    ] as const) {
      expect(gate({ results: { ...sound, verdict }, pinChoices: true })).toEqual({ code, sentences: [], known: [] });
    }
  });

  test('passes if every failure is listed, and fails if one is not', () => {
    expect(under(broken).code).toBe(0);
    expect(under(twice)).toMatchObject({ code: 1, sentences: ['1 new failure: LIST-STATUS/listNumbers'] });
  });

  test('names the known failures, with owner and issue where they are listed', () => {
    const issue = 'https://issues.example/1';
    expect(under(broken).known).toEqual([{ case: ID, reason: 'r', owner: 'o', issue, expires: '2026-12-31' }]);
    expect(under(twice).known.map((one) => one.case)).toEqual([ID]);
    expect(since(broken, twice).known).toEqual([{ case: ID, reason: 'fails in the baseline, too' }]);
    expect(since(sound, broken).known).toEqual([]);
  });

  test('fails with a stale entry, even if the run is conformant', () => {
    expect(under(sound).code).toBe(1);
    expect(under(sound).sentences[0]).toContain('stale expectation');
  });

  test('passes for earlier failures, and fails for new ones', () => {
    expect(since(broken, broken).code).toBe(0);
    expect(since(broken, twice).code).toBe(1);
    expect(since(sound, broken).code).toBe(1);
    expect(since(broken, sound).code).toBe(0);
  });

  test('fails with a changed choice only if choices are pinned', () => {
    const choice = { gap: 'GAP', operation: 'getTrunk', choice: 'a' };
    const comparison = compareRuns(
      { results: sound, choices: [choice] },
      { results: sound, choices: [{ ...choice, choice: 'b' }] },
    );
    expect(gate({ results: sound, comparison, pinChoices: false }).code).toBe(0);
    expect(gate({ results: sound, comparison, pinChoices: true }).code).toBe(1);
  });

  test('never passes for a run that is incomplete, ended early or void', () => {
    expect(since(sound, { ...sound, verdict: 'incomplete' }).code).toBe(3);
    expect(under({ ...broken, endedEarly: 'the target stopped responding' }).code).toBe(3);
    expect(under({ ...broken, possiblyOpen: ['call 7'] }).code).toBe(3);
    expect(under({ ...broken, verdict: 'void' }).code).toBe(4);
  });

  test('fails with a flaky symptom if the run is strict', () => {
    const flaky = { ...sound, strict: true, verdict: 'non-conformant' as const };
    const results = { ...flaky, intermittent: [{ symptom: 'listTrunks 502', exchanges: [3] }] };
    expect(since(sound, results)).toMatchObject({ code: 1, sentences: ['flaky: listTrunks 502'] });
  });
});
