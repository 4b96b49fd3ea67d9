/** `replay` and the printed replay command as a user types them, against a service that is faulty until it is repaired. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { type Listening, listen } from '../../fixtures/service/serve.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { Results } from '../../src/verdict/results.ts';
import { inLongAlone } from '../sampled.ts';
import { command, emptyFolder, type Finished } from './command.ts';

const CASE = 'LIST-STATUS/listTrunks';
const BROKEN = JSON.stringify({ success: false, error: { code: 'internal', message: 'broken' } });
const HEADERS = [['Content-Type', 'application/json']] as const;

let isFaulty = true;
let isMuteFaulty = false;
let wasMuted = false;
let sent: string[] = [];
let listening: Listening;
let env: Record<string, string> = {};
/** The folder in which the commands run. */
let folder = '';
/** The one run that is replayed: what it left, and what it printed. */
let recorded = '';
let printed = '';

/** Lists trunks with 206, and breaks on a hang-up right after an accepted mute, which no systematic part sends. */
const faultyOver =
  (service: Service): Service =>
  async (request) => {
    const body = Buffer.from(request.body).toString();
    sent.push(`${request.method} ${request.target} ${body}`);
    const isAfterMute = wasMuted;
    wasMuted = false;
    if (isMuteFaulty && isAfterMute && request.target.endsWith('/hangup'))
      return { status: 500, headers: HEADERS, body: BROKEN };
    const reply = await service(request);
    wasMuted = request.target.endsWith('/mute') && reply.status < 300;
    return isFaulty && request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
  };

beforeAll(async () => {
  const { service, settings } = createReference();
  listening = await listen(faultyOver(service));
  env = { ...settings, PCS_BASE_URL: listening.url } as Record<string, string>;
  recorded = emptyFolder();
  folder = recorded;
  const { code, out } = await asked(['run', '--profile', 'full', '--quiet']);
  expect(code).toBe(1);
  printed = out;
});

afterAll(() => listening.close());

beforeEach(() => {
  isFaulty = true;
  folder = emptyFolder();
  cpSync(recorded, folder, { recursive: true });
});

/** Runs a command with nothing sent before it. */
function asked(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Finished> {
  sent = [];
  return command(words, { ...env, ...more }, folder);
}

const replayed = (...words: readonly string[]) => asked(['replay', 'conformance-report', ...words]);

function results(): Results {
  return JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));
}

/** Makes the run in the folder one against another target. */
function moveTo(url: string): void {
  for (const name of ['results.json', 'journal.ndjson']) {
    const path = join(folder, 'conformance-report', name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(listening.url, url));
  }
}

/** The replay command that a run printed for a case, as words. */
function printedCommand(out: string, id: string): readonly string[] {
  const lines = out.split('\n').filter((line) => line.includes('│ npx pcs-conformance replay'));
  const line = lines.find((one) => one.includes(` ${id} --base-url `)) ?? '';
  return (line.split('│ npx pcs-conformance ')[1] ?? '').split(' ');
}

describe('replay', () => {
  test('exits 1 while the case fails and 0 once it does not, by few requests and no call', async () => {
    const before = readFileSync(join(folder, 'conformance-report', 'journal.ndjson'), 'utf8');
    const failing = await replayed(CASE);
    expect(failing).toMatchObject({ code: 1, out: expect.stringContaining(`${CASE} still fails (smallest sequence;`) });
    expect(sent.length).toBeLessThan(27);
    expect(sent.filter((line) => line.startsWith('POST /v1/calls/'))).toEqual([]);
    isFaulty = false;
    const repaired = await replayed(CASE);
    expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining(`${CASE} no longer fails`) });
    // What was recorded is the evidence: a replay writes beside it.
    expect(readFileSync(join(folder, 'conformance-report', 'journal.ndjson'), 'utf8')).toBe(before);
  });

  inLongAlone('is the command that the run printed, and leaves the reports of the run as they are', async () => {
    const before = results();
    expect(printedCommand(printed, CASE)).toEqual(['replay', 'conformance-report', CASE, '--base-url', listening.url]);
    expect((await asked(printedCommand(printed, CASE))).code).toBe(1);
    isFaulty = false;
    expect((await asked(printedCommand(printed, CASE))).code).toBe(0);
    expect(results()).toEqual(before);
  });

  test('names a case that is not there, or did not fail, in one sentence', async () => {
    for (const [id, sentence] of [
      ['NO-SUCH/listTrunks', 'no case "NO-SUCH/listTrunks"'],
      ['LIST-STATUS/listNumbers', 'LIST-STATUS/listNumbers did not fail in that run (pass)'],
    ] as const) {
      const { code, err } = await replayed(id);
      expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
      expect(err).toContain(sentence);
      expect(sent).toEqual([]);
    }
  });

  test('sends no credential to another target than the settings name, unless a flag names it', async () => {
    moveTo('http://elsewhere.invalid');
    const { code, err } = await replayed(CASE);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('judged http://elsewhere.invalid, but the settings name');
    const unnamed = await asked(['replay', 'conformance-report', CASE], { PCS_BASE_URL: '' });
    expect([unnamed.code, unnamed.err, sent]).toEqual([2, expect.stringContaining('the settings name no target'), []]);
    expect((await replayed(CASE, '--base-url', listening.url)).code).toBe(1);
  });

  test('exits 3 if nothing listens any more', async () => {
    const closed = 'http://127.0.0.1:9';
    moveTo(closed);
    const { code, out } = await replayed(CASE, '--base-url', closed);
    expect(code).toBe(3);
    expect(out).toContain('could not be judged');
    expect(out).toContain('could not be reached');
  });
});

describe('what an exploration found', () => {
  const ID = 'NO-SERVER-ERROR/hangUpCall';

  // In this process, test/proof/explore.test.ts finds, shrinks and sends again what only a sequence shows.
  inLongAlone('is printed with seed and path, and sent again by one command', async () => {
    isMuteFaulty = true;
    // One lane: otherwise a hang-up of one may follow a mute of another.
    const words = ['run', '--profile', 'full', '--quiet', '--explore', '400', '--concurrency', '1'];
    const { code, out } = await asked(words);
    expect(code).toBe(1);
    const [, seed = '', path = ''] = /│ seed (\d+), path (\d+(?::\d+)*)$/m.exec(out) ?? [];
    expect(path).toMatch(/^\d+:\d+:\d+$/);
    expect((await asked(printedCommand(out, ID))).code).toBe(1);
    expect(sent.length).toBeLessThan(40);
    expect(sent.filter((line) => line.startsWith('POST /v1/calls/ '))).toEqual([]);
    const alone = ['run', '--profile', 'full', '--only', ID, '--seed', seed, '--path', path];
    expect((await asked(alone)).code).toBe(1);
    isMuteFaulty = false;
    expect((await replayed(ID)).code).toBe(0);
  });

  test('with a path that is none is wrong usage', async () => {
    const { code, err } = await asked(['run', '--path', '1:x']);
    expect(code).toBe(2);
    expect(err).toContain('--path ("1:x") is not a path');
  });
});
