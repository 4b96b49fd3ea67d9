/** results.sarif, read by the types of another project: tsc compiles what we wrote as a literal of theirs. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { renderSarif } from '../../../src/report/build-servers.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { inLongAlone } from '../../sampled.ts';
import { MADE, madeOf } from './made-run.ts';
import { faultyRun } from './real-runs.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const logOf = (run: RunArtefacts): Log => JSON.parse(renderSarif(run));

/** What tsc says of each text as a literal of the type Log: unknown members, missing ones, and wrong values. */
function complaints(...texts: readonly string[]): string {
  // Types are looked up from the folder of the file.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.sarif-'));
  try {
    const files = texts.map((text, at) => {
      const file = join(folder, `log-${at}.ts`);
      writeFileSync(file, `import type { Log } from 'sarif';\nexport const log: Log = ${text.trimEnd()};\n`);
      return file;
    });
    const words = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--types',
      '',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      ...files,
    ];
    return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), words, { encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('results.sarif', () => {
  inLongAlone('has the type that others read', async () => {
    expect(complaints(renderSarif(MADE), renderSarif(await faultyRun({})))).toBe('');
    const said = complaints('{ version: "2.1.0", runs: [{ results: [] }] }', '{ version: "2.1.0", runs: [], more: 1 }');
    expect(said).toMatch(/log-0\.ts.*tool/);
    expect(said).toMatch(/log-1\.ts.*more/);
  });

  test('holds what did not pass, each with its rule, its level and the exchange that shows it', () => {
    const [run] = logOf(MADE).runs;
    const results = run?.results ?? [];
    expect(results.map(({ ruleId, kind, level }) => [ruleId, kind, level])).toEqual([
      ['MADE-FAIL', 'fail', 'error'],
      ['MADE-WARNING', 'fail', 'warning'],
      ['MADE-INCONCLUSIVE', 'open', 'none'],
      ['MADE-ERROR', 'fail', 'error'],
    ]);
    for (const { ruleIndex, ruleId } of results) expect(run?.tool.driver.rules?.[ruleIndex ?? -1]?.id).toBe(ruleId);
    expect(results[0]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'v1/calls/' } } }],
      webRequest: { method: 'POST' },
      webResponse: { statusCode: 400 },
    });
    expect(results[0]?.message.text).toMatch(/^MADE-FAIL\/createCall: /);
  });

  test('suppresses known failures, with the owner and the issue', () => {
    const known = { case: 'MADE-FAIL/createCall', reason: 'r', owner: 'o', issue: 'https://issues.example/1' };
    const gate = { code: 0, sentences: [], new: [], known: [known], gone: [] } as const;
    const [run] = logOf({ ...madeOf('non-conformant', ['fail', 'inconclusive']), gate }).runs;
    expect(run?.results?.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'external', justification: 'r (o, https://issues.example/1)' }],
      undefined,
    ]);
  });
});
