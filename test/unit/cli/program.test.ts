import { parse } from 'dotenv';
import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runTarget } from '../../../src/cli/commands/run.ts';
import { envLine } from '../../../src/cli/commands/serve.ts';
import { type Commands, runCommandLine } from '../../../src/cli/program.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { STUBS, serveWith, stage, stubReference } from './stage.ts';

const ENV = { PCS_BASE_URL: 'http://localhost:1', PCS_ACCESS_TOKEN: 'svc_org_a' };

type JudgeTarget = Parameters<typeof runTarget>[2];

/** `run` with another way to judge the target. */
const runWith =
  (judgeTarget: JudgeTarget): Commands['run'] =>
  async () =>
  (flags, terminal) =>
    runTarget(flags, terminal, judgeTarget);

async function type(words: string, instead: Partial<Commands> = {}, env: Readonly<Record<string, string>> = ENV) {
  const { terminal, out, err, listeners } = stage(env);
  const stubs = { run: runWith(async () => 0), ...STUBS, ...instead };
  const code = await runCommandLine(words === '' ? [] : words.split(' '), terminal, stubs);
  return { code, out, err, listeners: listeners() };
}

const COMMANDS =
  'run, plan, doctor, clean, judge, report, serve, compare, expect, certify, verify, countersign, keygen, list or explain';

describe('wrong usage exits 2 with one sentence', () => {
  test.each([
    ['', `No command is given: use ${COMMANDS}, or --help.`],
    ['judge', 'The argument FILE is missing: see --help.'],
    ['frobnicate', `Unknown command "frobnicate": use ${COMMANDS}.`],
    ['PCS_ACCESS_TOKEN=hunter2', `Unknown command: use ${COMMANDS}.`],
    ['ruin', 'Unknown command "ruin": did you mean run?'],
    ['hlep', 'Unknown command "hlep": did you mean help?'],
    ['run --sed 1', "Unknown option '--sed': did you mean --seed?"],
    ['run --frobnicate', "Unknown option '--frobnicate': see --help."],
    [
      'run --access-token=hunter2',
      "Unknown option '--access-token': set PCS_ACCESS_TOKEN in the environment or in .env.",
    ],
    ['run --call-to', "Unknown option '--call-to': set PCS_CALL_TO in the environment or in .env."],
    ['run --url here', "Unknown option '--url': did you mean --base-url?"],
    ['run --sed=hunter2', "Unknown option '--sed': see --help."],
    ['run -khunter2', "Unknown option '-k': see --help."],
    ['run --seed', "Option '--seed <N>' argument missing: see --help."],
    ['expect ad last-release', 'Unknown command "ad": did you mean add?'],
    ['expect last-release', 'Unknown command "last-release": use expect add DIR or expect prune DIR.'],
    ['run here', "'run' takes options only: remove the rest."],
    ['explain', 'The argument ID is missing: see --help.'],
    ['run --base-url nowhere', '--base-url ("nowhere") has no scheme: begin with http:// or https://.'],
    ['serve --port 70000', '--port ("70000") is not a port: write a whole number from 0 to 65535.'],
    ['explain PTAH', 'Unknown requirement, case, gap or reading "PTAH": did you mean PATH?'],
    [
      'explain PATH/createCal',
      'Unknown requirement, case, gap or reading "PATH/createCal": did you mean PATH/createCall?',
    ],
    ['explain GAP-OPNE', 'Unknown requirement, case, gap or reading "GAP-OPNE": did you mean GAP-OPEN?'],
    [
      'list --level may',
      "Option '--level <LEVEL>' argument 'may' is invalid. Allowed choices are must, should: see --help.",
    ],
    ['explain NOTHING', 'Unknown requirement, case, gap or reading "NOTHING": see npx pcs-conformance list.'],
  ])('pcs-conformance %s', async (words, sentence) => {
    expect(await type(words)).toEqual({ code: 2, out: [], err: [sentence], listeners: 0 });
  });

  test('pcs-conformance run without a target', async () => {
    expect(await type('run', {}, {})).toEqual({
      code: 2,
      out: [],
      err: [
        'No target is given: set --base-url or PCS_BASE_URL, or use --reference for the built-in reference service.',
      ],
      listeners: 0,
    });
  });

  test('pcs-conformance run with a name that the engine does not know', async () => {
    const conduct = () => Promise.reject(new UsageError('Unknown case "X" in --only', 'name a case of list'));
    expect(await type('run --only X', { run: runWith(conduct) })).toMatchObject({
      code: 2,
      err: ['Unknown case "X" in --only: name a case of list.'],
    });
  });

  test('pcs-conformance serve at a port that is taken', async () => {
    const taken = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
    expect(await type('serve', { serve: serveWith(() => Promise.reject(taken)) })).toMatchObject({
      code: 2,
      err: ['Port 8080 of 127.0.0.1 is taken: give another --port.'],
    });
  });
});

describe('the program', () => {
  test('prints its version or its help, and exits 0', async () => {
    expect(await type('--version')).toEqual({ code: 0, out: [packageJson.version], err: [], listeners: 0 });
    expect(await type('--help')).toMatchObject({ code: 0, err: [] });
    expect(await type('serve --help')).toMatchObject({ code: 0, err: [] });
  });

  test('hides the stack of an internal error and exits 4', async () => {
    const conduct = () => Promise.reject(new Error('the plan has two verdicts.\n    at somewhere'));
    expect(await type('run', { run: runWith(conduct) })).toEqual({
      code: 4,
      out: [],
      err: ['The suite itself broke: the plan has two verdicts.'],
      listeners: 0,
    });
  });

  test.each([0, 1, 2, 3, 4] as const)('exits %i when the run says so', async (verdict) => {
    expect(await type('run', { run: runWith(async () => verdict) })).toMatchObject({ code: verdict, listeners: 0 });
  });

  test('warns about a variable that is probably misspelt, and runs', async () => {
    expect(await type('run', {}, { ...ENV, PCS_SEEED: '1' })).toMatchObject({
      code: 0,
      err: ['Warning: PCS_SEEED is not a setting; did you mean PCS_SEED?'],
    });
  });

  test('lists the requirements in columns, and explains a requirement, also by one of its cases', async () => {
    expect((await type('list')).out).toEqual([
      expect.stringMatching(
        /^CALL-CREATE-STATUS {2}must {4}4 {2}1 operation .* 1 fault {3}A created call is answered 201\.$/,
      ),
      expect.stringMatching(/^PATH {16}should {2}4 {2}1 operation .* 0 faults {2}A created call is answered 201\.$/),
    ]);
    expect((await type('explain CALL-CREATE-STATUS/createCall')).out).toEqual(
      expect.arrayContaining([
        'CALL-CREATE-STATUS/createCall',
        '  level: must',
        '      taken: Yes.',
        '    created-200: Answers 200.',
        '    createCall: a; b; two',
        '  what must follow: A created call is answered 201.',
      ]),
    );
  });

  test('lists the scenarios of an operation in words, also of one level and as JSON', async () => {
    const must = ['createCall', '  A created call is answered 201. (must, CALL-CREATE-STATUS)', '    sent: a; b; two'];
    const should = ['  A created call is answered 201. (should, PATH)', '    sent: any request that shows it'];
    expect((await type('list --scenarios')).out).toEqual([...must, ...should]);
    expect((await type('list --scenarios --level must')).out).toEqual(must);
    const [json = ''] = (await type('list --scenarios --level must --json')).out;
    expect(JSON.parse(json)).toEqual([
      {
        operation: 'createCall',
        requirement: 'CALL-CREATE-STATUS',
        level: 'must',
        expected: 'A created call is answered 201.',
        sent: ['a', 'b', 'two'],
      },
    ]);
  });
});

describe('serving the reference service', () => {
  test('prints lines that a .env can hold, stays until a signal comes and exits 0', async () => {
    const { terminal, out, err, send, listeners } = stage();
    const events: string[] = [];
    const serve = serveWith(async (address) => ({
      ...(await stubReference(address)),
      close: async () => void events.push('closed'),
    }));
    const served = runCommandLine(['serve', '--port', '0'], terminal, { serve });
    await new Promise((resolve) => setImmediate(resolve));
    expect([listeners(), events]).toEqual([3, []]);
    send('SIGTERM', 0);
    expect(await served).toBe(0);
    expect([listeners(), events]).toEqual([0, ['closed']]);
    expect(parse(out.join('\n'))).toEqual({
      PCS_BASE_URL: 'http://127.0.0.1:0',
      PCS_ACCESS_TOKEN: 'ref_org_1',
      PCS_INBOUND_SECRET: 'two words #1',
    });
    expect(err).toEqual(['The reference service listens at http://127.0.0.1:0. Press Ctrl-C to stop it.']);
  });

  test.each(['plain', '+15550100', "it's", 'a "b"', '#1', 'back`tick', 'a=b&c', ''])(
    'writes %j so that it reads back',
    (value) => {
      expect(parse(envLine('NAME', value))).toEqual({ NAME: value });
    },
  );
});
