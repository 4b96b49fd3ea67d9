/** `judge`: its words and exit codes, the reports, the gate and a stream. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { judgeFiles } from '../../../src/cli/commands/judge.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { schemaProblem } from '../../../src/regression/own-files.ts';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { emptyFolder } from '../../e2e/command.ts';
import { lacks } from '../../programs.ts';
import { line } from '../traffic/recording.ts';
import { stage } from './stage.ts';

const CALL = { method: 'POST', path: '/v1/calls/', body: {} } as const;
const SOUND = line();
const BROKEN = [line(), line(CALL)].join('');

interface Came {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly folder: string;
}

/** Runs the command on a file with that text. */
async function judged(text: string | Uint8Array, flags: readonly string[] = []): Promise<Came> {
  const at = emptyFolder();
  const [file, folder] = [join(at, 'traffic.ndjson'), join(at, 'report')];
  writeFileSync(file, text);
  const { terminal, out, err } = stage();
  const environment = () => ({ ...variablesOnly({}), canRead: existsSync });
  const code = await runCommandLine(['judge', file, '--report-dir', folder, ...flags], { ...terminal, environment });
  return { code, out: out.join('\n'), err: err.join('\n'), folder };
}

const resultsIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));

describe('judge', () => {
  test.each([
    [`NO BREACH in 1 exchange (1 of ${OPERATION_IDS.length} operations`, SOUND, 0],
    ['BREACH: 1 case fails: CALL-CREATE-STATUS/createCall; in 2 exchanges', BROKEN, 1],
    ['INCOMPLETE: no exchange of ', line({ path: '/else' }), 3],
    [`INCOMPLETE: no breach in 1 exchange (1 of ${OPERATION_IDS.length} operations`, `${SOUND}{"request"`, 3],
  ])('says %s', async (word, text, exit) => {
    const { code, out, folder } = await judged(text, ['--quiet']);
    expect(out.split('\n').filter((one) => one.startsWith(word))).toHaveLength(1);
    expect(code).toBe(exit);
    expect(schemaProblem('results', resultsIn(folder))).toBeNull();
    expect(out).not.toMatch(/CONFORMANT|questions/);
  });

  test('writes the reports of a run but for journal and badge', async () => {
    const { folder } = await judged(BROKEN);
    const files = ['evidence.har', 'junit.xml', 'report.html', 'results.json', 'results.sarif'];
    expect(readdirSync(folder).sort()).toEqual([...files, 'summary.md']);
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(/<testsuites [^>]*failures="1"/);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('## PCS conformance: BREACH');
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<h1>BREACH</h1>');
  });

  test('passes its gate for what the baseline knows, and fails for what is new', async () => {
    const before = await judged(BROKEN);
    const same = await judged(BROKEN, ['--baseline', before.folder]);
    expect(same.code).toBe(0);
    expect(same.out).toContain('The verdict is BREACH');
    const worse = await judged([BROKEN, line({ status: 202 })].join(''), ['--baseline', before.folder]);
    expect(worse.code).toBe(1);
    expect(worse.out).toContain('1 new finding: LIST-STATUS/listTrunks (a recorded request)');
  });

  test('reads standard input', async () => {
    const { terminal, out } = stage();
    const flags = { 'report-dir': join(emptyFolder(), 'report') };
    expect(
      await judgeFiles(
        ['-'],
        flags,
        terminal,
        Readable.from([SOUND.slice(0, 40), SOUND.slice(40)].map((text) => Buffer.from(text))),
      ),
    ).toBe(0);
    expect(out.join('\n')).toContain('NO BREACH in 1 exchange');
  });

  test('names a file that is not there, and a folder that no run wrote', async () => {
    const { terminal, err } = stage();
    expect(await runCommandLine(['judge', 'nowhere.har'], terminal)).toBe(2);
    const { folder } = await judged(SOUND);
    expect(await runCommandLine(['judge', folder], terminal)).toBe(2);
    expect(await runCommandLine(['report', folder], terminal)).toBe(2);
    expect(err).toEqual([
      'nowhere.har does not exist, or may not be read: name a HAR or NDJSON file, or - for standard input.',
      `${folder} is a folder: name a HAR or NDJSON file, or - for standard input.`,
      `${folder} holds the reports of recorded traffic: judge the files again.`,
    ]);
  });

  test('says how to unpack a file that is packed', async () => {
    const { code, err } = await judged(gzipSync(SOUND));
    expect([code, err]).toEqual([2, expect.stringMatching(/is packed with gzip: unpack it: gunzip -c FILE/)]);
  });

  test.skipIf(lacks('mkfifo', import.meta.url))('reads a named pipe, and does not end its writer before', async () => {
    const [file, pipe] = [join(emptyFolder(), 'traffic.ndjson'), join(emptyFolder(), 'pipe')];
    writeFileSync(file, SOUND);
    execFileSync('mkfifo', [pipe]);
    const writer = once(spawn('sh', ['-c', 'cat "$0" > "$1"', file, pipe]), 'exit');
    const { terminal } = stage();
    expect(await runCommandLine(['judge', pipe, '--report-dir', emptyFolder()], terminal)).toBe(0);
    expect(await writer).toEqual([0, null]);
  });

  test('does not take the folder of a run, and leaves the last reports where a file cannot be read', async () => {
    const { terminal, err } = stage();
    const folder = emptyFolder();
    const file = join(emptyFolder(), 'traffic.ndjson');
    writeFileSync(join(folder, 'journal.ndjson'), '');
    writeFileSync(file, SOUND);
    expect(await runCommandLine(['judge', file, '--report-dir', folder], terminal)).toBe(2);
    expect([err, readdirSync(folder)]).toEqual([
      [`${folder} holds the reports of a run: give another --report-dir.`],
      ['journal.ndjson'],
    ]);
    const last = (await judged(SOUND)).folder;
    writeFileSync(file, gzipSync(SOUND));
    expect(await runCommandLine(['judge', file, '--report-dir', last], terminal)).toBe(2);
    expect(existsSync(join(last, 'results.json'))).toBe(true);
  });

  test('does not read what it would move away', async () => {
    const { terminal, err } = stage();
    const folder = emptyFolder();
    const file = join(folder, 'evidence.har');
    writeFileSync(file, SOUND);
    expect(await runCommandLine(['judge', file, '--report-dir', folder], terminal)).toBe(2);
    expect(err).toEqual([`${file} is in ${folder}, the folder for the reports: give another --report-dir.`]);
    expect(readdirSync(folder)).toEqual(['evidence.har']);
  });
});
