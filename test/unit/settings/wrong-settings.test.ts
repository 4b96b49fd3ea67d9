import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/contract/usage-error.ts';
import type { Variables } from '../../../src/settings/environment.ts';
import type { Flags } from '../../../src/settings/sources.ts';
import { read } from './reading.ts';

function rejection(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing was rejected';
}

const AS_IN_BODIES =
  'give an id such as 550e8400-e29b-41d4-a716-446655440000, as response bodies show it, or leave it out where the target has none.';

/** Variables by their names, and flags by theirs. */
type Given = Readonly<Record<string, string | boolean>>;

function reject(given: Given): string {
  const isVariable = ([name]: readonly [string, unknown]): boolean => /^(PCS|NODE)_/.test(name);
  const [env, flags] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(given).filter((entry) => isVariable(entry) === wanted)),
  );
  return rejection(() => read(flags as Flags, env as Variables));
}

const NOT_A_TOKEN =
  'contains a space, a line end, a control character or a non-ASCII letter: give the credential alone';
const NOT_A_NUMBER = 'is not a phone number or a SIP URI: write it as in +15550100';
const OTHER_TARGET = 'contains "to" or "from" before a colon or an equals sign: use another number or SIP URI.';
const NO_POINTER = 'is neither a JSON Pointer nor a header field: write it as in /data/call/id or header:Resource-ID.';
const CALLS = { PCS_CALL_FROM: '+15550100', PCS_CALL_TO: '+15550101' };
const UUID = '550e8400-e29b-41d4-a716-446655440000';
const NEVER_ISSUED =
  'PCS_REVOKED_ACCESS_TOKEN does not begin as PCS_ACCESS_TOKEN does (svc_org_), so the target never issued it';
const NO_QUOTES = 'is written in quotes: remove them';

describe('a wrong setting is rejected in one sentence', () => {
  test.each<[Given, string]>([
    [{ 'base-url': 'http://u:hunter2@a' }, '--base-url contains a user name or password: remove it'],
    [{ 'base-url': 'http://hunter2@a' }, '--base-url contains a user name or password: remove it'],
    [{ 'base-url': 'http://:hunter2@a' }, '--base-url contains a user name or password: remove it'],
    [{ 'base-url': 'http://a/?key=hunter2' }, '--base-url has a query or a fragment: end the address with its path'],
    [{ 'base-url': 'http://a/#' }, '--base-url has a query or a fragment: end the address with its path'],
    [{ 'base-url': 'http://a', reference: true }, '--base-url and --reference name two targets: use only one'],
    [{ PCS_REFERENCE: 'yes' }, 'PCS_BASE_URL and PCS_REFERENCE name two targets: use only one'],
    [
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would turn off the verification of certificates, which this command never does: unset it, and name the authority of the target with --ca',
    ],
    [{ PCS_BASE_URL: '' }, 'No target is given: set --base-url or PCS_BASE_URL, or use --reference'],
    [{ PCS_ACCESS_TOKEN: '' }, 'PCS_ACCESS_TOKEN is not set: set it to a valid organization credential'],
    [{ PCS_ACCESS_TOKEN: 'Bearer hunter2' }, `PCS_ACCESS_TOKEN ${NOT_A_TOKEN}`],
    [{ PCS_REVOKED_ACCESS_TOKEN: 'hunter2\n' }, `PCS_REVOKED_ACCESS_TOKEN ${NOT_A_TOKEN}`],
    [{ PCS_INBOUND_SECRET: 'hunter2\u0007' }, 'PCS_INBOUND_SECRET contains a control character: remove it'],
    [{ PCS_CALL_TO: '555 0100' }, `PCS_CALL_TO ("555 0100") ${NOT_A_NUMBER}`],
    [{ PCS_CALL_TO: 'sip:a@b.example?c="d"' }, `PCS_CALL_TO ("sip:a@b.example?c=\\"d\\"") ${NOT_A_NUMBER}`],
    [{ PCS_CALL_TO: 'sip:a%20b@example.com' }, `PCS_CALL_TO ("sip:a%20b@example.com") ${NOT_A_NUMBER}`],
    [{ PCS_CALL_TO: '\u0665' }, `PCS_CALL_TO ("\u0665") ${NOT_A_NUMBER}`],
    [{ PCS_OTHER_ORG_ACCESS_TOKEN: '"hunter2"' }, `PCS_OTHER_ORG_ACCESS_TOKEN ${NO_QUOTES}`],
    [{ PCS_OTHER_ORG_ACCESS_TOKEN: "'hunter2'" }, `PCS_OTHER_ORG_ACCESS_TOKEN ${NO_QUOTES}`],
    [
      { PCS_OTHER_ORG_ACCESS_TOKEN: '<hunter2>' },
      'PCS_OTHER_ORG_ACCESS_TOKEN is written in angle brackets: remove them',
    ],
    [{ PCS_OTHER_ORG_ACCESS_TOKEN: 'svc_org_abc' }, 'PCS_OTHER_ORG_ACCESS_TOKEN is the same as PCS_ACCESS_TOKEN'],
    [
      { PCS_OTHER_ORG_ACCESS_TOKEN: 'svc_org_b', PCS_REVOKED_ACCESS_TOKEN: 'svc_org_b' },
      'PCS_REVOKED_ACCESS_TOKEN is the same as PCS_OTHER_ORG_ACCESS_TOKEN: set it to a revoked credential',
    ],
    [
      { PCS_CARRIER_CONNECTION_ID: UUID, PCS_OTHER_ORG_CARRIER_CONNECTION_ID: UUID },
      'PCS_OTHER_ORG_CARRIER_CONNECTION_ID is the same as PCS_CARRIER_CONNECTION_ID: set it to a carrier connection of',
    ],
    [
      { PCS_VOICE_APPLICATION_ID: UUID, PCS_OTHER_ORG_VOICE_APPLICATION_ID: UUID },
      'PCS_OTHER_ORG_VOICE_APPLICATION_ID is the same as PCS_VOICE_APPLICATION_ID',
    ],
    [{ PCS_REVOKED_ACCESS_TOKEN: 'xyz' }, NEVER_ISSUED],
    [{ PCS_REVOKED_ACCESS_TOKEN: 'svc_org_' }, NEVER_ISSUED],
    [{ PCS_REVOKED_ACCESS_TOKEN: 'xyz_org_b' }, NEVER_ISSUED],
    [{ PCS_CONFERENCE_ID: 'a?b' }, 'PCS_CONFERENCE_ID ("a?b") contains ? or #: give the id alone'],
    [{ PCS_RINGING_CALL_ID: 'a\\b' }, 'PCS_RINGING_CALL_ID ("a\\\\b") contains a slash: give the id alone'],
    [{ PCS_CONFERENCE_ID: '#a' }, 'PCS_CONFERENCE_ID ("#a") contains ? or #: give the id alone'],
  ])('%j', (given, sentence) => {
    expect(reject(given).slice(0, sentence.length)).toBe(sentence);
  });

  test.each([
    ['base-url', 'localhost:3000', 'has no scheme: begin with http:// or https://.'],
    ['base-url', 'ftp://a', 'has the scheme ftp: use http or https.'],
    ['base-url', 'http://', 'is not a URL: write it as in https://api.example.com.'],
    ['base-url', 'http://a b', 'contains a space or a control character: remove it.'],
    ['PCS_CALL_TO', 'sip:test@example.com;to=911', OTHER_TARGET],
    ['PCS_CALL_ID_POINTER', 'data.call.id', NO_POINTER],
    ...['example.com/voice', 'ftp://example.com', 'https://', 'https://example.com/a b'].map(
      (url): [string, string, string] => [
        'PCS_VOICE_URL',
        url,
        'is not a URL: write it as in https://example.com/voice.',
      ],
    ),
    ['PCS_CALL_FROM', '+1 555', 'is not a phone number: write + and 2 to 15 digits, as in +15550100.'],
    ['PCS_CALL_TO', '+1234567890123456', 'is not a phone number: write + and 2 to 15 digits, as in +15550100.'],
    ['PCS_RINGING_CALL_ID', 'a/hangup', 'contains a slash: give the id alone, not a path.'],
    ...['%2E.', '...', '..;x', 'x%2F..%2Fy', '%u002e'].map((id): [string, string, string] => [
      'PCS_NUMBER_ID',
      id,
      'is a dot segment to some servers: give the id alone.',
    ]),
    // The suite itself broke over it (exit 4), after a full run had placed 11 calls.
    ['PCS_NUMBER_ID', 'grüße', 'is not in ASCII: write it percent-encoded, ü as %C3%BC.'],
    ['PCS_AVAILABLE_NUMBERS_QUERY', 'city=Zürich', 'is not in ASCII: write it percent-encoded, ü as %C3%BC.'],
    ['PCS_NUMBER_ID', 'a b', 'contains a space or a control character: remove it.'],
    ['PCS_NUMBER_ID', 'XyZ', 'is what the suite sends as a malformed id: give the id of a resource.'],
    ['PCS_OTHER_ORG_VOICE_APPLICATION_ID', '7', `is not a UUID: ${AS_IN_BODIES}`],
    ['PCS_OTHER_ORG_CARRIER_CONNECTION_ID', '..', `is not a UUID: ${AS_IN_BODIES}`],
    ['PCS_AVAILABLE_NUMBERS_QUERY', 'a=1#b', 'contains a space, a control character or #: remove it.'],
    ['seed', 'abc', 'is not a whole number: write a whole number from 0 to 2147483647.'],
    ['seed', '2147483648', 'is too large: write a whole number from 0 to 2147483647.'],
    ['explore', '1e3', 'is not a whole number: write a whole number from 0 to 5000.'],
    ['explore', '5001', 'is too large: write a whole number from 0 to 5000.'],
    ['max-calls', '1e3', 'is not a whole number: write a whole number from 0 to 1000.'],
    ['max-calls', '-1', 'is too small: write a whole number from 0 to 1000.'],
    ['PCS_TIMEOUT', 'ten', 'is not a number: write a number from 0.1 to 600.'],
    ['profile', 'everything', 'is unknown: use read-only or full.'],
    ['only', ' , ', 'names nothing: give one or more names, separated by commas, or leave it out.'],
    ['report-dir', '', 'is empty: give a value or leave it out.'],
    ['PCS_STRICT', 'maybe', 'is neither true nor false: write true or false.'],
    ['ca', 'no.pem', 'cannot be read: name a file that exists and is readable.'],
    ['PCS_SAMPLES', 'no.json', 'cannot be read: name a file that exists and is readable.'],
  ])('that quotes what is wrong: %s as %j', (name, value, problem) => {
    expect(reject({ [name]: value })).toBe(`${name.startsWith('PCS_') ? name : `--${name}`} ("${value}") ${problem}`);
  });

  test.each<[Given, string]>([
    [{ PCS_INBOUND_SECRET: 'application/json' }, 'PCS_INBOUND_SECRET is "application/json", a word of the interface'],
    [{ PCS_INBOUND_SECRET: 'Trunks' }, 'PCS_INBOUND_SECRET is "Trunks", a word of the interface'],
    [{ ...CALLS, PCS_INBOUND_SECRET: '+15550100' }, 'PCS_INBOUND_SECRET is the same as PCS_CALL_FROM'],
    [{ ...CALLS, PCS_INBOUND_SECRET: '15550101' }, 'PCS_INBOUND_SECRET is a part of PCS_CALL_TO'],
    [{ PCS_INBOUND_SECRET: '550e8400', PCS_TRUNK_ID: UUID }, 'PCS_INBOUND_SECRET is a part of PCS_TRUNK_ID'],
    [
      { PCS_INBOUND_SECRET: 'u-1', PCS_INBOUND_USERNAME: 'u-1' },
      'PCS_INBOUND_SECRET is the same as PCS_INBOUND_USERNAME',
    ],
    [{ PCS_REVOKED_ACCESS_TOKEN: 'svc_org_xxxxxxxx' }, 'PCS_REVOKED_ACCESS_TOKEN has one character 8 times in a row'],
    [{ PCS_INBOUND_SECRET: 'a-00000000' }, 'PCS_INBOUND_SECRET has one character 8 times in a row'],
    [{ header: 'X-Key: voice-applications' }, '--header X-Key is "voice-applications", a word of the interface'],
  ])('that declares secret what any response may hold: %j', (given, problem) => {
    const remedy = 'which any response may hold: give a secret that is used for nothing else.';
    expect(reject(given)).toBe(`${problem}, ${remedy}`);
  });

  test('that names .env if the value is from there', () => {
    expect(rejection(() => read({}, {}, 'PCS_SEED=x'))).toBe(
      'PCS_SEED in .env ("x") is not a whole number: write a whole number from 0 to 2147483647.',
    );
  });

  test('that names --settings if that file cannot be read, whichever way it was named', () => {
    const problem = '("no.env") cannot be read: name a file that exists and is readable.';
    expect(rejection(() => read({ settings: 'no.env' }))).toBe(`--settings ${problem}`);
    expect(rejection(() => read({}, { PCS_ENV_FILE: 'no.env' }))).toBe(`PCS_ENV_FILE ${problem}`);
  });
});

const KEY = '-----BEGIN PRIVATE KEY-----\nhunter2canary0123456789hunter2ca\n-----END PRIVATE KEY-----';

describe('what may be a secret is not quoted, wherever it was put', () => {
  test.each<Given>([
    { 'base-url': 'ftp://api.example.com/hunter2canary0123' },
    { 'base-url': 'http://a/?key=hunter2' },
    { PCS_VOICE_URL: 'hooks.example.com/hunter2canary0123' },
    { PCS_OTHER_ORG_VOICE_APPLICATION_ID: 'svc_org_hunter2' },
    { PCS_CALL_TO: 'svc_org_"hunter2"' },
    { profile: 'svc_org_hunter2' },
    { PCS_AVAILABLE_NUMBERS_QUERY: 'api_key=hunter2#' },
    { 'fixture-command': 'ring --password hunter2\u0007' },
    { cert: KEY },
    { ca: 'aHVudGVyMmNhbmFyeTAxMjM0NTY3ODlodW50ZXIyY2E=' },
    { header: 'X-Key hunter2' },
    { header: 'Authorization: Bearer hunter2' },
  ])('%j', (given) => {
    expect(reject(given)).not.toMatch(/^nothing was rejected$|hunter2|aHVudGVy/);
  });

  test('nor the password of a proxy', () => {
    const sentence = rejection(() => read({}, { HTTPS_PROXY: 'http://user:hunter2@:port' }));
    expect(sentence).not.toMatch(/^nothing was rejected$|hunter2/);
  });
});

describe('what is unusual and lawful is accepted', () => {
  test.each<Variables>([
    { PCS_ACCESS_TOKEN: `svc_org_a"b'c<d>e\\f` },
    { PCS_ACCESS_TOKEN: '"' },
    { PCS_ACCESS_TOKEN: '<svc_org_a' },
    { PCS_ACCESS_TOKEN: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln+/==' },
    { PCS_OTHER_ORG_ACCESS_TOKEN: 'svc_org_ABC' },
    { PCS_INBOUND_SECRET: 'not_found' },
    { PCS_INBOUND_SECRET: '55', PCS_NUMBER_ID: '+15550100' },
    ...['main-line', '+15550100', '7', 'sip:a@b;c=d', 'a%2Fb', 'a..b', 'a.b~c', 'gr%C3%BC%C3%9Fe'].map((id) => ({
      PCS_NUMBER_ID: id,
    })),
  ])('%j', (env) => expect(() => read({}, env)).not.toThrow());
});
