import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import type { Flags, Variables } from '../../../src/settings/sources.ts';

const ENV: Variables = { PCS_BASE_URL: 'https://api.example.com', PCS_ACCESS_TOKEN: 'svc_org_abc' };

function read(flags: Flags = {}, env: Variables = {}, envFile?: string): void {
  readSettings(flags, { ...ENV, ...env }, envFile, (path) => path === 'there.pem');
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

const AS_IN_BODIES = 'give the id as bodies hold it, such as 550e8400-e29b-41d4-a716-446655440000.';

describe('what is refused, in one sentence', () => {
  test.each<[Flags, Variables, string]>([
    [
      { 'base-url': 'localhost:3000' },
      {},
      '--base-url ("localhost:3000") has no scheme: write http:// or https:// first.',
    ],
    [{ 'base-url': 'ftp://a' }, {}, '--base-url ("ftp://a") has the scheme ftp: use http or https.'],
    [{ 'base-url': 'http://' }, {}, '--base-url ("http://") is no URL: write it as in https://api.example.com.'],
    [
      { 'base-url': 'http://a b' },
      {},
      '--base-url ("http://a b") holds a space or a control character: write it without.',
    ],
    [
      { 'base-url': 'http://u:hunter2@a' },
      {},
      '--base-url holds a user name or password: take it out and set PCS_ACCESS_TOKEN.',
    ],
    [
      { 'base-url': 'http://a/?key=hunter2' },
      {},
      '--base-url has a query or a fragment: give the address up to the path only.',
    ],
    [{ 'base-url': 'http://a/#' }, {}, '--base-url has a query or a fragment: give the address up to the path only.'],
    [{ 'base-url': 'http://a', reference: true }, {}, '--base-url and --reference name two targets: give one of them.'],
    [{}, { PCS_REFERENCE: 'yes' }, 'PCS_BASE_URL and PCS_REFERENCE name two targets: give one of them.'],
    [
      {},
      { PCS_BASE_URL: '' },
      'No target is named: name one with --base-url URL or PCS_BASE_URL, or use --reference for the built-in one.',
    ],
    [{}, { PCS_ACCESS_TOKEN: '' }, 'PCS_ACCESS_TOKEN is not set: set it to an organization credential of the target.'],
    [
      {},
      { PCS_ACCESS_TOKEN: 'Bearer hunter2' },
      'PCS_ACCESS_TOKEN holds a space, a control character or a letter outside ASCII: give the credential alone, without "Bearer".',
    ],
    [
      {},
      { PCS_REVOKED_ACCESS_TOKEN: 'hunter2\n' },
      'PCS_REVOKED_ACCESS_TOKEN holds a space, a control character or a letter outside ASCII: give the credential alone, without "Bearer".',
    ],
    [{}, { PCS_INBOUND_SECRET: 'hunter2\u0007' }, 'PCS_INBOUND_SECRET holds a control character: write it without.'],
    [
      {},
      { PCS_CALL_TO: '5550100' },
      'PCS_CALL_TO ("5550100") is no phone number: write + and 2 to 15 digits, as in +15550100.',
    ],
    [
      {},
      { PCS_CALL_FROM: '+1 555' },
      'PCS_CALL_FROM ("+1 555") is no phone number: write + and 2 to 15 digits, as in +15550100.',
    ],
    [
      {},
      { PCS_CALL_FROM: '+1' },
      'PCS_CALL_FROM ("+1") is no phone number: write + and 2 to 15 digits, as in +15550100.',
    ],
    [
      {},
      { PCS_CALL_TO: '+1234567890123456' },
      'PCS_CALL_TO ("+1234567890123456") is no phone number: write + and 2 to 15 digits, as in +15550100.',
    ],
    [
      {},
      { PCS_RINGING_CALL_ID: 'a/hangup' },
      'PCS_RINGING_CALL_ID ("a/hangup") holds a slash: give the id alone, not a path.',
    ],
    [{}, { PCS_NUMBER_ID: '..' }, 'PCS_NUMBER_ID ("..") is a dot segment: give the id alone.'],
    [{}, { PCS_NUMBER_ID: 'a b' }, 'PCS_NUMBER_ID ("a b") holds a space or a control character: write it without.'],
    [
      {},
      { PCS_NUMBER_ID: 'Not-a-UUID' },
      'PCS_NUMBER_ID ("Not-a-UUID") is what the suite sends for an id that is none: give the id of a resource.',
    ],
    [{}, { PCS_TRUNK_ID: 'my-own' }, `PCS_TRUNK_ID ("my-own") is no UUID: ${AS_IN_BODIES}`],
    [{}, { PCS_VOICE_APPLICATION_ID: '7' }, `PCS_VOICE_APPLICATION_ID ("7") is no UUID: ${AS_IN_BODIES}`],
    [{}, { PCS_CARRIER_CONNECTION_ID: '..' }, `PCS_CARRIER_CONNECTION_ID ("..") is no UUID: ${AS_IN_BODIES}`],
    [
      {},
      { PCS_AVAILABLE_NUMBERS_QUERY: 'a=1#b' },
      'PCS_AVAILABLE_NUMBERS_QUERY ("a=1#b") holds a space, a control character or #: write it without.',
    ],
    [{ seed: 'abc' }, {}, '--seed ("abc") is no whole number: write a whole number from 0 to 2147483647.'],
    [{ seed: '2147483648' }, {}, '--seed ("2147483648") is too large: write a whole number from 0 to 2147483647.'],
    [{ runs: '1e3' }, {}, '--runs ("1e3") is no whole number: write a whole number from 0 to 100000.'],
    [{ runs: '-1' }, {}, '--runs ("-1") is too small: write a whole number from 0 to 100000.'],
    [{ concurrency: '0' }, {}, '--concurrency ("0") is too small: write a whole number from 1 to 64.'],
    [{ concurrency: '65' }, {}, '--concurrency ("65") is too large: write a whole number from 1 to 64.'],
    [{}, { PCS_TIMEOUT: 'ten' }, 'PCS_TIMEOUT ("ten") is no number: write a number from 0.1 to 600.'],
    [{ profile: 'everything' }, {}, '--profile ("everything") is not known: choose one of read-only, full.'],
    [{ only: ' , ' }, {}, '--only (" , ") names nothing: name one or more, with commas between them, or leave it out.'],
    [{ 'report-dir': '' }, {}, '--report-dir ("") is empty: give a value or leave it out.'],
    [{}, { PCS_STRICT: 'maybe' }, 'PCS_STRICT ("maybe") is neither true nor false: write true or false.'],
    [{ ca: 'no.pem' }, {}, '--ca ("no.pem") cannot be read: name a file that exists and is readable.'],
    [
      {},
      { PCS_SAMPLES: 'no.json' },
      'PCS_SAMPLES ("no.json") cannot be read: name a file that exists and is readable.',
    ],
  ])('%j %j', (flags, env, message) => {
    expect(refusal(() => read(flags, env))).toBe(message);
  });

  test('names .env where the value stood there', () => {
    expect(refusal(() => read({}, {}, 'PCS_SEED=x'))).toBe(
      'PCS_SEED in .env ("x") is no whole number: write a whole number from 0 to 2147483647.',
    );
  });
});
