import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { historyOf, type NamedRun, readHistory } from '../../../src/regression/history.ts';
import { renderResults } from '../../../src/report/json-files.ts';
import { stage } from '../cli/stage.ts';
import { MARK } from '../report/made-run.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const FAILS = 'LIST-STATUS/listTrunks';
const FLICKERS = 'LIST-STATUS/listNumbers';
const LOST = 'AUTH-SCHEME/getTrunk';
const { results: sound } = await soundRun();

/** Ten nights: a case fails since the sixth, one on the second and the fifth, one is not judged on the last. */
function night(at: number): NamedRun['results'] {
  let results = sound;
  if (at >= 6) results = withCase(results, FAILS, failing('status 200', `status 206 ${MARK}`));
  if (at === 2 || at === 5) results = withCase(results, FLICKERS, failing('status 200', 'status 206'));
  if (at === 10) results = withCase(results, LOST, { verdict: 'inconclusive', reason: 'no answer' });
  const time = `2026-11-${10 + at}T03:00:00.000Z`;
  return { ...results, run: { startedAt: time, endedAt: time, host: 'build-7' } };
}

const NIGHTS = Array.from({ length: 10 }, (_, at) => ({ name: `runs/${at + 1}`, results: night(at + 1) }));

test('a run of an earlier version in the folder of a history is named, with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-history-'));
  writeFileSync(join(folder, 'results.json'), renderResults({ results: sound }).replace('results@2', 'results@1'));
  expect(() => readHistory(folder)).toThrow(`reads pcs-conformance/results@2: move it out of ${folder}.`);
});

describe('a history', () => {
  test('says since when a case fails, what is flaky and what is no longer judged, and counts the rest', () => {
    const { cases, steady, runs } = historyOf(NIGHTS);
    expect(cases.map(({ case: id, now, since, flaky }) => [id, now, since, flaky])).toEqual([
      [FAILS, 'failing', 6, false],
      [FLICKERS, 'passing', 6, true],
      [LOST, 'not judged', 10, false],
    ]);
    expect(steady + cases.length).toBe(sound.requirements.flatMap((requirement) => requirement.cases).length);
    expect(runs.map(({ name }) => name)).toEqual(NIGHTS.map(({ name }) => name));
  });

  test('does not call a regression flaky that was repaired', () => {
    const [first] = historyOf([1, 6, 1].map((at) => ({ name: `${at}`, results: night(at) }))).cases;
    expect([first?.case, first?.now, first?.since, first?.flaky]).toEqual([FAILS, 'passing', 3, false]);
  });

  test('shows a case that fails in every run', () => {
    const [first] = historyOf([6, 7].map((at) => ({ name: `${at}`, results: night(at) }))).cases;
    expect([first?.case, first?.now, first?.since, first?.flaky]).toEqual([FAILS, 'failing', 1, false]);
  });

  test('counts no gap in judging as a change', () => {
    const results = [night(6), withCase(night(6), FAILS, { verdict: 'inconclusive', findings: [] }), night(7)];
    const [first] = historyOf(results.map((one, at) => ({ name: `${at}`, results: one }))).cases;
    expect([first?.case, first?.now, first?.since, first?.flaky]).toEqual([FAILS, 'failing', 1, false]);
  });
});

describe('compare with many folders', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  async function compare(...words: readonly string[]) {
    const { terminal, out, err } = stage();
    const code = await runCommandLine(['compare', ...words], terminal);
    return { code, out: out.join('\n'), err };
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pcs-history-'));
    for (const { name, results } of NIGHTS) {
      mkdirSync(at(name), { recursive: true });
      writeFileSync(join(at(name), 'results.json'), renderResults({ results }));
    }
  });

  // A shell puts runs/10 before runs/2.
  const inShellOrder = (): readonly string[] => NIGHTS.map(({ name }) => at(name)).toSorted();

  test('shows a column for each run, oldest first', async () => {
    const { code, out } = await compare(...inShellOrder());
    const lines = out.split('\n');
    const rows = lines.filter((line) => /^[✓✗–] /.test(line)).map((line) => line.replaceAll(/ {2,}/g, ' '));
    expect(rows).toEqual([
      `✓ ✓ ✓ ✓ ✓ ✗ ✗ ✗ ✗ ✗ ${FAILS} failing since run 6`,
      `✓ ✗ ✓ ✓ ✗ ✓ ✓ ✓ ✓ ✓ ${FLICKERS} passes since run 6; flaky`,
      `✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ – ${LOST} not judged since run 10`,
    ]);
    expect(out).toMatch(
      /^10 runs, oldest first: 1 case failing now, 1 case flaky, 1 case no longer judged, \d+ cases the same in every run/m,
    );
    expect(out).toContain('Failing cases by run: ▁█▁▁██████ (0, 1, 0, 0, 1, 1, 1, 1, 1, 1).');
    // The last run does not judge a case that the one before it judged.
    expect(code).toBe(1);
    expect((await compare(...inShellOrder().slice(2))).code).toBe(0);
  });

  test('prints the same as JSON and Markdown', async () => {
    const folders = inShellOrder();
    const json = await compare(...folders, '--format', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ format: 'pcs-conformance/history@1', runs: { length: 10 } });
    expect((await compare(...folders, '--format', 'markdown')).out).toContain(
      `| ✓ | ✗ | ✗ | ✗ | ✗ | ✗ | \`${FAILS}\` |`,
    );
  });

  test('needs two folders', async () => {
    expect(await compare(at('runs/1'))).toEqual({
      code: 2,
      out: '',
      err: ['compare needs at least two report folders: name the earlier one first.'],
    });
  });
});
