/** Each command as a process: its exit code, and what a build server, a script or a terminal gets of it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import { isWhole } from '../sampled.ts';
import { BIN, cleanEnvironment, command, commandProcess, emptyFolder } from './command.ts';
import { ROOT } from './vitest-door.ts';

let listening: Listening;
let env: Record<string, string | undefined> = {};
const folder = emptyFolder();

/** A service that answers the list of trunks with 206. */
beforeAll(async () => {
  const { service, settings } = createReference();
  listening = await listen(async (request) => {
    const reply = await service(request);
    return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
  });
  env = { ...settings, PCS_BASE_URL: listening.url };
});

afterAll(() => listening.close());

const FAULTY = ['run', '--only', 'LIST-STATUS/listTrunks'];
const ABOUT = ['--implementation-name', 'A', '--implementation-version', '1', '--vendor', 'B'];
const WITHOUT = 'calls,applications,connections,providers,conferences,trunks,assign,available';
const PLEDGE = ['--reason', 'being rebuilt', '--owner', 'voice', '--issue', 'https://issues.example/1'];

/** In this order, in one folder: the command line, its exit code, and what it says first on either stream. */
const COMMANDS: readonly (readonly [words: readonly string[], code: number, says: RegExp])[] = [
  [['list', '--level', 'must'], 0, /^\S+ +must /],
  [['explain', 'AUTH-SCHEME'], 0, /^AUTH-SCHEME\n/],
  [['plan', '--only', 'LIST-STATUS'], 0, /Sends about \d+ requests/],
  [['doctor', '--only', 'LIST-STATUS'], 0, /answers and accepts the credential/],
  [['run', '--only', 'LIST-STATUS/listNumbers', '--report-dir', 'sound'], 0, /CONFORMANT/],
  [FAULTY, 1, /NON-CONFORMANT/],
  [['run', '--bogus'], 2, /^Unknown option '--bogus': see --help\.\n$/],
  [['run', '--base-url', 'http://127.0.0.1:9', '--report-dir', 'unreachable'], 3, /the connection was refused/],
  [['clean'], 0, /^Every call of that run was hung up\./],
  [['report', 'conformance-report'], 0, /^NON-CONFORMANT/],
  [['compare', 'sound', 'conformance-report'], 1, /LIST-STATUS\/listTrunks/],
  [['expect', 'add', 'conformance-report', ...PLEDGE], 0, /2 added, 2 in all/],
  [['judge', 'conformance-report/evidence.har', '--report-dir', 'judged'], 1, /BREACH: 1 case fails/],
  [['keygen', '--out', 'signer'], 0, /signer\.pem/],
  [['certify', '--reference', '--key', 'signer.pem', '--without', WITHOUT, ...ABOUT], 0, /Attested in .+: CONFORMANT /],
  [['verify', 'conformance-bundle', '--key', 'signer.pub.pem'], 0, /implementation "A" "1" by "B"/],
  [['serve', '--list'], 0, /^\S/],
];

describe('a process', () => {
  // One of each exit code is a process here, those of 1 and 3 below, and all in npm run test:long.
  const isProcess = ([, code]: (typeof COMMANDS)[number], at: number): boolean =>
    isWhole() || (code % 2 === 0 && COMMANDS.findIndex(([, other]) => other === code) === at);

  test.each(COMMANDS.map((row, at) => [...row, isProcess(row, at) ? commandProcess : command] as const))(
    '%j exits %i',
    async (words, code, says, run) => {
      const finished = await run(words, env, folder);
      expect([finished.code, finished.out + finished.err]).toEqual([code, expect.stringMatching(says)]);
      expect(finished.err).not.toMatch(/^\s+at /m);
    },
  );

  test('whose output is closed early goes on to its end', async () => {
    const child = spawn(process.execPath, [BIN, ...FAULTY], { cwd: folder, env: { ...cleanEnvironment(), ...env } });
    child.stdout.destroy();
    child.stderr.resume();
    expect((await once(child, 'exit'))[0]).toBe(1);
  });
});

const ran = (words: readonly string[], more: Readonly<Record<string, string>> = {}, at = emptyFolder()) =>
  command([...FAULTY, ...words], { ...env, ...more }, at);

describe('a build server', () => {
  test('gets the summary appended to GITHUB_STEP_SUMMARY, behind what stands there', async () => {
    const at = emptyFolder();
    const file = join(at, 'step.md');
    writeFileSync(file, 'before\n');
    await ran([], { GITHUB_STEP_SUMMARY: file }, at);
    const summary = readFileSync(join(at, 'conformance-report', 'summary.md'), 'utf8');
    expect(summary).toContain('LIST-STATUS/listTrunks');
    expect(readFileSync(file, 'utf8')).toBe(`before\n${summary}`);
  });

  test('keeps the folders of five earlier runs', async () => {
    const at = emptyFolder();
    for (const count of [1, 2, 3, 4, 5])
      mkdirSync(join(at, 'conformance-report', `previous-${count}`), { recursive: true });
    for (const _ of ['into the folder', 'over that run']) await ran(['--quiet'], {}, at);
    const names = readdirSync(join(at, 'conformance-report')).filter((name) => name.startsWith('previous-'));
    expect(names.toSorted()).toEqual(['previous-2', 'previous-3', 'previous-4', 'previous-5', 'previous-6']);
  });

  test('gets the results and nothing else by --json', async () => {
    const at = emptyFolder();
    const { code, out, err } = await ran(['--json'], {}, at);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toBe(readFileSync(join(at, 'conformance-report', 'results.json'), 'utf8'));
  });
});

/** Makes the process believe that its standard output is a terminal. */
const TERMINAL = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };

test.each([
  ['a terminal', {}, true],
  ['NO_COLOR before FORCE_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('colours are a matter of the stream and of two variables: %s', async (_, more, isColoured) => {
  const colours = { NO_COLOR: '', FORCE_COLOR: '', ...TERMINAL, ...more };
  const { out } = await commandProcess(['report', 'conformance-report'], colours, folder);
  expect(out.includes('\u001b[')).toBe(isColoured);
});

describe('the executable', () => {
  test('says on an older Node, in the syntax of any, what it needs, and exits 2', async () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' }); require(${JSON.stringify(BIN)})`;
    const child = spawn(process.execPath, ['-e', old], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = await text(child.stderr);
    expect(said).toBe(`pcs-conformance needs Node ${engines.node.slice(2)} or later: this is 18.20.8.\n`);
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
    expect(readFileSync(BIN, 'utf8')).not.toMatch(/=>|`|\b(?:let|const|import|await)\b/);
  });

  test.each([
    ['is quiet where its reader has stopped, as head does', '', '', 0],
    [
      'is not successful where its output was lost',
      `process.stdout.write = (text, done) => (process.stdout.emit('error', new Error('no space left')), done?.(), false);`,
      'Standard output cannot be written: no space left.\nExit 3, which would have been 0.\n',
      3,
    ],
  ])('%s', async (_, before, says, exit) => {
    const words = ['--import', `data:text/javascript,${encodeURIComponent(before)}`, BIN, 'list', '--json'];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    expect(await text(child.stderr)).toBe(says);
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(exit);
  });
});
