/** Live fixtures by command: begun where a case needs one, ended on every way out. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { isWhole } from '../sampled.ts';
import { BIN, command, emptyFolder } from './command.ts';
import { type Live, live, until } from './live.ts';

interface Script {
  readonly command: string;
  readonly cleanup: string;
  readonly log: () => readonly string[];
}

/** Commands that note how they were called; `lines` is what the first prints for each kind. */
function script(lines: Readonly<Record<string, readonly string[]>>, code = 0): Script {
  const folder = emptyFolder();
  const log = join(folder, 'log');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return `"${process.execPath}" "${join(folder, name)}"`;
  };
  const note = (what: string): string =>
    `import { appendFileSync } from 'node:fs'; const kind = process.argv.at(-1);
     appendFileSync(${JSON.stringify(log)}, ${what} + '\\n');`;
  return {
    command: file(
      'begin.mjs',
      `${note("'begin ' + kind")} console.log((${JSON.stringify(lines)}[kind] ?? []).join('\\n')); process.exit(${code});`,
    ),
    cleanup: file(
      'end.mjs',
      note("'end ' + kind + ' ' + (process.env.PCS_RINGING_CALL_ID ?? process.env.PCS_CONFERENCE_ID ?? '')"),
    ),
    log: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  };
}

/** The settings without what a fixture brings, and the fixtures that bring it. */
function split({ env }: Live) {
  const { PCS_RINGING_CALL_ID, PCS_CONFERENCE_ID, PCS_PARTICIPANT_ID, ...rest } = env;
  const lines = {
    'ringing-call': [`PCS_RINGING_CALL_ID=${PCS_RINGING_CALL_ID}`],
    conference: [`PCS_CONFERENCE_ID=${PCS_CONFERENCE_ID}`, `PCS_PARTICIPANT_ID=${PCS_PARTICIPANT_ID}`],
  };
  return { rest, lines, ringing: PCS_RINGING_CALL_ID, conference: PCS_CONFERENCE_ID };
}

/** Cases of every operation; the whole of a run in the long tests. */
const FEW = isWhole() ? [] : ['--only', 'SUCCESS-STATUS'];

const flagsOf = ({ command: begin, cleanup }: Script) => ['--fixture-command', begin, '--fixture-cleanup', cleanup];

describe('a fixture command', () => {
  test('brings what the run has not, and its clean-up ends it', async () => {
    await live({}, async (target) => {
      const { rest, lines, ringing, conference } = split(target);
      const fixtures = script(lines);
      const run = await command(['run', '--profile', 'full', '--quiet', ...FEW, ...flagsOf(fixtures)], rest);
      expect(run).toMatchObject({ code: 0, err: '' });
      const end = [`end ringing-call ${ringing}`, `end conference ${conference}`];
      expect(fixtures.log()).toEqual(['begin ringing-call', 'begin conference', ...end]);
    });
  });

  test.each([
    ['the settings name the fixtures', (env: Live['env']) => env, ['--profile', 'full']],
    [
      'no case needs them',
      (env: Live['env']) => ({ ...env, PCS_RINGING_CALL_ID: '' }),
      ['--profile', 'full', '--without', 'answer'],
    ],
    ['the profile only reads', (env: Live['env']) => ({ ...env, PCS_RINGING_CALL_ID: '' }), []],
  ])('is not run where %s', async (_, settings, flags) => {
    await live({}, async ({ env }) => {
      const fixtures = script({});
      await command(['run', '--quiet', ...FEW, ...flags, ...flagsOf(fixtures)], settings(env));
      expect(fixtures.log()).toEqual([]);
    });
  });

  test('is not run where the samples cannot be used', async () => {
    await live({}, async (target) => {
      const fixtures = script({});
      const samples = join(emptyFolder(), 'samples.json');
      writeFileSync(samples, '{"createCall":{"from":"+15005550006","to":"911"}}');
      const words = ['run', '--profile', 'full', '--samples', samples, ...flagsOf(fixtures)];
      const { code, err } = await command(words, split(target).rest);
      expect([code, err]).toEqual([2, expect.stringContaining('/createCall/to is "911"; write PCS_CALL_TO')]);
      expect(fixtures.log()).toEqual([]);
    });
  });

  test.each([
    ['the list of known failures', ['--expect', 'none.json'], /none\.json/],
    ['the report folder', ['--report-dir', '.env/reports'], /cannot be written/],
    ['a selection', ['--only', 'NOTHING'], /NOTHING/],
  ])('is not run where a run is rejected for %s', async (_, flags, says) => {
    await live({}, async (target) => {
      const fixtures = script({});
      const cwd = emptyFolder();
      writeFileSync(join(cwd, '.env'), '');
      const words = ['run', '--profile', 'full', ...flags, ...flagsOf(fixtures)];
      const { code, err } = await command(words, split(target).rest, cwd);
      expect([code, err]).toEqual([2, expect.stringMatching(says)]);
      expect(fixtures.log()).toEqual([]);
    });
  });

  test('is known to doctor, which misses nothing that it brings', async () => {
    await live({}, async (target) => {
      const fixtures = script({});
      const words = ['doctor', '--profile', 'full', ...flagsOf(fixtures)];
      const { out } = await command(words, split(target).rest);
      expect(out).not.toMatch(/PCS_RINGING_CALL_ID|PCS_CONFERENCE_ID/);
      expect(fixtures.log()).toEqual([]);
    });
  });

  test.each([
    ['fails', {}, 9, /ended with code 9 for ringing-call/],
    ['prints something else', { 'ringing-call': ['PCS_ACCESS_TOKEN=x'] }, 0, /printed no PCS_RINGING_CALL_ID/],
  ])('that %s ends the run before anything is sent, and is cleaned up', async (_, lines, exit, says) => {
    await live({}, async (target) => {
      const fixtures = script(lines, exit);
      const { code, err } = await command(['run', '--profile', 'full', ...flagsOf(fixtures)], split(target).rest);
      expect([code, err]).toEqual([2, expect.stringMatching(says)]);
      expect(fixtures.log()).toEqual(['begin ringing-call', 'end ringing-call']);
      expect(target.reference.inspect().requests).toEqual([]);
    });
  });

  test.each([1, 2])('is cleaned up after Ctrl-C, pressed %i times', async (times) => {
    const forever = () => new Promise<void>(() => undefined);
    const reference = times === 1 ? {} : { policy: { dialSeconds: 30 }, wait: forever };
    let seen = 0;
    let isDialling = false;
    const wrap = (service: Service): Service => {
      return (request) => {
        seen += 1;
        isDialling ||= request.method === 'POST' && request.target === '/v1/calls/';
        return service(request);
      };
    };
    await live({ reference, wrap }, async (target) => {
      const { rest, lines, ringing } = split(target);
      const fixtures = script(lines);
      const words = [BIN, 'run', '--profile', 'full', '--rate', '20', ...flagsOf(fixtures)];
      const child = spawn(process.execPath, words, { cwd: emptyFolder(), env: { PATH: process.env['PATH'], ...rest } });
      child.stdout.resume();
      child.stderr.resume();
      // A call that is dialled for ever holds the run up: otherwise it might end just before the second press.
      await until(() => (times === 1 ? seen > 3 : isDialling));
      const exit = once(child, 'exit');
      for (let press = 0; press < times; press += 1) {
        child.kill('SIGINT');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      expect((await exit)[0]).toBe(130);
      expect(fixtures.log()).toContain(`end ringing-call ${ringing}`);
    });
  });
});
