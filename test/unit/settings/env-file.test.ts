import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { readLines } from '../../../src/settings/sources.ts';
import type { Settings } from '../../../src/settings/table.ts';

const TARGET = 'PCS_BASE_URL=https://api.example.com\nPCS_ACCESS_TOKEN=acme_org_token\n';

function read(lines: string, env: Readonly<Record<string, string>> = {}): Settings {
  const environment = { env, textOf: (path: string) => (path === '.env' ? TARGET + lines : undefined) };
  return readSettings({}, { ...environment, canRead: () => true });
}

function sentences(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const SECRET = (text: string): string | undefined => read(`PCS_INBOUND_SECRET=${text}\n`).inbound.secret;
const QUOTE_ALL = 'put the whole value in single quotes.';
const [CUT, QUOTES, MARK, ODD, NAME] = [
  'has a # without quotes, which would cut the value: put the whole value in single quotes, or move the comment to a line of its own.',
  'has quotes that do not enclose the value: close them at the end, or use quotes of another kind.',
  'begins or ends with a quotation mark that encloses nothing: remove it, or put the whole value in single quotes.',
  'contains an invisible character: remove it, or put the whole value in single quotes.',
  'contains the name of another variable, which would not be expanded: write the value itself, or put the whole value in single quotes.',
];

describe('a value of .env', () => {
  // As written, and as used.
  test.each([
    ['plain', 'Wq5t', 'Wq5t'],
    ['a # in single quotes', "'Wq5t#Uz81'", 'Wq5t#Uz81'],
    ['a comment after quotes', "'Wq5t' # a comment", 'Wq5t'],
    ['a comment alone', ' # a comment', undefined],
    ['a quote inside', 'Wq"5t', 'Wq"5t'],
    ['other quotes inside quotes', `'"Wq5t"'`, '"Wq5t"'],
    ['a backslash', 'Wq\\5t\\n', 'Wq\\5t\\n'],
    ['a backslash in single quotes', "'Wq\\n5t'", 'Wq\\n5t'],
    ['blanks at the ends, in quotes', "' Wq5t '", ' Wq5t '],
    ['a dollar sign', 'Wq5t$', 'Wq5t$'],
    ['a dollar sign and a letter in single quotes', `'Wq$t \${x}'`, `Wq$t \${x}`],
    ['an invisible character in quotes', "'Wq\u00a05t'", 'Wq\u00a05t'],
    ['nothing in quotes', "''", undefined],
  ])('is used as it was written: %s', (_, written, used) => {
    expect(SECRET(written)).toBe(used);
  });

  test.each([
    ['a # without a blank', 'Wq5t#Uz81LmXo27Rb', CUT],
    ['a # after a blank', 'Wq5t #Uz81', CUT],
    ['what may be a comment or a part', 'Wq5t # Uz81', CUT],
    ['a # behind a quote that is not closed', '"Wq5t#Uz81', QUOTES],
    ['an opening quote', "'Wq5t", QUOTES],
    ['a closing quote', 'Wq5t"', MARK],
    ['its own quote in quotes', '"Wq"5t"', QUOTES],
    ['text behind the quotes', '"Wq5t"Uz81', QUOTES],
    ['two texts in quotes', '"Wq5t" "Uz81"', QUOTES],
    ['a # right behind the quotes', '"Wq5t"#Uz81', QUOTES],
    [
      'an escape in double quotes',
      '"Wq\\n5t"',
      `has \\n or \\r in double quotes, which would become a line end: ${QUOTE_ALL}`,
    ],
    ['a blank at its end', 'Wq5t ', `ends with a blank, which would be dropped: remove it, or ${QUOTE_ALL}`],
    ['typographic quotes', '“Wq5t”', MARK],
    ['a no-break space', 'Wq5t\u00a0Uz81', ODD],
    [
      'a no-break space at its end',
      'Wq5t\u00a0',
      `begins or ends with an invisible character: remove it, or ${QUOTE_ALL}`,
    ],
    ['a zero-width space', 'Wq5t\u200b', ODD],
    ['another variable', '$OTHER', NAME],
    ['another variable in double quotes', `"Wq\${OTHER}"`, NAME],
    ['another variable of Windows', '%OTHER%', NAME],
    ['bytes that are no UTF-8', 'Wq5t\ufffd', 'is not text in UTF-8: save the file as UTF-8.'],
  ])('is an error where it would be altered: %s', (_, written, problem) => {
    const found = sentences(() => SECRET(written));
    expect(found).toEqual([`Line 3 of .env (PCS_INBOUND_SECRET) ${problem}`]);
    expect(found.join()).not.toMatch(/Wq|Uz81|OTHER/);
  });

  test('is an error where a credential would be cut, and where an address keeps the name of a variable', () => {
    const found = sentences(() => read(`PCS_REVOKED_ACCESS_TOKEN=a#b\nPCS_VOICE_URL=https://\${host}/\n`));
    expect(found).toEqual([
      `Line 3 of .env (PCS_REVOKED_ACCESS_TOKEN) ${CUT}`,
      `Line 4 of .env (PCS_VOICE_URL) ${NAME}`,
    ]);
  });

  test('may have a comment or a blank behind it where the setting could not hold them', () => {
    expect(
      read('PCS_SEED=7 # the seed\nPCS_RATE=3 \nPCS_CALL_TO=+15550100 # test\nexport PCS_MAX_CALLS = 2\n'),
    ).toMatchObject({ ...{ seed: 7, rate: 3, maxCalls: 2 }, call: { to: '+15550100' } });
  });

  test('is what a shell expands where it is a command', () => {
    for (const command of [`./start.sh "$PORT" \${KIND} "a b"`, `"./start it.sh" "$PORT" a`]) {
      expect(read(`PCS_FIXTURE_COMMAND=${command}\n`).fixtureCommand).toBe(command);
      expect(read('', { PCS_FIXTURE_COMMAND: command }).fixtureCommand).toBe(command);
    }
  });

  test('may stand twice, but not with two values', () => {
    expect(read('PCS_SEED=7\nPCS_SEED=7\n').seed).toBe(7);
    const problem = 'Line 5 of .env (PCS_SEED) sets another value than line 3: keep one of them.';
    expect(sentences(() => read('PCS_SEED=7\n\nPCS_SEED=8\n'))).toEqual([problem]);
    expect(sentences(() => read('PCS_SEED=7\n\nPCS_SEED=\n'))).toEqual([problem]);
  });

  test('may have several lines in quotes, unless they hold the next setting', () => {
    expect(read('PCS_HEADER="X-A: 1\r\nX-B: 2"\r\n').header).toEqual([
      ['X-A', '1'],
      ['X-B', '2'],
    ]);
    for (const name of ['PCS_INBOUND_REALM', 'OTHER']) {
      expect(sentences(() => read(`${name}="a\nPCS_SEED=7\nb"\n`))).toEqual([
        `Line 3 of .env (${name}) has quotes that are still open where PCS_SEED begins: close them.`,
      ]);
    }
  });

  test('of other tools is theirs', () => {
    const foreign = `A=b#c\nURL=https://\${host}\nKEY="-----BEGIN\nx\n-----END"\nB='x\nA=d\nC=größe\ufffd`;
    expect(read(`${foreign}\nPCS_SEED=7\n`).seed).toBe(7);
  });

  test('is found behind line ends of any system', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const textOf = (path: string) => (path === '.env' ? `PCS_REFERENCE=true${end}PCS_SEED=7${end}` : undefined);
      expect(readSettings({}, { env: {}, textOf, canRead: () => true }).seed).toBe(7);
    }
  });
});

describe('a line of .env that is not NAME=value', () => {
  test.each([
    ['of a batch file', 'set PCS_TRUNK_ID=Wq5t'],
    ['of PowerShell', '$env:PCS_TRUNK_ID="Wq5t"'],
    ['of YAML', 'PCS_TRUNK_ID: Wq5t'],
    ['with a blank', 'PCS_TRUNK_ID Wq5t'],
    ['with the equals sign below', 'PCS_TRUNK_ID\n=Wq5t'],
  ])('is an error that names its setting: %s', (_, line) => {
    expect(sentences(() => read(`${line}\n`))[0]).toBe(
      'Line 3 of .env (PCS_TRUNK_ID) is not NAME=value: write it as PCS_TRUNK_ID=value.',
    );
  });

  test('is an error that shows nothing of it where it names no setting, in lines of any system', () => {
    const lines = ['# a comment', '', 'secret PCS_SECRETWORD', 'OTHER="two', 'lines"', '=1', 'PCS_TRUNK_ID='];
    for (const end of ['\n', '\r\n', '\r']) {
      expect(sentences(() => read(lines.join(end)))).toEqual([
        'Line 5 of .env is not NAME=value: correct or remove it.',
        'Line 8 of .env is not NAME=value: correct or remove it.',
      ]);
    }
  });

  test('is shown beside every other error of the settings', () => {
    const textOf = (path: string) =>
      path === '.env' ? 'set PCS_BASE_URL=https://x.example\nPCS_SEED=x\nPCS_RATE=y\n' : undefined;
    expect(sentences(() => readSettings({}, { env: {}, textOf, canRead: () => true }))).toEqual([
      'Line 1 of .env (PCS_BASE_URL) is not NAME=value: write it as PCS_BASE_URL=value.',
      'PCS_RATE in .env ("y") is not a number: write a number from 0 to 10000.',
      'PCS_SEED in .env ("x") is not a whole number: write a whole number from 0 to 2147483647.',
      'No target is given: set --base-url or PCS_BASE_URL, or use --reference for the built-in reference service.',
    ]);
  });
});

describe('a value of the environment', () => {
  test.each([`\${TOKEN}`, '$TOKEN', '$(TOKEN)', '%TOKEN%'])('is an error where nothing has expanded it: %s', (text) => {
    expect(sentences(() => read('', { PCS_INBOUND_SECRET: text }))).toEqual([
      'PCS_INBOUND_SECRET contains the name of another variable, which nothing has expanded: write the value itself.',
    ]);
  });

  test.each(['Wq#5t', 'Wq$t', '"Wq5t"', 'Wq5t ', '50%'])('is used as it is otherwise: %s', (text) => {
    expect(read('', { PCS_INBOUND_SECRET: text }).inbound.secret).toBe(text);
  });

  test('may have a name on each line where it is a list', () => {
    expect(read('', { PCS_ONLY: 'AUTH-SCHEME\nPATH-SERVED/getTrunk\n' }).only).toEqual([
      'AUTH-SCHEME',
      'PATH-SERVED/getTrunk',
    ]);
  });
});

test('the lines that a command prints are read as strictly', () => {
  expect(readLines('PCS_CONFERENCE_ID=7\r\n', 'the output')).toEqual({ PCS_CONFERENCE_ID: '7' });
  expect(sentences(() => readLines('ringing\nPCS_CONFERENCE_ID=a#b\n', 'the output'))).toEqual([
    'Line 1 of the output is not NAME=value: correct or remove it.',
    `Line 2 of the output (PCS_CONFERENCE_ID) ${CUT}`,
  ]);
});
