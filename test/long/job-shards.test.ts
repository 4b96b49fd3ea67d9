/** Four processes explore a part each, by the command of the Indexed Job, and their merged report is that of one run. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { merge } from '../../src/cli/commands/run.ts';
import { readRunFolder, schemaFault } from '../../src/regression/own-files.ts';
import { renderResults } from '../../src/report/json-files.ts';
import { journalIn, mergedRun, recordedRun, recordIn } from '../../src/report/recorded-run.ts';
import type { JudgedRecord } from '../../src/verdict/record.ts';
import { resultsOf } from '../../suites/index.ts';
import { command, emptyFolder, type Finished } from '../e2e/command.ts';
import { documentsOf, expanded, PACKAGE, ran } from '../e2e/integrations.ts';
import { stage } from '../unit/cli/stage.ts';

interface IndexedJob {
  readonly spec: {
    readonly completions: number;
    readonly successPolicy: { readonly rules: readonly object[] };
    readonly template: { readonly spec: { readonly containers: readonly [{ readonly command: readonly string[] }] } };
  };
}

const [JOB] = documentsOf<IndexedJob>('kubernetes/shards.yaml') as [IndexedJob];
const SHARED = emptyFolder();
const FOLDERS = ['0', '1', '2', '3'].map((index) => join(SHARED, index));
/** Each process has a reference service of its own: at the same time, one would see what the others write. */
const EXPLORING = { PCS_REFERENCE: 'true', PCS_EXPLORE: '300' } as const;

/** Runs a pod of the job; the folder stands for the volume that all of them share. */
function pod(index: number): Promise<Finished> {
  const env = { ...EXPLORING, CONFORMANCE_PACKAGE: PACKAGE, FOLDER: SHARED, JOB_COMPLETION_INDEX: String(index) };
  const [container] = JOB.spec.template.spec.containers;
  return ran(
    container.command.map((word) => expanded(word, env)),
    env,
    SHARED,
  );
}

const shards = Promise.all(FOLDERS.map((_, at) => pod(at)));
const merged = shards.then(() => pod(FOLDERS.length));
const whole = shards.then(() => command(['run', '--quiet', '--report-dir', join(SHARED, 'whole')], EXPLORING));

const read = (name: string, file = 'results.json'): string => readFileSync(join(SHARED, name, file), 'utf8');

/** A folder with the journal of a shard, changed. */
async function changed(shard: number, change: (text: string) => string): Promise<string> {
  await shards;
  const folder = emptyFolder();
  writeFileSync(join(folder, 'journal.ndjson'), change(read(String(shard - 1), 'journal.ndjson')));
  return folder;
}

const [ONE = '', TWO = '', THREE = '', FOUR = ''] = FOLDERS;
const problemOf = (...folders: readonly string[]): Promise<string> =>
  mergedRun(folders).then(
    ({ results }) => results.summary,
    ({ message }) => message,
  );

describe('four shards, each a process', () => {
  test('exit 3 without a verdict of their own, so that the job counts the merge alone', async () => {
    expect(JOB.spec.completions).toBe(5);
    expect(JOB.spec.successPolicy.rules).toEqual([{ succeededIndexes: '4' }]);
    for (const [at, { code, out }] of (await shards).entries()) {
      expect([code, out]).toEqual([3, expect.stringContaining(`shard ${at + 1} of 4 found no failure`)]);
      expect(out).not.toContain('CONFORMANT');
    }
    expect(() => readRunFolder(TWO)).toThrow('holds shard 2 of 4');
    expect(JSON.parse(read('1'))).toMatchObject({ shard: { index: 2, count: 4 }, counts: { calls: 0 } });
  });

  test('merged have the results of one run, but for when and where they ran', async () => {
    expect(await merged).toMatchObject({ code: 0, out: expect.stringContaining('CONFORMANT') });
    expect(await whole).toMatchObject({ code: 0 });
    const results = [JSON.parse(read('merged')), JSON.parse(read('whole'))];
    expect(schemaFault('results', results[0])).toBeNull();
    // A busy machine shows pauses that are no waiting of the run.
    const [{ run, waited: _, ...of4 }, { run: __, waited: ___, ...of1 }] = results;
    expect({ ...of4, target: of1.target }).toEqual(of1);
    expect(run.shards.map(({ requests }: { requests: number }) => requests > 60)).toEqual([true, true, true, true]);
    expect(read('merged', 'choices.json')).toBe(read('whole', 'choices.json'));
    const again = recordedRun(join(SHARED, 'merged'));
    expect(renderResults(again)).toBe(read('merged'));
    const record = recordIn(journalIn(join(SHARED, 'merged'))) as JudgedRecord;
    expect(again.results).toMatchObject(resultsOf(record));
  });

  test('are merged only if each is there once, of one run', async () => {
    await merged;
    const other = await changed(3, (text) => text.replaceAll('"seed":20250101', '"seed":7'));
    const killed = await changed(3, (text) => text.slice(0, text.lastIndexOf('{"kind":"end"')));
    expect(await problemOf(ONE, TWO, FOUR)).toContain('No folder holds shard 3 of 4: run it with --shard 3/4');
    expect(await problemOf(ONE, TWO, other, THREE, FOUR)).toContain('hold shard 3 of 4');
    expect(await problemOf(ONE, TWO, other, FOUR)).toContain('differ in seed');
    expect(await problemOf(ONE, join(SHARED, 'whole'))).toMatch(/0 holds shard 1 of 4, and .*whole holds a whole run/);
    expect(await problemOf(ONE, TWO, killed, FOUR)).toContain('shard 3 of 4 ended early: the run was killed');
    expect(await problemOf(SHARED)).toContain('cannot be read');
    const inPlace = merge(FOLDERS, { 'report-dir': TWO }, stage().terminal);
    await expect(inPlace).rejects.toThrow('choose another --report-dir');
  });

  test('that ran at the same time on the same resources are not merged', async () => {
    const { target } = JSON.parse(read('0'));
    const atSameTarget = await changed(2, (text) => text.replaceAll(JSON.parse(read('1')).target, target));
    expect(await problemOf(ONE, atSameTarget, THREE, FOUR)).toContain(
      'Shards 1 and 2 ran at the same time on the same resources (PCS_TRUNK_ID, ',
    );
  });
});
