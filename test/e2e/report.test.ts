/** `report DIR` renders from what a run left in its folder, and says no more and no less than the run did. */

import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { REPORT_FORMATS } from '../../src/cli/flag-options.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { REPORTERS } from '../../src/report/write-reports.ts';
import { stage } from '../unit/cli/stage.ts';
import { command, emptyFolder } from './command.ts';

let listening: Listening;
let kept = '';
let printed = '';

beforeAll(async () => {
  const { service, settings } = createReference();
  listening = await listen(async (request) => {
    const reply = await service(request);
    return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
  });
  kept = emptyFolder();
  const env = { ...settings, PCS_BASE_URL: listening.url };
  printed = (await command(['run', '--profile', 'full'], env, kept)).out;
});

afterAll(() => listening.close());

const FOLDER = 'conformance-report';

/** A copy of the run's folder, to be spoilt. */
function copy(): { readonly at: string; readonly folder: string } {
  const at = emptyFolder();
  cpSync(join(kept, FOLDER), join(at, FOLDER), { recursive: true });
  return { at, folder: join(at, FOLDER) };
}

const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

/** One sentence on standard error, and the exit code of wrong usage. */
async function refusal(words: readonly string[], at: string): Promise<string> {
  const { code, out, err } = await command(words, {}, at);
  expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
  return err;
}

describe('report', () => {
  test('writes every file anew, byte for byte, from results and journal alone', async () => {
    const { at, folder } = copy();
    const files = readdirSync(folder).filter((file) => !['results.json', 'journal.ndjson'].includes(file));
    expect(files.sort()).toEqual(
      REPORTERS.map(({ file }) => file)
        .filter((file) => file !== 'results.json')
        .sort(),
    );
    for (const file of files) rmSync(join(folder, file));
    const { code, out } = await command(['report', FOLDER], {}, at);
    expect(code).toBe(0);
    for (const { file } of REPORTERS) {
      expect(textIn(folder, file) === textIn(join(kept, FOLDER), file), file).toBe(true);
      expect(out).toContain(file);
    }
  });

  test.each(REPORTERS.map(({ name, file }) => [name === 'results' ? 'json' : name, file] as const))(
    'prints --format %s as it stands in %s',
    async (format, file) => {
      const { terminal, out } = stage();
      const before = process.cwd();
      // The commands in a report name the folder as the caller wrote it.
      process.chdir(kept);
      const code = await runCommandLine(['report', FOLDER, '--format', format], terminal);
      process.chdir(before);
      expect(code).toBe(0);
      expect(out.join('\n').trimEnd() === textIn(join(kept, FOLDER), file).trimEnd()).toBe(true);
    },
  );

  test('prints --format console as the run did', async () => {
    const { code, out } = await command(['report', FOLDER, '--format', 'console'], {}, kept);
    expect(code).toBe(0);
    expect(out).toContain('NON-CONFORMANT');
    expect(printed.startsWith(out.trimEnd())).toBe(true);
  });

  test('offers a format for every file, and the console', () => {
    const names = REPORTERS.map(({ name }) => (name === 'results' ? 'json' : name));
    expect([...REPORT_FORMATS].sort()).toEqual([...names, 'console'].sort());
  });

  test('holds the choices of the target, in the file and on the page', () => {
    const choices: readonly { readonly gap: string }[] = JSON.parse(textIn(join(kept, FOLDER), 'choices.json'));
    expect(choices.length).toBeGreaterThan(50);
    const page = textIn(join(kept, FOLDER), 'report.html');
    expect(choices.filter(({ gap }) => !page.includes(gap))).toEqual([]);
  });

  test('names a format that there is not', async () => {
    expect(await refusal(['report', FOLDER, '--format', 'pdf'], kept)).toContain(
      "'pdf' is invalid. Allowed choices are json",
    );
  });

  test('names a folder without results, or with results of something else', async () => {
    expect(await refusal(['report', 'nowhere'], emptyFolder())).toContain('nowhere/results.json cannot be read');
    const { at, folder } = copy();
    for (const text of ['{', '[]', '{"format":"other"}']) {
      writeFileSync(join(folder, 'results.json'), text);
      expect(await refusal(['report', FOLDER], at)).toContain('does not hold results of this version');
    }
  });

  test('rejects a journal of another run, or a missing one', async () => {
    const { at, folder } = copy();
    const journal = join(folder, 'journal.ndjson');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const spoilt = [
      lines.slice(0, -20),
      lines.map((line) => line.replace('"seed":20250101', '"seed":5')),
      [...lines, lines.find((line) => line.includes('"kind":"exchange"')) ?? ''],
    ];
    for (const wrong of spoilt) {
      writeFileSync(journal, `${wrong.join('\n')}\n`);
      expect(await refusal(['report', FOLDER], at)).toContain('is not the journal of the run in results.json');
    }
    rmSync(journal);
    expect(await refusal(['report', FOLDER], at)).toContain('journal.ndjson cannot be read');
    appendFileSync(journal, lines.join('\n'));
    expect((await command(['report', FOLDER], {}, at)).code).toBe(0);
  });

  test('says that a partial run has no badge', async () => {
    const { at, folder } = copy();
    const text = textIn(folder, 'results.json').replace('"partial": false', '"partial": true');
    writeFileSync(join(folder, 'results.json'), text);
    expect(await refusal(['report', FOLDER, '--format', 'badge'], at)).toContain('makes no badge');
  });
});
