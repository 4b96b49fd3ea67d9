/** Statements of a lawful bundle that are simply false: none of them is verified. */

import { expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import type { Certification } from '../../../src/certificate/bundle-files.ts';
import { catalogueOf, rerunOf } from '../../../src/certificate/rerun-check.ts';
import { certifiedBundle, openVerified } from '../../../src/certificate/verify.ts';
import { endOf } from '../../../src/exchange/exchange.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import {
  allBut,
  bytesOf,
  certification,
  certifying,
  entriesOf,
  IMPLEMENTATION,
  NONCE,
  newKeys,
  VERSION,
  verified,
} from './certified.ts';

const keys = newKeys();
const FEW = { without: allBut('listTrunks', 'getTrunk') };
const plain = await certification(NONCE, FEW);
const { record } = plain;
const TIME = '2026-01-31T12:00:00.000Z';
const lasted = Math.max(...record.exchanges.map(endOf));
const run = {
  startedAt: new Date(Date.parse(TIME) - lasted).toISOString(),
  endedAt: TIME,
  host: 'build-7',
  labels: {},
};
const whole: Certification = { ...plain, run };

const having = (changes: Partial<RunRecord>): Certification => ({ ...whole, record: { ...record, ...changes } });
const timed = (changes: Partial<typeof run>, time = TIME): Certification => ({
  ...whole,
  run: { ...run, ...changes },
  time,
});
const error = { sequence: 'record', operation: 'undocumented', asks: [], message: 'all is well' } as const;

test('the true ones are verified', async () => {
  await verified(bytesOf(makeBundle(whole, keys.own)), keys.known);
});

test.each<[string, Certification, string]>([
  [
    'requests that were forgotten',
    having({ forgotten: 99_999_252 }),
    'requests that were forgotten, and there were none',
  ],
  [
    'a month that is none',
    timed({ endedAt: '2026-13-45T99:99:99.999Z' }, '2026-13-45T99:99:99.999Z'),
    'is not a moment',
  ],
  ['a day that is none', timed({ startedAt: '2026-02-30T12:00:00.000Z' }), 'is not a moment'],
  [
    'an end before the beginning',
    timed({ startedAt: '2026-01-31T13:00:00.000Z' }),
    'the run lasted from 2026-01-31T13',
  ],
  ['23 years', timed({ startedAt: '2003-01-31T12:00:00.000Z' }), 'the run lasted from 2003'],
  ['another end than its time', timed({}, '2026-01-31T12:00:01.000Z'), 'the run lasted from'],
  [
    '23 years by its requests',
    having({ exchanges: record.exchanges.map((one) => ({ ...one, at: one.at + 7e11 })) }),
    'for more than a week',
  ],
  [
    'a sample body that was not given',
    having({ inputs: { ...record.inputs, samples: { updateTrunk: { name: 'x' } } } }),
    'do not follow from the nonce',
  ],
  [
    'a query that was not given',
    having({ inputs: { ...record.inputs, queries: { searchAvailableNumbers: 'a=b' } } }),
    'do not follow from the nonce',
  ],
])('those of %s are rejected', async (_, edited, phrase) => {
  await expect(verified(bytesOf(makeBundle(edited, keys.own)), keys.known)).rejects.toThrow(phrase);
});

test('errors of the suite that never were are rejected', async () => {
  const { suite } = record.header;
  const particulars = {
    suite,
    catalogue: catalogueOf(suite.version),
    implementation: IMPLEMENTATION,
    nonce: NONCE,
    time: TIME,
  };
  await expect(rerunOf({ ...record, errors: [error] }, particulars)).rejects.toThrow('names errors of the suite');
  const other = { ...particulars, catalogue: { ...particulars.catalogue, version: '8.8' } };
  await expect(rerunOf(record, other)).rejects.toThrow('the catalogue names version "8.8"');
});

test.each(['$(touch x)`id`', '0.0.0; rm -rf ~', '0.0.0\u001b[2J'])(
  'a version of %j is quoted, and no version is recommended',
  async (version) => {
    const suite = { ...record.header.suite, version };
    const made = makeBundle(having({ header: { ...record.header, suite } }), keys.own);
    const { verification } = await openVerified('bundle', entriesOf(bytesOf(made)), { signers: [keys.known] }, VERSION);
    const problem = 'problem' in verification ? verification.problem : '';
    const quoted = JSON.stringify(version);
    expect(problem.startsWith(`the bundle was made by version ${quoted} of this package, and this is 0.0.0: `)).toBe(
      true,
    );
    expect(problem).not.toMatch(/npx|npm|install/);
    expect(problem).toContain('ask for a new certification');
  },
);

test('that a revoked credential was ever issued is the word of the signer', async () => {
  const { credentials } = certifying(NONCE);
  const { revoked: _, ...without } = credentials;
  const statedOf = async (certified: Certification) => {
    const entries = entriesOf(bytesOf(makeBundle(certified, keys.own)));
    const { verification } = await openVerified('bundle', entries, { signers: [keys.known] }, VERSION);
    return 'stated' in verification ? (verification.stated.claims ?? []) : null;
  };
  // The target rejects a made-up one as it rejects a revoked one.
  const made = await certification(NONCE, { ...FEW, credentials: { ...credentials, revoked: 'pcs_org_NeverIssued' } });
  expect(await statedOf(made)).toEqual(['the revoked credential was valid once']);
  expect(await statedOf(await certification(NONCE, { ...FEW, credentials: without }))).toEqual([]);
});

test('labels in any order are signed and verified', async () => {
  const labels = { zone: '1', build: '2' };
  const made = await certifiedBundle({ ...whole, run: { ...run, labels } }, keys.own);
  expect(made.outcome).toMatchObject({ kind: 'attested', outcome: 'conformant' });
  expect((await verified(bytesOf(made), keys.known)).particulars.run?.labels).toEqual(labels);
});

test('a credential without letters is a condition', async () => {
  const { credentials } = certifying(NONCE);
  const access = 'pcs_org_1234567890123456';
  const digits = await certification(
    NONCE,
    { ...FEW, credentials: { ...credentials, access } },
    (service) => (call) => {
      const swapped = Object.entries(call.headers).map(([name, value]) => [
        name,
        value.replace(access, credentials.access),
      ]);
      return service({ ...call, headers: Object.fromEntries(swapped) });
    },
  );
  const { conditions } = await verified(bytesOf(makeBundle(digits, keys.own)), keys.known);
  expect(conditions).toContain('no form "case-changed" of the credential, which has no such variation');
});

test('where a case is open, the remedy is named', async () => {
  const made = makeBundle(await certification(NONCE, { numbers: null }), keys.own);
  const { reason } = made.outcome;
  expect(reason).toMatch(/; to resolve: .*PCS_CALL_FROM/);
  // Each remedy once. Hanging up needs a call, so it needs the same.
  expect(reason.split('PCS_CALL_FROM')).toHaveLength(2);
  expect(reason).not.toContain('PCS_RINGING_CALL_ID');
});
