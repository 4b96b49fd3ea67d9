/** Statements of a lawful bundle that are simply false: none of them is verified. */

import { expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import type { Certification } from '../../../src/certificate/bundle-files.ts';
import { catalogueOf, drawOf, seedOf } from '../../../src/certificate/certification.ts';
import { openVerified, rerunOf } from '../../../src/certificate/verify.ts';
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
  signedAnyway,
  VERSION,
  verified,
} from './certified.ts';

const keys = newKeys();
const FEW = { without: allBut('listTrunks', 'getTrunk') };
const whole = await certification(NONCE, FEW);
const { record, time } = whole;

const having = (changes: Partial<RunRecord>): Certification => ({ ...whole, record: { ...record, ...changes } });
const given = (inputs: Partial<RunRecord['inputs']>) => having({ inputs: { ...record.inputs, ...inputs } });

const { suite } = record.header;
const particulars = {
  suite,
  catalogue: catalogueOf(suite.version),
  implementation: IMPLEMENTATION,
  nonce: NONCE,
  time,
};

test('the true ones are verified', async () => {
  await verified(bytesOf(makeBundle(whole, keys.own)), keys.known);
});

test.each<[string, Certification, string]>([
  ['an early end', having({ endedEarly: 'x'.repeat(100_000) }), '/endedEarly'],
  ['a moment that is none', { ...whole, time: '2026-13-45T99:99:99.999Z' }, '/time must match pattern'],
  ['a sample that was not given', given({ samples: { updateTrunk: { name: 'x' } } }), 'do not follow from the nonce'],
  [
    'another seed',
    having({ header: { ...record.header, seed: record.header.seed + 1 } }),
    'do not follow from the nonce',
  ],
  ['another order', given({ drawnOrder: '0'.repeat(64) }), 'do not follow from the nonce'],
  ['a query that was not given', given({ queries: { listTrunks: 'a=b' } }), 'do not follow from the nonce'],
])('those of %s are rejected', async (_, edited, phrase) => {
  await expect(verified(bytesOf(signedAnyway(edited, keys.own)), keys.known)).rejects.toThrow(phrase);
});

test('another version of the catalogue is rejected', async () => {
  const other = { ...particulars, catalogue: { ...particulars.catalogue, version: '8.8' } };
  await expect(rerunOf(record, other)).rejects.toThrow('the catalogue names version "8.8"');
});

test('a record whose target has no address cannot be run again: the bundle is at fault, and not the suite', async () => {
  const header = { ...record.header, target: 'http://[' };
  const drawnOrder = drawOf(particulars, { ...record, header });
  const inputs = { ...record.inputs, drawnOrder };
  const invented = { ...record, header: { ...header, seed: seedOf(drawnOrder) }, inputs };
  await expect(rerunOf(invented, particulars)).rejects.toThrow('the record cannot be run again');
});

test.each(['$(touch x)`id`', '0.0.0; rm -rf ~', '0.0.0\u001b[2J'])(
  'a version of %j is quoted, and no version is recommended',
  async (version) => {
    const suite = { ...record.header.suite, version };
    const made = makeBundle(having({ header: { ...record.header, suite } }), keys.own);
    const { verification } = await openVerified('bundle', entriesOf(bytesOf(made)), { signer: keys.known }, VERSION);
    const problem = 'problem' in verification ? verification.problem : '';
    const quoted = JSON.stringify(version);
    expect(problem).toContain(`the bundle was made by version ${quoted} of this package, and this is 0.0.0: `);
    expect(problem).not.toMatch(/npx|npm|install/);
  },
);

test('a revoked credential is a condition: the target rejects a made-up one as it rejects a revoked one', async () => {
  const { credentials } = certifying(NONCE);
  const { revoked: _, ...without } = credentials;
  const conditionsWith = async (given: Partial<typeof credentials>) =>
    makeBundle(await certification(NONCE, { ...FEW, credentials: { ...without, ...given } }), keys.own).results
      .conditions;
  const condition = 'no response shows that PCS_REVOKED_ACCESS_TOKEN was ever valid';
  expect(await conditionsWith({ revoked: 'pcs_org_NeverIssued' })).toContain(condition);
  expect(await conditionsWith({})).not.toContain(condition);
});

test('a credential without letters is a condition', async () => {
  const { credentials } = certifying(NONCE);
  const access = 'pcs_org_1234567890123456';
  const given = { ...FEW, credentials: { ...credentials, access } };
  const digits = await certification(NONCE, given, (service) => (call) => {
    const swapped = JSON.stringify(call.headers).replaceAll(access, credentials.access);
    return service({ ...call, headers: JSON.parse(swapped) });
  });
  const { results } = await verified(bytesOf(makeBundle(digits, keys.own)), keys.known);
  expect(results.conditions).toContain('no form "case-changed" of the credential, which has no such variation');
});
