/** The flags of `expect add` are checked, and written into new and existing entries. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAdd } from '../../../src/cli/commands/known-failures.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { failing, soundRun, withCase } from '../regression/judged-runs.ts';
import { stage } from './stage.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const PLEDGE = { reason: 'r', owner: 'o', issue: 'https://issues.example/1', expires: '2026-06-15' };
const { results } = await soundRun();
const broken = withCase(results, 'LIST-STATUS/listTrunks', failing('status 200', 'status 206'));
const worse = withCase(broken, 'LIST-STATUS/listNumbers', failing('status 200', 'status 206'));

let [folder, file] = ['', ''];
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'pcs-conformance-expect-'));
  [folder, file] = [join(root, 'report'), join(root, 'known.json')];
  mkdirSync(folder);
});

function add(run: object, flags: Readonly<Record<string, string>>): string {
  writeFileSync(join(folder, 'results.json'), JSON.stringify(run));
  const { terminal, out } = stage();
  expectAdd(folder, { file, ...flags }, terminal, NOW);
  return (out[0] ?? '').replace(`${file}: `, '');
}

const entries = () => JSON.parse(readFileSync(file, 'utf8')).expectations;

describe('expect add', () => {
  test.each([
    ['expires', '2020-01-01', ['is in the past', 'write 2026-06-15 (today in UTC) or a later day']],
    ['expires', '2026-06-14', ['is in the past', 'write 2026-06-15 (today in UTC) or a later day']],
    ['expires', '2027-02-30', ['is not a date', 'write one such as 2026-12-31']],
    ['expires', '2027-13-01', ['is not a date', 'write one such as 2026-12-31']],
    ['expires', 'tomorrow', ['is not a date', 'write one such as 2026-12-31']],
    ['issue', 'soon', ['is not an address', 'start it with https:// or http://']],
    ['reason', ' ', ['is blank', 'say why the failures are accepted']],
    ['owner', '', ['is blank', 'say who will fix the failures']],
  ] as const)('rejects --%s %j, whether or not there is an entry', (flag, value, [problem, remedy]) => {
    const sentence = new UsageError(`--${flag} (${JSON.stringify(value)}) ${problem}`, remedy);
    expect(() => add(broken, { ...PLEDGE, [flag]: value })).toThrow(sentence);
    expect(existsSync(file)).toBe(false);
    add(broken, PLEDGE);
    expect(() => add(broken, { [flag]: value })).toThrow(sentence);
    expect(entries()).toEqual([expect.objectContaining(PLEDGE)]);
  });

  test('replaces given values in existing entries, and says how many changed', () => {
    expect(add(worse, PLEDGE)).toBe('2 added, 2 in all.');
    expect(add(broken, PLEDGE)).toBe('0 added, 2 in all.');
    expect(add(broken, { owner: 'calls', expires: '2028-02-29' })).toBe('0 added, 1 changed, 2 in all.');
    const [numbers, trunks] = ['listNumbers', 'listTrunks'].map((operation) =>
      entries().find((one: { readonly operation: string }) => one.operation === operation),
    );
    expect(trunks).toMatchObject({ ...PLEDGE, owner: 'calls', expires: '2028-02-29' });
    expect(numbers).toMatchObject(PLEDGE);
  });
});
