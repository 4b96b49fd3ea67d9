import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../../src/regression/comparison.ts';
import { addFailures, gate, matchExpectations, withoutStale } from '../../../src/regression/expectations.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const ID = 'LIST-STATUS/listTrunks';
const TODAY = '2026-06-15';
const HERE = { case: ID, stimulus: 'a valid request', at: 0 };
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
const under = (results: Results) => gate({ results, expected: matchExpectations(listed, results, TODAY) });
const since = (baseline: Results, results: Results) =>
  gate({ results, comparison: compareRuns({ results: baseline }, { results }) });

describe('the gate', () => {
  test('is the verdict without a baseline and expectations', () => {
    for (const [verdict, code] of [
      ['conformant', 0],
      ['non-conformant', 1],
      ['incomplete', 3],
      ['void', 4],
    ] as const) {
      expect(gate({ results: { ...sound, verdict } })).toEqual({
        code,
        sentences: [],
        new: [],
        known: [],
        gone: [],
      });
    }
  });

  test('does not forgive less than the whole interface where --require-complete demands it', () => {
    const partial: Results = { ...broken, requireComplete: true };
    const sentences = ['not the whole interface was judged; to resolve: run profile full without --without and --only'];
    expect(under(partial)).toMatchObject({ code: 3, sentences });
    expect(since(broken, partial)).toMatchObject({ code: 3, sentences });
  });

  test('passes if every failure is listed, and fails if one is not', () => {
    expect(under(broken).code).toBe(0);
    expect(under(twice)).toMatchObject({
      code: 1,
      sentences: ['1 new finding: LIST-STATUS/listNumbers (a valid request)'],
    });
  });

  test('names the known failures, with owner and issue where they are listed', () => {
    const issue = 'https://issues.example/1';
    expect(under(broken).known).toEqual([{ ...HERE, reason: 'r', owner: 'o', issue, expires: '2026-12-31' }]);
    expect(under(twice).known.map((one) => one.case)).toEqual([ID]);
    expect(since(broken, twice).known).toEqual([{ ...HERE, reason: 'fails in the baseline, too' }]);
    expect(since(sound, broken).known).toEqual([]);
  });

  test('passes if a known failure is gone, and says what takes it off the list', () => {
    const detail = 'expected status 200, got status 206';
    expect(under(sound)).toMatchObject({ code: 0, new: [], gone: [{ case: ID, detail, remove: 'expect prune' }] });
    const expected = matchExpectations(listed, sound, TODAY);
    const named = gate({ results: sound, expected, expectFile: 'lists/voice.json' });
    expect(named.gone).toEqual([
      { case: ID, stimulus: HERE.stimulus, detail, remove: 'expect prune', file: 'lists/voice.json' },
    ]);
    expect(since(broken, sound)).toMatchObject({ code: 0, new: [], gone: [{ case: ID, remove: 'baseline' }] });
    const comparison = compareRuns({ results: twice }, { results: sound });
    const goneFromBoth = gate({ results: sound, expected, comparison }).gone.map((one) => `${one.case} ${one.remove}`);
    expect(goneFromBoth).toEqual([`${ID} expect prune`, 'LIST-STATUS/listNumbers baseline']);
    const other = sound.sent.find(({ operation }) => operation === 'listTrunks')?.stimuli.at(-1) ?? '';
    const others = withCase(sound, ID, failing('status 200', 'status 206', other));
    const { gone } = gate({
      results: sound,
      expected,
      comparison: compareRuns({ results: others }, { results: sound }),
    });
    expect(gone.map(({ stimulus, remove }) => [stimulus, remove])).toEqual([
      [HERE.stimulus, 'expect prune'],
      [other, 'baseline'],
    ]);
  });

  test('says which entries were not judged, and passes', () => {
    const open = withCase(sound, ID, { verdict: 'inconclusive', reason: 'no answer', findings: [] });
    expect(under(open).sentences).toContain(`${ID}: 1 known failure not asked again`);
    expect(under(broken).sentences.join()).not.toContain('not asked again');
  });

  test('takes a failure whose entry has expired as new', () => {
    const late = matchExpectations(listed, broken, '2027-01-01');
    const { code, new: fresh, gone } = gate({ results: broken, expected: late });
    expect([code, gone, fresh[0]?.case]).toEqual([1, [], ID]);
    expect(fresh[0]?.detail).toContain('its entry expired on 2026-12-31 (o, https://issues.example/1)');
  });

  test('passes with the inconclusive cases of the baseline, with and without known failures', () => {
    const open = (results: Results): Results =>
      withCase(
        { ...results, verdict: results.verdict === 'conformant' ? 'incomplete' : results.verdict },
        'LIST-STATUS/listNumbers',
        { verdict: 'inconclusive', reason: 'no answer' },
      );
    expect(since(open(broken), open(broken)).code).toBe(0);
    expect(since(open(broken), open(sound)).code).toBe(0);
    expect(since(open(sound), open(sound)).code).toBe(0);
    expect(under(open(broken)).code).toBe(0);
    expect(under(open(sound)).code).toBe(0);
  });

  test('fails if a case that was judged no longer is, also one that left the plan', () => {
    const open = withCase({ ...sound, verdict: 'incomplete' }, ID, { verdict: 'inconclusive', reason: 'no answer' });
    const lost = { kind: 'not judged', case: ID, detail: 'no answer' };
    expect(since(sound, open)).toMatchObject({ code: 3, new: [lost] });
    expect(since(open, sound).code).toBe(0);
    const without = (changes: Partial<Results>): Results => ({
      ...sound,
      ...changes,
      requirements: sound.requirements.filter(({ id }) => id !== 'LIST-STATUS'),
    });
    expect(since(sound, without({})).new.map(({ kind }) => kind)).toEqual(['not judged', 'not judged']);
    const narrowed = since(sound, without({ only: ['PATH-SERVED'], partial: true }));
    expect([narrowed.code, narrowed.new.map(({ kind }) => kind)]).toEqual([3, ['not judged', 'not judged']]);
  });

  test('says that less was explored than in the baseline', () => {
    const exploring = (explore: number): Results => ({ ...sound, explore });
    const told = '--explore 0 finds less than --explore 60, with which the baseline was made';
    expect(since(exploring(60), exploring(0)).sentences).toContain(told);
    for (const explore of [60, 61])
      expect(since(exploring(60), exploring(explore)).sentences.join()).not.toContain('--explore');
  });

  test('names the seed that asks what the baseline asked, where another one shows a finding', () => {
    const drawn = (seed: number): Results => ({
      ...withCase(sound, ID, failing('status 200', 'status 206', 'listTrunks (a valid request, random body 3)')),
      seed,
    });
    const told = 'another seed may show a known finding in another way: --seed 1 asks what the baseline asked';
    expect(since({ ...sound, seed: 1 }, drawn(2)).sentences).toContain(told);
    expect(since({ ...sound, seed: 1 }, drawn(1)).sentences).not.toContain(told);
    expect(since({ ...sound, seed: 1 }, { ...broken, seed: 2 }).sentences).not.toContain(told);
  });

  test('lists a recommendation that newly warns, and passes', () => {
    const warns = withCase(sound, 'AUTH-CHALLENGE/listTrunks', {
      ...failing('a challenge', 'none'),
      verdict: 'warning',
    });
    expect(since(sound, warns)).toMatchObject({ code: 0, new: [] });
    expect(since(sound, warns).sentences).toContain('1 new warning: AUTH-CHALLENGE/listTrunks (a valid request)');
    const listed = matchExpectations([], warns, '2026-01-01');
    expect(gate({ results: warns, expected: listed }).sentences).toContain(
      '1 warning: AUTH-CHALLENGE/listTrunks (a valid request)',
    );
    expect(since(warns, warns).sentences.join()).not.toContain('warning');
  });

  test('passes for the calls that may be open and the values left changed of the baseline, by stimulus and kind', () => {
    const left = (stimulus: string, known = 'got status 500 and no call id', more: Partial<Results> = {}): Results => {
      return { ...broken, possiblyOpen: [`call ${stimulus}`], openCalls: [{ stimulus, known }], ...more };
    };
    expect(since(left('U+0000'), left('U+0000')).code).toBe(0);
    expect(since(left('U+0000'), left('an empty word'))).toMatchObject({ code: 3, new: [{ kind: 'run' }] });
    expect(since(left('U+0000'), left('U+0000', 'got no response')).code).toBe(3);
    const changed = (text: string) => left('U+0000', undefined, { unrestored: [text] });
    expect(since(changed('the name: request 7 got 500'), changed('the name: request 9 got 500')).code).toBe(0);
    expect(since(left('U+0000'), changed('the name')).code).toBe(3);
    expect(under(left('U+0000')).code).toBe(3);
    const all = addFailures([], left('U+0000'), { reason: 'r', owner: 'o', issue: 'i', expires: '2999-12-31' });
    const listed = (results: Results) => gate({ results, expected: matchExpectations(all, results, TODAY) });
    expect([listed(left('U+0000')).code, listed(left('another')).code, listed(broken).code]).toEqual([0, 3, 0]);
    expect(withoutStale(all, left('U+0000'), TODAY)).toEqual(all);
    expect(listed(broken).gone).toMatchObject([{ case: 'RUN/createCall', stimulus: 'U+0000' }]);
  });

  test('passes for a run that ended as the baseline did, never by a list, and never for a void one', () => {
    const ended: Results = { ...broken, endedEarly: 'the target stopped responding' };
    expect(since(ended, ended).code).toBe(0);
    expect(since(broken, ended)).toMatchObject({ code: 3, new: [{ kind: 'run', case: 'RUN/end' }] });
    const all = addFailures([], ended, { reason: 'r', owner: 'o', issue: 'i', expires: '2999-12-31' });
    expect(gate({ results: ended, expected: matchExpectations(all, ended, TODAY) }).code).toBe(3);
    expect(under({ ...broken, verdict: 'void' }).code).toBe(4);
  });

  test('fails with a flaky symptom if the run is strict', () => {
    const flaky = { ...sound, strict: true, verdict: 'non-conformant' as const };
    const results = { ...flaky, intermittent: [{ symptom: 'listTrunks 502', exchanges: [3] }] };
    expect(since(sound, results)).toMatchObject({ code: 1, new: [{ kind: 'finding', case: 'RUN/flaky' }] });
  });
});
