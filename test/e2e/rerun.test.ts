/** The command that a report prints for a failing case, pasted as it stands, against a service that is faulty until it is repaired. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { command, emptyFolder } from './command.ts';
import { live } from './live.ts';

const BROKEN = JSON.stringify({ success: false, error: { code: 'internal', message: 'broken' } });
const HEADERS = [['Content-Type', 'application/json']] as const;

/** Lists trunks with 206, and breaks on a hang-up right after an accepted mute, which no systematic part sends. */
function broken() {
  let isFaulty = true;
  let wasMuted = false;
  const wrap =
    (service: Service): Service =>
    async (request) => {
      const isAfterMute = wasMuted;
      wasMuted = false;
      if (isFaulty && isAfterMute && request.target.endsWith('/hangup'))
        return { status: 500, headers: HEADERS, body: BROKEN };
      const reply = await service(request);
      wasMuted = request.target.endsWith('/mute') && reply.status < 300;
      return isFaulty && request.target === '/v1/trunks/' && reply.status === 200 ? { ...reply, status: 206 } : reply;
    };
  const repair = (): void => {
    isFaulty = false;
  };
  return { wrap, repair };
}

/** The command that was printed for a case, as words. */
function printedFor(id: string, out: string): readonly string[] {
  const [, words = ''] =
    new RegExp(`^ {2}rerun +│ (?:node \\S+|pcs-conformance) (.* --only ${id} .*)$`, 'm').exec(out) ?? [];
  return words.split(' ');
}

test('fails while the case does, passes once it is repaired, and leaves the reports of the run as they are', async () => {
  const { wrap, repair } = broken();
  await live({ wrap }, async ({ env, url }) => {
    const folder = emptyFolder();
    const results = (): string => readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8');
    const { code, out } = await command(['run', '--profile', 'full', '--quiet', '--explore', '400'], env, folder);
    expect(code).toBe(1);
    const before = results();
    const ofCase = printedFor('LIST-STATUS/listTrunks', out);
    const ofWalk = printedFor('NO-SERVER-ERROR/hangUpCall', out);
    expect(ofCase).toEqual(expect.arrayContaining(['--base-url', url, '--seed']));
    expect(ofWalk.join(' ')).toMatch(/ --path \d+:\d+:\d+ /);
    for (const words of [ofCase, ofWalk]) expect((await command(words, env, folder)).code).toBe(1);
    repair();
    expect((await command(ofCase, env, folder)).code).toBe(0);
    expect((await command(ofWalk, env, folder)).code).not.toBe(1);
    expect(results()).toBe(before);
  });
});

test('a path that is none is wrong usage', async () => {
  const { code, err } = await command(['run', '--path', '1:x']);
  expect([code, err]).toEqual([2, expect.stringContaining('--path ("1:x") is not a path')]);
});
