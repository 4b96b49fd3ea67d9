import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { type ConsoleOptions, renderConsole } from '../../../src/report/console.ts';
import { MADE, MARK, madeWith } from './made-run.ts';
import { faultyRun, referenceRun } from './real-runs.ts';

const PLAIN: ConsoleOptions = { color: false, detail: 'normal' };
const linesOf = (run = MADE, options = PLAIN): readonly string[] => renderConsole(run, options).trimEnd().split('\n');

/** ERROR-ENVELOPE on every operation, CALL-CREATE-400, and a list with 206. */
const FAILING = OPERATION_IDS.length + 2;

describe('the console', () => {
  test('says on one line what passed', async () => {
    const run = await referenceRun();
    const lines = linesOf(run);
    const { requirements } = run.results;
    expect(lines.length).toBeLessThan(requirements.length / 2);
    const passed = requirements.filter(({ verdict }) => verdict === 'pass').length;
    expect(lines).toContain(`✓ ${passed} of ${requirements.length} requirements passed`);
    expect(lines.join('\n')).not.toContain('…');
    for (const { statement } of requirements) expect(lines.some((line) => line.endsWith(statement))).toBe(false);
  });

  test('ends with the verdict, its cost, and what repeats it', () => {
    const [verdict, cost, rest] = linesOf().slice(-3);
    expect(verdict).toMatch(/^VOID \(profile full without muteParticipant\): the suite itself broke/);
    expect(cost).toBe('http://service.invalid/base: 3 requests, 1 call, 1 may be open');
    const questions = '9 of 12 questions answered; 2 need PCS_RINGING_CALL_ID and PCS_TRUNK_ID; 1 without an answer';
    expect(rest).toBe(`seed 7; ${questions}`);
    const facts = { startedAt: '2026-01-31T12:00:00.123Z', endedAt: '2026-01-31T12:00:04.9Z', host: 'build-7' };
    expect(linesOf({ ...MADE, facts }).at(-1)).toBe(
      `seed 7; 2026-01-31T12:00:00Z to 2026-01-31T12:00:04Z; ${questions}`,
    );
  });

  test('begins with the verdict and the most telling causes, each with its request and its extent', async () => {
    const lines = linesOf(await faultyRun());
    expect(lines.slice(0, 18)).toEqual([
      `NON-CONFORMANT (profile full): ${FAILING} cases fail, with 2 likely causes`,
      '',
      'Likely causes (2)',
      expect.stringMatching(
        `^✗ ERROR-ENVELOPE on updateTrunk and ${FAILING - 3} more operations: Every error response`,
      ),
      '  expected  │ error.code: a string',
      expect.stringMatching(/^ {2}actual {4}│ a number \(the body of the 4\d\d\)$/),
      expect.stringMatching(/^ {2}sent {6}│ whatever was sent, such as /),
      expect.stringMatching(/^ {2}request {3}│ [A-Z]+ \/v1\//),
      expect.stringMatching(/^ {2}response {2}│ status 4\d\d \{"success":false/),
      expect.stringMatching(`^    one cause, ${FAILING - 1} cases; with CALL-CREATE-400; exchange \\d+$`),
      expect.stringMatching(/^✗ LIST-STATUS on listTrunks: /),
      '  expected  │ status 200',
      '  actual    │ status 206',
      '  sent      │ whatever was sent, such as a valid request',
      '  request   │ GET /v1/trunks/',
      '  response  │ status 206',
      expect.stringMatching(/^ {4}1 case; exchange \d+$/),
      '',
    ]);
  });

  test('names each other stimulus of a case in which everything is wrong', async () => {
    const run = await faultyRun();
    const all = run.results.requirements.flatMap(({ cases }) => cases);
    const findings = all.find(({ id }) => id === 'LIST-STATUS/listTrunks')?.findings ?? [];
    const also = linesOf(run).find((line) => /also .* the same to /.test(line)) ?? '';
    expect(also.match(/\(exchange \d+\)/g)).toHaveLength(findings.length - 1);
  });

  test('has its sections in order, the failing cases last', () => {
    const headings = linesOf().filter((line) => /^[A-Z][a-z][^│]*$/.test(line) && !line.includes(MARK));
    expect(headings).toEqual([
      'Likely causes (3)',
      'Calls that may still be open',
      'Changed on the target and not restored',
      'Warnings (1)',
      'Open cases (2)',
      'Flaky: seen, but not when repeated',
      'Calls that may still be open',
      'Failing (2)',
    ]);
  });

  test('says what would resolve open cases, and how many', () => {
    expect(linesOf()).toContain('  remedy    │ set PCS_TRUNK_ID');
    expect(linesOf()).toContain('– 1 case not exercised: PCS_RINGING_CALL_ID is not set');
    expect(linesOf()).toContain('  remedy    │ set PCS_RINGING_CALL_ID');
  });
});

describe('a failing case on the console', () => {
  const block = (run = MADE, id = 'MADE-FAIL/createCall'): readonly string[] => {
    const lines = linesOf(run);
    const start = lines.findIndex((line) => line.includes(`${id} (`));
    return lines.slice(start, lines.indexOf('', start));
  };
  const field = (name: string): string => block().find((line) => line.startsWith(`  ${name} `)) ?? '';

  test('names requirement, level, section and reading', () => {
    expect(block()[0]).toBe('✗ fail MADE-FAIL/createCall (must, section 4)');
    expect(block()[1]).toBe('  The made requirement that ends in fail.');
    expect(field('reading')).toContain('R1: Which operations owe the error envelope? All of them.');
  });

  test.each([
    ['expected', 'status 400'],
    ['actual', 'status 200'],
    ['where', 'the status'],
    ['sent', MARK],
    ['request', 'POST /v1/calls/?q='],
    ['response', '400'],
    ['curl', `curl -sS -i --http1.1 --globoff --path-as-is -X POST -H "Authorization: Bearer \${PCS_ACCESS_TOKEN%?}"`],
    ['also', 'got a hang'],
    ['rerun', '--only MADE-FAIL/createCall --seed 7'],
  ])('has the line %s', (name, text) => {
    expect(field(name)).toContain(text);
  });

  test('is judged again beside the reports of the run', () => {
    const again = block({ ...MADE, folder: "out/it's here/" }).find((line) => line.startsWith('  rerun '));
    expect(again).toContain(String.raw`--report-dir 'out/it'\''s here/rerun'`);
  });

  test('is judged again by the walk that failed', () => {
    const cases = MADE.results.requirements.flatMap((one) => one.cases);
    const example = cases.find(({ id }) => id === 'MADE-FAIL/createCall')?.findings[0]?.example;
    const origin = { seed: 7, path: '3:1', commands: 2 };
    const exchanges = MADE.exchanges.map((one) =>
      one.seq === example ? { ...one, tag: { ...one.tag, origin } } : one,
    );
    const walk = block({ ...MADE, exchanges }).find((line) => line.startsWith('  rerun '));
    expect(walk).toMatch(/ --seed 7 --path 3:1 --report-dir conformance-report\/rerun$/);
  });

  test('repeats the flags of the run in what is pasted, a secret by its variable', () => {
    const repeated = [
      { flag: 'settings', value: 'stage 2.env', in: ['run'] },
      { flag: 'ca', value: 'ca.pem', in: ['run'] },
      { flag: 'header', variable: 'PCS_HEADER', in: ['run'] },
      { flag: 'base-url', value: 'http://recorded.invalid', in: ['judge'] },
    ];
    const lines = block({ ...MADE, repeated });
    const flags = / --settings 'stage 2\.env' --ca ca\.pem --header "\$\{PCS_HEADER:\?is not set\}"$/;
    expect(lines.find((line) => line.startsWith('  rerun '))).toMatch(flags);
    const curl = lines.find((line) => line.startsWith('  curl '));
    expect(curl).toMatch(
      /│ : "\${PCS_ACCESS_TOKEN:\?is not set}"; .*curl -sS -i --http1\.1 --globoff --path-as-is --cacert ca\.pem -X /,
    );
  });

  test('shows the fields that matter, the body, and what leaked', () => {
    const text = block().join('\n');
    expect(text).toContain('│ credential: truncated');
    expect(text).toContain('│ {"to":1}hostile');
    expect(text).toContain('│ Location: hostile');
    expect(text).toContain('│ leaks the inbound-secret (base64) in the body');
    expect(text).not.toContain('│ X-');
  });

  test('includes warnings in a strict run and says why', () => {
    const strict = block(madeWith({ strict: true }), 'MADE-WARNING/getTrunk');
    expect(strict[0]).toBe('! warning MADE-WARNING/getTrunk (should, a failure under --strict, section 4)');
  });
});

describe('what a target says', () => {
  test.each([
    ['plain', PLAIN],
    ['quiet', { ...PLAIN, detail: 'quiet' as const }],
  ])('is never written raw to a %s screen', (_name, options) => {
    const text = renderConsole(MADE, options);
    expect(text).toContain(MARK);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('\\x1b[2J');
  });

  test('adds no line that looks like ours', () => {
    const lines = linesOf(MADE);
    expect(lines.filter((line) => line.startsWith('✗')).map((line) => line.split(' ')[1])).toEqual([
      ...['MADE-FAIL', 'MADE-FAIL', 'fail'],
    ]);
    expect(lines.filter((line) => line.trim() === '# forged')).toEqual([]);
  });
});

describe('colour', () => {
  test('changes only the colours', () => {
    const colored = renderConsole(MADE, { ...PLAIN, color: true });
    expect(stripVTControlCharacters(colored)).toBe(renderConsole(MADE, PLAIN));
    const codes = colored.split('\u001b[').slice(1);
    expect(codes.filter((code) => !/^\d+m/.test(code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(40);
    expect(codes.join('').replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  });
});

describe('quiet', () => {
  test('shows only calls that may be open, changes that were not restored, failing cases, and the verdict', () => {
    const lines = linesOf(MADE, { ...PLAIN, detail: 'quiet' });
    expect(lines[0]).toBe('Calls that may still be open');
    expect(lines[3]).toBe('Changed on the target and not restored');
    expect(lines.indexOf('Failing (2)')).toBeGreaterThan(4);
    expect(lines.filter((line) => line.startsWith('?'))).toEqual([]);
    expect(lines.at(-3)).toMatch(/^VOID/);
  });

  test('shows three lines for a conformant run, behind the participant that stays muted', async () => {
    expect(linesOf(await referenceRun(), { ...PLAIN, detail: 'quiet' }).length).toBe(6);
  });
});
