/** results.sarif; the compiler holds its shape against the types of another project. */

import type { Log } from 'sarif';
import { expect, test } from 'vitest';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { renderSarif } from '../../../src/report/sarif.ts';
import { MADE, madeOf } from './made-run.ts';

const logOf = (run: RunArtefacts): Log => JSON.parse(renderSarif(run));

test('holds what did not pass, each with its rule, its level and its place', () => {
  const [run] = logOf(MADE).runs;
  const results = run?.results ?? [];
  expect(results.map(({ ruleId, kind, level }) => [ruleId, kind, level])).toEqual([
    ['MADE-FAIL', 'fail', 'error'],
    ['MADE-FAIL', 'fail', 'error'],
    ['MADE-WARNING', 'fail', 'warning'],
    ['MADE-INCONCLUSIVE', 'open', 'none'],
    ['MADE-ERROR', 'fail', 'error'],
  ]);
  const rules = run?.tool.driver.rules?.map(({ id }) => id) ?? [];
  expect(results.filter(({ ruleId }) => !rules.includes(ruleId ?? ''))).toEqual([]);
  expect(results[0]?.locations).toMatchObject([{ physicalLocation: { artifactLocation: { uri: 'v1/calls/' } } }]);
  expect(results[0]?.message.text).toMatch(/^MADE-FAIL\/createCall: expected .*\(to is missing /);
  expect(results[1]?.partialFingerprints?.['finding/v3']).toMatch(/^to is missing .*: expected .+, got a hang in .+$/);
});

test('a finding has the fingerprint that the gate knows it by: no id of this run, and the place', () => {
  const made = madeOf('non-conformant', ['fail']);
  const fingerprints = (changes: object): readonly unknown[] => {
    const text = JSON.stringify(made, (name, value) =>
      name === 'findings' && value[0] ? [{ ...value[0], ...changes }] : value,
    );
    return (logOf(JSON.parse(text)).runs[0]?.results ?? []).map(({ partialFingerprints }) => partialFingerprints);
  };
  const [one, two] = ['11111111-2222-4333-8444-555555555555', '22222222-2222-4333-8444-555555555555'];
  expect(fingerprints({ actual: `the id ${one}` })).toEqual(fingerprints({ actual: `the id ${two}` }));
  expect(fingerprints({ where: 'the header' })).not.toEqual(fingerprints({ where: 'the status' }));
});

test('says what the run was, and what it left', () => {
  const told = (verdict: 'conformant' | 'incomplete', changes: object) => {
    const made = madeOf(verdict, ['pass']);
    const [run] = logOf({ ...made, results: { ...made.results, sentence: 's', ...changes } }).runs;
    const { executionSuccessful, toolExecutionNotifications = [] } = run?.invocations?.[0] ?? {};
    return [run?.results, executionSuccessful, toolExecutionNotifications.map(({ message }) => message.text)];
  };
  expect(told('conformant', { possiblyOpen: [], changed: [] })).toEqual([[], true, ['s']]);
  expect(told('incomplete', { possiblyOpen: ['call c'], changed: ['a name'] })).toEqual([
    [],
    false,
    ['s', 'call c', 'a name'],
  ]);
});

test('suppresses known failures, with the owner and the issue', () => {
  const known = {
    case: 'MADE-FAIL/createCall',
    stimulus: 's',
    at: 0,
    reason: 'r',
    owner: 'o',
    issue: 'https://issues.example/1',
  };
  const gate = { code: 0, sentences: [], new: [], known: [known, { ...known, at: 1 }], gone: [] } as const;
  const [run] = logOf({ ...madeOf('non-conformant', ['fail', 'inconclusive']), gate }).runs;
  // Either every result of a run has suppressions or none has (SARIF 2.1.0, 3.27.23), and only an earlier run makes a baseline.
  expect(
    run?.results?.map(({ suppressions, baselineState }) => [
      suppressions?.map(({ justification }) => justification),
      baselineState,
    ]),
  ).toEqual([
    [['r (o, https://issues.example/1)'], undefined],
    [['r (o, https://issues.example/1)'], undefined],
    [[], undefined],
  ]);
});

test('holds what the gate calls new, each finding by its place, and a case that is judged no more', () => {
  const fresh = [
    { kind: 'finding', case: 'MADE-FAIL/createCall', stimulus: 's', at: 1, detail: 'd' },
    { kind: 'not judged', case: 'MADE-NOT-EXERCISED/answerCall', detail: 'd' },
  ] as const;
  const gate = { code: 1, sentences: [], new: fresh, known: [], gone: [] } as const;
  const newWarnings = [{ case: 'MADE-WARNING/getTrunk', stimulus: 's', at: 0, detail: 'd' }];
  const difference = { summary: '', groups: [], newWarnings };
  const made = { ...madeOf('non-conformant', ['fail', 'warning', 'not-exercised']), gate };
  const statesOf = (run: RunArtefacts) =>
    logOf(run).runs[0]?.results?.map(({ kind, baselineState }) => [kind, baselineState]);
  expect(statesOf({ ...made, difference })).toEqual([
    ['fail', 'unchanged'],
    ['fail', 'new'],
    // It had been unchanged, which viewers hide.
    ['fail', 'new'],
    ['open', 'new'],
  ]);
  expect(statesOf({ ...made, difference: { ...difference, newWarnings: [] } })?.[2]).toEqual(['fail', 'unchanged']);
});
