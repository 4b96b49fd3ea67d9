/** A printed command repeats every flag that changes the conversation, or the results say it. */

import { expect, test } from 'vitest';
import { commandLine, flagWords } from '../../../src/report/command-line.ts';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { readSettings, repeatedFlags } from '../../../src/settings/read-settings.ts';
import { layer } from '../../../src/settings/sources.ts';
import { SETTINGS } from '../../../src/settings/table.ts';

const SECRET = 'X-Gateway-Key: hunter2';

/** A value of each flag of `run` that the results of a run do not hold as the flag has it; `true` for a switch. */
const REPEATED: Readonly<Record<string, string | true>> = {
  ...{ settings: 'stage.env', samples: 'bodies.json', 'allow-short-number': true, rate: '7', 'max-requests': '900' },
  ...{ 'max-calls': '20', 'credential-pause': '1', 'max-wait': '30', timeout: '20', 'call-timeout': '40' },
  ...{ ca: 'ca.pem', cert: 'client.pem', key: 'client-key.pem', header: SECRET },
  ...{ 'fixture-command': 'node fixture.mjs start', 'fixture-cleanup': 'node fixture.mjs end' },
};

/** Flags that the line takes from the results, and those that only say what is written and printed. */
const OTHERS = [
  ...['base-url', 'reference', 'profile', 'without', 'only', 'strict', 'require-complete', 'seed', 'explore', 'path'],
  ...['report-dir', 'quiet', 'json', 'baseline', 'expect', 'history'],
];

const read = (flags: Readonly<Record<string, string | true>>, env: Readonly<Record<string, string>> = {}, file = '') =>
  readSettings(
    { 'base-url': 'http://a.invalid', ...flags },
    { env: { PCS_ACCESS_TOKEN: 'svc_org_abc', ...env }, textOf: () => file, canRead: () => true },
  ).repeated;

test('every flag of a run is one or the other', () => {
  const flags = SETTINGS.flatMap(({ flag, usedBy }) => (flag !== undefined && usedBy.includes('run') ? [flag] : []));
  expect([...Object.keys(REPEATED), ...OTHERS].toSorted()).toEqual(flags.toSorted());
});

test.each(Object.entries(REPEATED))('--%s is repeated as it was given', (flag, value) => {
  const [{ in: _, ...said } = {}] = read({ [flag]: value });
  const expected = value === true ? { flag } : value === SECRET ? { flag, variable: 'PCS_HEADER' } : { flag, value };
  expect(said).toEqual(expected);
});

test('what a variable says is repeated, but for a file that may be gone; what .env says stays', () => {
  expect(read({}, { PCS_RATE: '7', PCS_ENV_FILE: '/tmp/settings.x', PCS_ALLOW_SHORT_NUMBER: 'false' })).toEqual([
    { flag: 'rate', value: '7', in: ['run', 'certify'] },
  ]);
  // With these, a printed run had allowed what its user forbids, or judged the reference service.
  for (const no of ['0', 'no', 'OFF']) expect(read({}, { PCS_ALLOW_SHORT_NUMBER: no, PCS_REFERENCE: no })).toEqual([]);
  expect(read({}, {}, 'PCS_RATE=7\n')).toEqual([]);
  // A command line may hold a credential.
  expect(read({ 'fixture-cleanup': 'end svc_org_abc' })).toEqual([
    { flag: 'fixture-cleanup', variable: 'PCS_FIXTURE_CLEANUP', in: expect.arrayContaining(['clean']) },
  ]);
});

test.each<readonly [string, readonly (readonly [flag: string, key: string, said: string])[]]>([
  ['X-Tenant: acme', [['header', 'value', 'X-Tenant: acme']]],
  [
    'X-Tenant: acme\n X-Region : eu ',
    [
      ['header', 'value', 'X-Tenant: acme'],
      ['header', 'value', 'X-Region: eu'],
    ],
  ],
  ['X-Tenant: acme\nX-Gateway-Key: s3', [['header', 'variable', 'PCS_HEADER']]],
  ['X-Tenant: svc_org_abcdefgh', [['header', 'variable', 'PCS_HEADER']]],
])('a header field is repeated as the curl line shows it, unless one is a secret: %j', (header, says) => {
  const said = read({ header }).map(({ in: _, ...rest }) => rest);
  expect(said).toEqual(says.map(([flag, key, value]) => ({ flag, [key]: value })));
});

test('the proxy of the run is that of a curl line, which would read no HTTP_PROXY in capitals', () => {
  const wordsWith = (env: Readonly<Record<string, string>>) => flagWords(read({}, env), 'curl');
  expect(wordsWith({ HTTP_PROXY: 'proxy.invalid:3128' })).toEqual(['--proxy', 'http://proxy.invalid:3128/']);
  for (const user of ['ann:pass', 'ann', ':pass'])
    expect(wordsWith({ HTTP_PROXY: `http://${user}@proxy.invalid` })).toEqual([
      '--proxy',
      `"\${HTTP_PROXY:?is not set}"`,
    ]);
  expect(wordsWith({ HTTP_PROXY: 'proxy.invalid:3128', NO_PROXY: 'a.invalid' })).toEqual([]);
  expect(commandLine(['run'], read({}, { HTTP_PROXY: 'proxy.invalid:3128' }))).toMatch(/ run$/);
});

test('of judge, no result holds the address and --strict, so a printed line has them', () => {
  const flags = { 'base-url': 'http://a.invalid', strict: true, quiet: true };
  const repeated = repeatedFlags(layer(flags, variablesOnly({})), 'judge');
  expect(commandLine(['judge', 'a.har'], repeated)).toMatch(/ judge a\.har --base-url http:\/\/a\.invalid --strict$/);
  expect(commandLine(['run'], repeated)).toMatch(/ run$/);
  const hidden = layer({ 'base-url': 'http://a.invalid/t/Zk3Qv9Xw7Lm2Rb5Tn8Yc' }, variablesOnly({}));
  expect(repeatedFlags(hidden, 'judge')).toMatchObject([{ variable: 'PCS_BASE_URL' }]);
});

test('the reference service is named as such, since its address is gone', () => {
  const { repeated } = readSettings({ reference: true }, { env: {}, textOf: () => '', canRead: () => true });
  expect(repeated).toEqual([{ flag: 'reference', in: expect.arrayContaining(['run']) }]);
});
