/** `report DIR` renders from what a run left in its folder, and says no more and no less than the run did. */

import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { REPORTERS } from '../../src/report/write-reports.ts';
import { isWhole } from '../sampled.ts';
import { command, emptyFolder } from './command.ts';
import { live } from './live.ts';

const FOLDER = 'conformance-report';
/** A partial run has no badge, one of fewer operations has. */
const FEW = isWhole() ? [] : ['--without', 'calls,applications,connections,providers,conferences,assign,available'];
const kept = emptyFolder();
let printed = '';

beforeAll(async () => {
  const faulty = live(
    {
      wrap: (service) => async (request) => {
        const reply = await service(request);
        return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
      },
    },
    ({ env }) => command(['run', '--profile', 'full', '--max-wait', '300', ...FEW], env, kept),
  );
  printed = (await faulty).out;
});

/** A copy of the run's folder, to be spoilt. */
function copy(): { readonly at: string; readonly folder: string } {
  const at = emptyFolder();
  cpSync(join(kept, FOLDER), join(at, FOLDER), { recursive: true });
  return { at, folder: join(at, FOLDER) };
}

const textIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

/** Demands one sentence on standard error, and the exit code of wrong usage. */
async function demandUsage(words: readonly string[], at: string, says: string): Promise<void> {
  const { code, out, err } = await command(words, {}, at);
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(says) });
  expect(err.trim().split('\n')).toHaveLength(1);
}

// compare, --baseline and expect take the path of a results.json, too.
test.each([FOLDER, join(FOLDER, 'results.json')])(
  'prints what the run printed and writes every file anew, byte for byte, of %s',
  async (named) => {
    const { at, folder } = copy();
    const files = readdirSync(folder).filter((file) => !['results.json', 'journal.ndjson'].includes(file));
    expect(files.toSorted()).toEqual(
      REPORTERS.map(({ file }) => file)
        .filter((file) => file !== 'results.json')
        .toSorted(),
    );
    for (const file of files) rmSync(join(folder, file));
    const { code, out } = await command(['report', named], {}, at);
    expect([code, out]).toEqual([0, printed]);
    for (const { file } of REPORTERS) {
      expect(textIn(folder, file) === textIn(join(kept, FOLDER), file), file).toBe(true);
    }
  },
);

test('names a folder without results or with those of something else', async () => {
  await demandUsage(['report', 'nowhere'], emptyFolder(), 'nowhere/results.json cannot be read');
  const { at, folder } = copy();
  for (const text of ['{', '[]', '{"format":"other"}']) {
    writeFileSync(join(folder, 'results.json'), text);
    const says = text === '{' ? 'is not valid JSON (line 1, column 2)' : 'does not match the schema of results';
    await demandUsage(['report', FOLDER], at, says);
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
    await demandUsage(['report', FOLDER], at, 'is not the journal of the run in results.json');
  }
  rmSync(journal);
  await demandUsage(['report', FOLDER], at, 'journal.ndjson cannot be read');
  appendFileSync(journal, lines.join('\n'));
  expect(await command(['report', FOLDER], {}, at)).toMatchObject({ code: 0 });
});
