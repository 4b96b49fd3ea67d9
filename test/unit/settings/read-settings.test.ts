import { describe, expect, test } from 'vitest';
import { withReference } from '../../../src/settings/read-settings.ts';
import { read } from './reading.ts';

const uuid = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-');

describe('reading settings', () => {
  test('fills in every default', () => {
    expect(read()).toEqual({
      isReference: false,
      repeated: [],
      baseUrl: 'https://api.example.com',
      credentials: { access: 'svc_org_abc' },
      call: {},
      numbers: null,
      samples: {},
      caseHeader: true,
      resources: {},
      inbound: {},
      queries: {},
      profile: 'read-only',
      without: [],
      strict: false,
      allowShortNumber: false,
      seed: 20250101,
      explore: 60,
      only: [],
      reportDir: 'conformance-report',
      rate: 0,
      maxRequests: 2000,
      maxCalls: 40,
      credentialPause: 0,
      maxWait: 300_000,
      timeout: 10_000,
      callTimeout: 60_000,
      header: [],
      quiet: false,
      json: false,
      warnings: [],
    });
  });

  const uris = ['sip:911@example.com', 'sips:+112@example.com', 'sip:911;phone-context=+1@example.com', 'sip:911'];
  const short = ['tel:911', 'tel:112;phone-context=+44', 'sip:911:secret@example.com', '911@example.com'];
  test.each(['112', '911', '+911', '999', '12-34', '*31#', ...uris, ...short])(
    'keeps %s out, and lets it in where the settings say so',
    (number) => {
      const sentence =
        `PCS_CALL_TO (${JSON.stringify(number)}) is an emergency or short number: ` +
        'set it to a number reserved for testing, or add --allow-short-number.';
      expect(() => read({}, { PCS_CALL_TO: number })).toThrow(sentence);
      expect(read({ 'allow-short-number': true }, { PCS_CALL_TO: number }).call.to).toBe(number);
    },
  );

  test.each([
    '5550100',
    'sip:4711@pbx.example',
    '4711@pbx.example',
    'tel:+15550100',
    'sip:192.0.2.7',
    'sip:test@[::1]:5060;transport=tls',
    'sips:+15550100@example.com',
    'alice',
  ])('keeps %s exactly as the number to call', (number) => {
    expect(read({}, { PCS_CALL_TO: number }).call.to).toBe(number);
  });

  test('prefers a flag to the environment and the environment to .env', () => {
    const file = 'PCS_SEED=1\nPCS_EXPLORE=1\nPCS_RATE=1\n';
    const settings = read({ seed: '3' }, { PCS_SEED: '2', PCS_EXPLORE: '2' }, file);
    expect([settings.seed, settings.explore, settings.rate]).toEqual([3, 2, 1]);
  });

  test.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['HTTP://Api.Example.com:8080/a/b//', 'http://api.example.com:8080/a/b'],
    ['http://[::1]:3000/pcs', 'http://[::1]:3000/pcs'],
  ])('normalises the address %s', (written, baseUrl) => {
    expect(read({ 'base-url': written })).toMatchObject({ isReference: false, baseUrl });
  });

  test.each(['true', '1', 'YES', 'on'])('reads the variable of a switch as true if it is %s', (word) => {
    expect(read({}, { PCS_STRICT: word }).strict).toBe(true);
  });

  test.each(['false', '0', 'No', 'off'])('reads the variable of a switch as false if it is %s', (word) => {
    expect(read({}, { PCS_STRICT: word }).strict).toBe(false);
  });
});

describe('the reference service as the target', () => {
  test('is chosen by a flag although the variables name another target', () => {
    expect(read({ reference: true }, { PCS_TRUNK_ID: 't' })).toMatchObject({
      isReference: true,
      baseUrl: '',
      credentials: { access: '' },
      resources: {},
      profile: 'full',
    });
  });

  test('gives way to a URL from a stronger source', () => {
    const settings = read({ 'base-url': 'http://localhost:1' }, { PCS_REFERENCE: 'true' });
    expect(settings).toMatchObject({ isReference: false, baseUrl: 'http://localhost:1' });
  });

  test('brings its own variables once it is started', () => {
    const settings = withReference(read({ reference: true, seed: '9' }), {
      PCS_BASE_URL: 'http://127.0.0.1:5/',
      PCS_ACCESS_TOKEN: 'ref_org_1',
      PCS_TRUNK_ID: uuid('7'),
    });
    expect(settings).toMatchObject({
      isReference: false,
      baseUrl: 'http://127.0.0.1:5',
      credentials: { access: 'ref_org_1' },
      resources: { trunk: uuid('7') },
      seed: 9,
      profile: 'full',
    });
  });
});

describe('misspelt settings', () => {
  test('are reported with a suggestion, in the environment and in .env', () => {
    const { warnings } = read(
      {},
      { PCS_ACESS_TOKEN: 'x', pcs_trunk_id: 'y', PCS_SOMETHING_ELSE: 'z', PCS_FIXTURE: 'conference', PC: '' },
      'PCS_SEEED=1',
    );
    expect(warnings).toEqual([
      'PCS_ACESS_TOKEN is not a setting; did you mean PCS_ACCESS_TOKEN?',
      'PCS_SEEED is not a setting; did you mean PCS_SEED?',
      'PCS_SOMETHING_ELSE is not a setting',
      'pcs_trunk_id is not a setting; did you mean PCS_TRUNK_ID?',
    ]);
  });

  test.each([
    ['PCS_ACCESS_TOKEN', 'PCS_ACESS_TOKEN', 'PCS_ACCESS_TOKEN is not set: .*'],
    ['PCS_BASE_URL', 'PCS_BASEURL', 'No target is given: .*'],
  ])('stand beside the error that they cause: %s written as %s', (name, misspelt, says) => {
    expect(() => read({}, { [name]: '', [misspelt]: 'https://api.example.com' })).toThrow(
      new RegExp(`^${says}\\nWarning: ${misspelt} is not a setting; did you mean ${name}\\?$`),
    );
  });
});
