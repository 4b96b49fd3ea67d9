import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clean } from '../../../src/cli/commands/clean.ts';
import type { JudgedTarget } from '../../../src/cli/engine.ts';
import { inOwnFolder } from '../../../src/cli/report-folder.ts';
import { machineOf } from '../../../src/cli/terminal.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { REAL_DISK } from '../../../src/run/disk.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';

import { stage } from './stage.ts';

const TARGET = 'http://service.example.invalid';

/** The temporary folder of a run that ends so, and the outcome. */
async function folderAfter(end: () => Partial<JudgedTarget>): Promise<readonly [folder: string, outcome: unknown]> {
  let folder = '';
  const outcome = await inOwnFolder(TARGET, machineOf({}), async (own) => {
    folder = own;
    return end() as JudgedTarget;
  }).catch((error) => error);
  return [folder, outcome];
}

const judged =
  (possiblyOpen: readonly string[], changed: readonly string[] = []) =>
  () => ({ record: { possiblyOpen, changed } as unknown as RunRecord });

test('a temporary folder goes with a run that left nothing', async () => {
  const [folder, outcome] = await folderAfter(judged([]));
  expect([existsSync(folder), outcome]).toEqual([false, expect.not.objectContaining({ folder })]);
});

test.each([
  ['a call may be open', ['call c (request 3)'], []],
  ['a change was not restored', [], ['Update trunk: the name']],
])('stays and is named if %s', async (_, possiblyOpen, changed) => {
  const [folder, outcome] = await folderAfter(judged(possiblyOpen, changed));
  expect([existsSync(folder), outcome]).toEqual([true, expect.objectContaining({ folder })]);
});

test('goes with wrong usage, and stays after a defect of the suite', async () => {
  for (const [error, stays] of [
    [new UsageError('wrong', 'do right'), false],
    [new Error('broken'), true],
  ] as const) {
    const [folder, outcome] = await folderAfter(() => {
      throw error;
    });
    expect([existsSync(folder), outcome]).toEqual([stays, error]);
  }
});

/** The temporary folder of a run that was killed right after a create call had left. */
function killedRun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entries = [
    { kind: 'start', target: TARGET, seed: 1 },
    { kind: 'create', seq: 1 },
  ];
  writeFileSync(join(folder, 'journal.ndjson'), entries.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return folder;
}

const nextRun = (target: string) => inOwnFolder(target, machineOf({}), async () => judged([])() as JudgedTarget);

test('a run that was killed keeps the next one from the same target, and only that one', async () => {
  const folder = killedRun();
  const problem = `An earlier run in ${folder} may have left a call open`;
  await expect(nextRun(TARGET)).rejects.toThrow(problem);
  await expect(nextRun('http://other.example.invalid')).resolves.toBeDefined();
});

test('clean never sends to another report folder, which holds no journal of the run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-read-only-'));
  writeFileSync(join(folder, 'journal.ndjson'), '');
  const create = (): never => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' });
  };
  const { terminal } = stage();
  const machine = { ...machineOf(terminal), disk: { ...REAL_DISK, create } };
  await expect(clean({ 'report-dir': folder }, { ...terminal, machine })).rejects.toThrow(
    'make it writable, or name a copy of it that is',
  );
});
