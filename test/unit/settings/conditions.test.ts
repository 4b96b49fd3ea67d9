/** Nothing that changes what a target is asked, or how it is reached, is silent: it is a condition of the run, or rejected. */

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../../../fixtures/service/certificate.ts';
import { suiteInputOf } from '../../../src/cli/engine.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { knownSettings } from '../../../src/cli/target.ts';
import { sha256 } from '../../../src/exchange/digest.ts';
import { inputsOf, runHeader } from '../../../src/run/options.ts';
import { EXTRA_AUTHORITIES, SURROUNDINGS, type Variables } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { SETTINGS } from '../../../src/settings/table.ts';
import { conditionsOf } from '../../../src/verdict/conditions.ts';
import { stage } from '../cli/stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-conditions-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const tls = selfSigned();
const pem = file('both.pem', `${tls.cert}\n${tls.key}`);
const USUAL = {
  PCS_BASE_URL: 'http://service.invalid',
  PCS_ACCESS_TOKEN: 'acme_org_Token-1',
  PCS_CALL_FROM: '+15550100001',
  PCS_CALL_TO: '+15550100002',
  PCS_PROFILE: 'full',
} as const;
const ID = '11111111-2222-4333-8444-555555555555';

/** Settings that change a conversation, each with another value than the usual one. */
const TOLD: Variables = {
  PCS_OTHER_ORG_ACCESS_TOKEN: 'other_org_Token-1',
  PCS_REVOKED_ACCESS_TOKEN: 'acme_org_Token-0',
  ...{ PCS_TRUNK_CALL_FROM: '+15550100003', PCS_OTHER_ORG_CALL_FROM: '+15550100004' },
  ...{ PCS_RINGING_CALL_ID: 'call-1', PCS_CALL_ID_POINTER: '/data/id' },
  ...{ PCS_VOICE_APPLICATION_ID: ID, PCS_CARRIER_CONNECTION_ID: ID, PCS_TRUNK_ID: ID, PCS_NUMBER_ID: ID },
  ...{ PCS_CARRIER_PROVIDER_ID: ID, PCS_CONFERENCE_ID: ID, PCS_PARTICIPANT_ID: ID },
  ...{ PCS_OTHER_ORG_CARRIER_CONNECTION_ID: ID, PCS_OTHER_ORG_TRUNK_ID: ID, PCS_OTHER_ORG_VOICE_APPLICATION_ID: ID },
  PCS_VOICE_URL: 'https://voice.invalid/answer',
  ...{
    PCS_INBOUND_METHOD: 'digest',
    PCS_INBOUND_USERNAME: 'u',
    PCS_INBOUND_REALM: 'r',
    PCS_INBOUND_SECRET: 'Secret-of-1',
  },
  ...{ PCS_AVAILABLE_NUMBERS_QUERY: 'country=US', PCS_LIST_NUMBERS_QUERY: 'page=1', PCS_LIST_TRUNKS_QUERY: 'page=1' },
  ...{ PCS_PROFILE: 'read-only', PCS_WITHOUT: 'answer', PCS_ONLY: 'LIST-STATUS', PCS_STRICT: 'true', PCS_SEED: '4' },
  ...{ PCS_EXPLORE: '61', PCS_PATH: '3' },
  PCS_SAMPLES: file('samples.json', '{"updateTrunk":{"name":"Trunk"}}'),
  ...{ PCS_RATE: '5', PCS_MAX_REQUESTS: '1900', PCS_MAX_CALLS: '30', PCS_CREDENTIAL_PAUSE: '1', PCS_MAX_WAIT: '299' },
  ...{ PCS_TIMEOUT: '9', PCS_CALL_TIMEOUT: '59' },
  ...{ PCS_CA: file('ca.pem', tls.cert), PCS_CERT: pem, PCS_HEADER: 'X-Gateway-Key: abcdefgh-1' },
  PCS_FIXTURE_COMMAND: './fixture.sh',
  PCS_REFERENCE: 'true',
};

/** Settings that change neither what is asked nor how the target is reached, and why. */
const SILENT = {
  PCS_BASE_URL: 'the target, which every artefact names',
  PCS_ENV_FILE: 'a source of settings',
  PCS_ACCESS_TOKEN: 'always there, and never shown',
  PCS_CALL_FROM: 'in the record; a full run needs it',
  PCS_CALL_TO: 'in the record; a full run needs it',
  PCS_ALLOW_SHORT_NUMBER: 'lets PCS_CALL_TO be short, which is in the record',
  PCS_REQUIRE_COMPLETE: 'demands more of the same conversation',
  PCS_KEY: 'belongs to the client certificate',
  PCS_FIXTURE_CLEANUP: 'runs when the conversation is over',
  PCS_BASELINE: 'changes the exit code alone; certify rejects it',
  PCS_EXPECT: 'changes the exit code alone; certify rejects it',
  PCS_HISTORY: 'shows a trend of earlier runs alone',
  ...{ PCS_REPORT_DIR: 'output', PCS_QUIET: 'output', PCS_JSON: 'output' },
} as const satisfies Variables;

/** The conditions of a run with these variables. */
function conditionsWith(
  variables: Variables,
  nodeFlags: readonly string[] = [],
  cases: Parameters<typeof conditionsOf>[1] = [],
): readonly string[] {
  const env = { ...USUAL, ...variables, ...(variables['PCS_REFERENCE'] && { PCS_BASE_URL: '' }) };
  const settings = knownSettings(readSettings({}, { env, nodeFlags, textOf: () => undefined, canRead: () => true }));
  const { options, version, connection } = suiteInputOf(settings);
  const names = (connection?.headers ?? []).map(([name]) => name);
  return conditionsOf({ header: runHeader(options, version), inputs: inputsOf(options, (text) => text, names) }, cases);
}

const PLAIN = conditionsWith({});

/** The conditions that the variables add. */
const added = (variables: Variables, nodeFlags?: readonly string[]): readonly string[] =>
  conditionsWith(variables, nodeFlags).filter((condition) => !PLAIN.includes(condition));

describe('a setting', () => {
  test.each(SETTINGS.map(({ name }) => name))('%s is a condition unless it cannot change the conversation', (name) => {
    const value = TOLD[name];
    expect([name, (value === undefined) === name in SILENT]).toEqual([name, true]);
    if (value === undefined) return;
    // A walk needs an exploration, and a selection judges none.
    expect(added({ [name]: value })).not.toEqual([]);
  });

  test('with a revoked credential is a condition unless a response shows that it lives', () => {
    const revokedIn = (verdict: 'pass' | 'fail') =>
      conditionsWith(TOLD, [], [{ id: 'AUTH-REVOKED/getTrunk', verdict } as never]).filter((condition) =>
        condition.includes('was ever valid'),
      );
    expect([revokedIn('pass').length, revokedIn('fail')]).toEqual([1, []]);
  });

  test('that a whole run has is named where it is missing', () => {
    const [missing = ''] = PLAIN.filter((condition) => condition.startsWith('not set: '));
    for (const name of ['PCS_REVOKED_ACCESS_TOKEN', 'PCS_INBOUND_METHOD', 'PCS_INBOUND_SECRET'])
      expect(missing).toContain(name);
    expect(added({ PCS_INBOUND_METHOD: 'digest' }).join()).toMatch(
      /not set: .+ PCS_INBOUND_USERNAME, .*set: .+METHOD/s,
    );
    expect(added({ PCS_PROFILE: 'read-only' }).join()).toMatch(/not set: .*PCS_CARRIER_PROVIDER_ID, PCS_TRUNK_ID/);
  });

  test('of certify alone is in the manifest, or a place', async () => {
    const { terminal, out } = stage();
    await runCommandLine(['certify', '--help'], terminal);
    const flags = [...out.join('\n').matchAll(/^ +(--[a-z-]+)/gm)].map(([, flag]) => flag);
    const ofTable = SETTINGS.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`]));
    expect(flags.filter((flag) => !ofTable.includes(`${flag}`)).toSorted()).toEqual([
      ...['--bundle-dir', '--implementation-name', '--implementation-version', '--nonce', '--vendor'],
    ]);
  });

  test('is quoted with its value where that decides what a target is asked', () => {
    expect(added({ PCS_LIST_NUMBERS_QUERY: 'page=1' })).toContain('PCS_LIST_NUMBERS_QUERY=page=1');
    expect(added({ PCS_SAMPLES: TOLD['PCS_SAMPLES'] })).toEqual([
      expect.stringMatching(/^a sample body for updateTrunk \(sha256:[0-9a-f]{64}\)$/),
    ]);
    expect(added({ PCS_HEADER: 'X-Tenant: one' })).toEqual(['the header field X-Tenant added to each request']);
    // Who the target thinks is asking may decide how it answers.
    expect(added({ PCS_HEADER: 'user-agent: Mozilla/5.0' })).toEqual([
      'the header field user-agent in place of that of the suite',
    ]);
    expect(conditionsWith({})[0]).toMatch(/^pcs-conformance \d+\.\d+\.\d+, profile full, seed 20250101$/);
  });
});

describe('the environment', () => {
  test.each(SURROUNDINGS)('%s is a condition', (name) => {
    expect(added({ PCS_BASE_URL: 'https://service.invalid', [name]: pem })).toEqual([`${name}=${pem}`]);
  });

  test('names the proxy by host and port, without its password, unless NO_PROXY exempts the target', () => {
    for (const name of ['HTTP_PROXY', 'http_proxy'])
      expect(added({ [name]: 'http://user:pass@proxy.invalid' })).toEqual(['through the proxy proxy.invalid:80']);
    expect(added({ HTTP_PROXY: 'http://proxy.invalid:3128', NO_PROXY: 'service.invalid' })).toEqual([]);
  });

  test('names further authorities by their digest, not by their place', () => {
    const told = `also trusting the authorities of ${EXTRA_AUTHORITIES} (sha256:${sha256(readFileSync(pem, 'utf8'))})`;
    const secure = { PCS_BASE_URL: 'https://service.invalid' };
    expect(added({ ...secure, [EXTRA_AUTHORITIES]: pem })).toEqual([told]);
    expect(added({ [EXTRA_AUTHORITIES]: pem, HTTP_PROXY: 'https://proxy.invalid' })).toContain(told);
    // Nothing checks a certificate on the way to an http target.
    expect(added({ [EXTRA_AUTHORITIES]: pem, SSL_CERT_FILE: pem, NODE_USE_SYSTEM_CA: '1' })).toEqual([]);
  });

  test('names the flags of Node, and rejects a Node that takes any certificate', () => {
    expect(added({}, ['--import', './shim.mjs'])).toEqual(['Node started with --import ./shim.mjs']);
    expect(() => conditionsWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow('would turn off the verification');
  });

  test('is read nowhere under another name', () => {
    const known: readonly string[] = [
      ...[...SURROUNDINGS, EXTRA_AUTHORITIES, 'NODE_TLS_REJECT_UNAUTHORIZED'],
      ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
      // What a build server shows, and colour.
      ...['GITHUB_STEP_SUMMARY', 'NO_COLOR', 'FORCE_COLOR'],
    ];
    const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'));
    const read = texts.flatMap((text) =>
      [...text.matchAll(/env(?:\[|, )'([A-Za-z_]+)'/g)].map(([, name = '']) => name),
    );
    expect(read).toContain(EXTRA_AUTHORITIES);
    expect(read.filter((name) => !known.includes(name))).toEqual([]);
  });
});
