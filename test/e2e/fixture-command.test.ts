/** Live fixtures by command: begun where a case needs one, ended on every way out. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../fixtures/service/types.ts';
import { inLongAlone, narrowedWords } from '../sampled.ts';
import { BIN, command, commandProcess, emptyFolder } from './command.ts';
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
    return `sh "${join(folder, name)}"`;
  };
  const printed = Object.entries(lines).map(([kind, all]) => `${kind}) printf '%s\\n' ${all.join(' ')};;`);
  return {
    command: file(
      'begin',
      `echo "begin $1" >>"${log}"; echo "no line: $1" >&2; case $1 in ${printed.join(' ')} esac
       [ "$PCS_BASE_URL" ] && [ "$PCS_ACCESS_TOKEN" ] && exit ${code}; exit 7`,
    ),
    cleanup: file('end', `echo "end $1 \${PCS_RINGING_CALL_ID-$PCS_CONFERENCE_ID}" >>"${log}"`),
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

/** Cases that need the fixtures; the whole of a run in the long tests. */
const FEW = narrowedWords('SUCCESS-STATUS/answerCall', 'SUCCESS-STATUS/muteParticipant');
const READS = narrowedWords('LIST-STATUS');

const flagsOf = ({ command: begin, cleanup }: Script) => ['--fixture-command', begin, '--fixture-cleanup', cleanup];

describe('a fixture command', () => {
  test('brings what the run has not, and its clean-up ends it', async () => {
    await live({}, async (target) => {
      const { rest, lines: printed, ringing, conference } = split(target);
      const fixtures = script(printed);
      // A telephone calls the target, also where its address and credential stand in a file.
      const cwd = emptyFolder();
      const lines = Object.entries(rest).map(([name, value]) => `${name}='${value}'`);
      writeFileSync(join(cwd, '.env'), lines.join('\n'));
      const run = await command(['run', '--profile', 'full', '--quiet', ...FEW, ...flagsOf(fixtures)], {}, cwd);
      expect(run).toMatchObject({ code: 0 });
      const end = [`end ringing-call ${ringing}`, `end conference ${conference}`];
      expect(fixtures.log()).toEqual(['begin ringing-call', 'begin conference', ...end]);
    });
  });

  /** Certifies with these commands, in a folder that has a key. */
  async function certify(commands: Script, rest: Readonly<Record<string, string>>, cwd: string) {
    expect((await command(['keygen', '--out', 'signer'], {}, cwd)).code).toBe(0);
    const words = ['certify', '--quiet', '--key', 'signer.pem', '--implementation-name', 'x', '--vendor', 'x'];
    return command([...words, '--implementation-version', '1', ...flagsOf(commands)], rest, cwd);
  }

  test('is not certified by where it fails, and is known to doctor', async () => {
    await live({}, async (target) => {
      const { rest } = split(target);
      const [failing, cwd] = [script({}, 9), emptyFolder()];
      expect(await certify(failing, rest, cwd)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/ended with code 9/),
      });
      expect([failing.log(), target.reference.inspect().requests]).toEqual([
        ['begin ringing-call', 'end ringing-call'],
        [],
      ]);
      const doctor = await command(['doctor', '--profile', 'full', ...FEW, ...flagsOf(failing)], rest, cwd);
      expect(doctor.out).not.toMatch(/PCS_(?:RINGING_CALL_ID|CONFERENCE_ID|PARTICIPANT_ID)/);
    });
  });

  inLongAlone('is begun and ended by certify', async () => {
    await live({}, async (target) => {
      const { rest, lines, ringing, conference } = split(target);
      const fixtures = script(lines);
      expect(await certify(fixtures, rest, emptyFolder())).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Attested in .+: CONFORMANT /m),
      });
      const end = [`end conference ${conference}`, `end ringing-call ${ringing}`];
      expect(fixtures.log()).toEqual(['begin ringing-call', 'begin conference', ...end]);
    });
  });

  test.each<readonly [string, 'given' | 'lacking', readonly string[], number, RegExp]>([
    ['the settings name the fixtures', 'given', FEW, 0, /^$/],
    ['no case needs them', 'lacking', ['--without', 'answer,mute', ...READS], 0, /^$/],
    ['the profile only reads', 'lacking', ['--profile', 'read-only', ...READS], 0, /^$/],
    ['the list of known failures is missing', 'lacking', ['--expect', 'none.json'], 2, /none\.json/],
    ['the report folder cannot be written', 'lacking', ['--report-dir', '.env/reports'], 2, /cannot be written/],
    ['a selection selects nothing', 'lacking', ['--only', 'NOTHING'], 2, /NOTHING/],
    [
      'the samples cannot be used',
      'lacking',
      ['--samples', 'samples.json'],
      2,
      /createCall\/to is "911"; write PCS_CALL_TO/,
    ],
  ])('is not run where %s', async (_, ids, flags, exit, says) => {
    await live({}, async (target) => {
      const fixtures = script({});
      const cwd = emptyFolder();
      writeFileSync(join(cwd, '.env'), '');
      writeFileSync(join(cwd, 'samples.json'), '{"createCall":{"from":"+15005550006","to":"911"}}');
      const words = ['run', '--quiet', '--profile', 'full', ...flags, ...flagsOf(fixtures)];
      const { code, err } = await command(words, ids === 'given' ? target.env : split(target).rest, cwd);
      expect([code, err]).toEqual([exit, expect.stringMatching(says)]);
      expect(fixtures.log()).toEqual([]);
    });
  });

  const OTHER = { 'ringing-call': ['PCS_ACCESS_TOKEN=x'] };
  test.each([
    ['fails', {}, 9, /^no line: ringing-call\n.*ended with code 9 for ringing-call/ms, commandProcess],
    ['prints something else', OTHER, 0, /printed no PCS_RINGING_CALL_ID/, command],
  ])('that %s ends the run before anything is sent, and is cleaned up', async (_, lines, exit, says, run) => {
    await live({}, async (target) => {
      const fixtures = script(lines, exit);
      const cwd = emptyFolder();
      const last = join(cwd, 'conformance-report', 'results.json');
      mkdirSync(dirname(last));
      writeFileSync(last, '{}');
      const words = ['run', '--profile', 'full', ...FEW, ...flagsOf(fixtures)];
      const { code, err } = await run(words, split(target).rest, cwd);
      // What the command says of its failure is shown, which a process alone can see.
      expect([code, err, existsSync(last)]).toEqual([2, expect.stringMatching(says), true]);
      expect(fixtures.log()).toEqual(['begin ringing-call', 'end ringing-call']);
      expect(target.reference.inspect().requests).toEqual([]);
    });
  });

  test('is cleaned up by clean after kill -9, and the ringing call that was answered is named', async () => {
    let kill = (): unknown => undefined;
    const wrap = (service: Service): Service => {
      return async (request) => {
        const reply = await service(request);
        if (request.target.endsWith('/answer') && reply?.status === 200) kill();
        return reply;
      };
    };
    await live({ wrap }, async (target) => {
      const { rest, lines, ringing, conference } = split(target);
      const [fixtures, cwd] = [script(lines), emptyFolder()];
      const words = [BIN, 'run', '--profile', 'full', '--quiet', ...FEW, ...flagsOf(fixtures)];
      const child = spawn(process.execPath, words, {
        cwd,
        env: { PATH: process.env['PATH'], ...rest },
        stdio: 'ignore',
      });
      kill = () => child.kill('SIGKILL');
      await once(child, 'exit');
      kill = () => undefined;
      expect(fixtures.log()).toEqual(['begin ringing-call', 'begin conference']);
      const report = await command(['report', 'conformance-report'], {}, cwd);
      expect(report.out).toContain(`call ${ringing} (request `);
      const without = await command(['clean'], rest, cwd);
      expect([without.code, without.out]).toEqual([
        0,
        expect.stringContaining('Perhaps left, since --fixture-cleanup'),
      ]);
      // It had said "Ended" of the one whose command failed, and never tried again.
      const half = `[ conference = "$PCS_FIXTURE" ] && ${fixtures.cleanup}`;
      const failed = await command(['clean', '--fixture-cleanup', half], rest, cwd);
      expect(failed.out).toContain(
        'Perhaps left, since --fixture-cleanup failed: the live fixture ringing-call.\nEnded: ',
      );
      const cleaned = await command(['clean', '--fixture-cleanup', fixtures.cleanup], rest, cwd);
      expect([cleaned.code, cleaned.out]).toEqual([
        0,
        expect.stringContaining('Ended: the live fixture ringing-call.'),
      ]);
      const end = [`end conference ${conference}`, `end ringing-call ${ringing}`];
      expect(fixtures.log().slice(2)).toEqual(end);
      expect((await command(['clean', '--fixture-cleanup', fixtures.cleanup], rest, cwd)).code).toBe(0);
      expect(fixtures.log().slice(2)).toEqual(end);
    });
  });

  inLongAlone('is cleaned up after Ctrl-C, pressed twice', async () => {
    const forever = { policy: { dialSeconds: 30 }, wait: () => new Promise<void>(() => undefined) };
    let isDialling = false;
    const wrap = (service: Service): Service => {
      return (request) => {
        isDialling ||= request.method === 'POST' && request.target === '/v1/calls/';
        return service(request);
      };
    };
    // A call that is dialled for ever holds the run up: otherwise it might end just before the second press.
    await live({ reference: forever, wrap }, async (target) => {
      const { rest, lines, ringing } = split(target);
      const fixtures = script(lines);
      const words = [BIN, 'run', '--profile', 'full', ...FEW, ...flagsOf(fixtures)];
      const child = spawn(process.execPath, words, { cwd: emptyFolder(), env: { PATH: process.env['PATH'], ...rest } });
      child.stdout.resume();
      child.stderr.resume();
      await until(() => isDialling);
      // Two presses within 300 ms count as one, and a busy machine may hear two at once.
      const pressing = setInterval(() => child.kill('SIGINT'), 500);
      const [code] = await once(child, 'exit').finally(() => clearInterval(pressing));
      expect(code).toBe(130);
      expect(fixtures.log()).toContain(`end ringing-call ${ringing}`);
    });
  });
});
