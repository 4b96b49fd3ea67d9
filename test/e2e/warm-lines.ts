/** A command in a process that has run others leaves what it leaves in a process of its own. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { coldCommand, command, emptyFolder, type Finished } from './command.ts';
import { live } from './live.ts';

const WRITES = 'createCall,hangUpCall,answerCall,muteParticipant,updateVoiceApplication,setInboundAuth';
const NAMES = ['--implementation-name', 'A', '--implementation-version', '1', '--vendor', 'B'];

/** Command lines in one folder: their successes, their failures, and errors of the user and of the target. */
export const LINES: readonly (readonly string[])[] = [
  ['explain', 'AUTH-SCHEME'],
  ['plan', '--json'],
  ['doctor'],
  ['run', '--only', 'LIST-STATUS'],
  ['run', '--only', 'LIST-STATUS', '--json', '--report-dir', 'later'],
  ['run', '--base-url', 'http://127.0.0.1:9', '--quiet', '--report-dir', 'unreachable'],
  ['replay', 'conformance-report', 'LIST-STATUS/listTrunks'],
  ['clean'],
  ['report', 'conformance-report', '--format', 'markdown'],
  ['compare', 'conformance-report', 'later', '--format', 'json'],
  ['expect', 'add', 'later', '--reason', 'r', '--owner', 'o', '--issue', 'https://issues.example/1'],
  ['keygen', '--out', 'signer'],
  [
    'certify',
    '--key',
    'signer.pem',
    ...NAMES,
    '--nonce',
    '0123456789',
    '--without',
    `${WRITES},updateTrunk,assignNumber`,
  ],
  ['verify', 'conformance-bundle', '--key', 'signer.pub.pem'],
  ['serve', '--fault', 'none-such'],
  ['serve', '--list'],
];

/** What differs between two runs of the same command: times, ports, processes, digests, and what is drawn. */
const settled = (text: string): string =>
  text
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, 'TIMES')
    .replaceAll(/"length":[\d.]+,"exchanges":[^<]*/g, 'TIMES')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?|\w{3}, \d\d \w{3} [\d :]+ GMT/g, 'TIME')
    .replaceAll(/-----BEGIN[\s\S]*?-----END [A-Z ]+-----/g, 'KEY')
    .replaceAll(/\b[0-9a-f]{16,}\b|"[\w+/-]{80,}=*"/g, 'DIGEST')
    .replaceAll(/-?\d+(?:\.\d+)?(?:e-\d+)? ?(?:m?s\b|%)|\b\d+\.\d+\b|\b\d{10,}\b/g, 'N')
    .replaceAll(/"(?:duration|start|stop|time|tests)":\s*\d+/g, 'N')
    .replaceAll(/^\d+\/\d+ sequences .*\n/gm, '');

/** The files below a folder with what they hold. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length), settled(readFileSync(path, 'utf8'))]));
}

/** Answers a list with 206. */
const faulty =
  (service: Service): Service =>
  async (request) => {
    const reply = await service(request);
    return request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
  };

/** What each of the command lines prints, its exit code, and the files in the folder after all of them. */
function leftBy(way: typeof command, lines: typeof LINES) {
  return live({ wrap: faulty }, async ({ env }) => {
    const folder = emptyFolder();
    const finished: (readonly [string, Partial<Finished>])[] = [];
    for (const words of lines) {
      // One lane: the journal has the order in which requests end.
      const { code, out, err } = await way(words, { ...env, PCS_CONCURRENCY: '1' }, folder);
      finished.push([words.join(' '), { code, out: settled(out), err: settled(err) }]);
    }
    return { finished, files: filesIn(folder) };
  });
}

/** Demands that these command lines print, exit with and write the same in both kinds of processes. */
export async function demandTheSame(lines: typeof LINES): Promise<void> {
  const [cold, warm] = [await leftBy(coldCommand, lines), await leftBy(command, lines)];
  expect(warm.finished).toEqual(cold.finished);
  expect(new Set(cold.finished.map(([, { code }]) => code))).toEqual(new Set([0, 1, 2, 3]));
  expect(Object.keys(warm.files)).toEqual(Object.keys(cold.files));
  expect(Object.entries(cold.files).filter(([name, text]) => warm.files[name] !== text)).toEqual([]);
}
