import { parse, validate } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { renderCtrf } from '../../../src/report/build-servers.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { CASES, MADE, MADE_WITH_FACTS, madeWith } from './made-run.ts';
import { faultyRun, referenceRun } from './real-runs.ts';

const testOf = (run: RunArtefacts, id: string) => parse(renderCtrf(run)).results.tests.find(({ name }) => name === id);

describe('ctrf.json', () => {
  test.each([
    ['the made run', async () => MADE],
    ['a run with facts', async () => MADE_WITH_FACTS],
    ['a conformant run', referenceRun],
    ['a non-conformant run', faultyRun],
  ])('is valid CTRF for %s', async (_name, run) => {
    expect(validate(JSON.parse(renderCtrf(await run()))).errors).toEqual([]);
  });

  test('is invalid with an unknown status', () => {
    expect(validate(JSON.parse(renderCtrf(MADE).replaceAll('"other"', '"open"'))).valid).toBe(false);
  });

  test.each([
    ['pass', 'passed'],
    ['fail', 'failed'],
    ['warning', 'passed'],
    ['inconclusive', 'other'],
    ['not-exercised', 'skipped'],
    ['error', 'failed'],
  ])('shows %s as status and raw status', (verdict, status) => {
    const id = CASES.find(([one]) => one === verdict)?.[1] ?? '';
    expect(testOf(MADE, id)).toMatchObject({ status, rawStatus: verdict, tags: expect.arrayContaining([verdict]) });
  });

  test('counts a warning as failed in a strict run', () => {
    expect(testOf(madeWith({ strict: true }), 'MADE-WARNING/getTrunk')?.status).toBe('failed');
  });

  test('counts its tests', () => {
    const { summary, tests } = parse(renderCtrf(MADE)).results;
    expect(summary).toMatchObject({ tests: 6, passed: 2, failed: 2, skipped: 1, pending: 0, other: 1 });
    expect(tests.length).toBe(6);
  });

  test('names verdict, profile, target and seed', () => {
    expect(parse(renderCtrf(MADE)).results.extra).toMatchObject({
      verdict: 'void',
      profile: 'full',
      target: 'http://service.invalid/base',
      seed: 7,
    });
  });

  test('says how long the requests of a case took', () => {
    expect(testOf(MADE, 'MADE-FAIL/createCall')?.duration).toBe(15);
    expect(testOf(MADE, 'MADE-PASS/listTrunks')?.duration).toBe(0);
  });

  test('has no control character in visible texts', () => {
    for (const { message = '', trace = '' } of parse(renderCtrf(MADE)).results.tests) {
      expect(message + trace.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }
  });
});
