/** What a bundle says of the settings that the run had, and what of a record has to agree with its rerun. */

import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { catalogueOf, rerunOf } from '../../../src/certificate/rerun-check.ts';
import { certifiedBundle, verifyBundle } from '../../../src/certificate/verify.ts';
import { rerun } from '../../../src/run/rerun.ts';
import { SUITE } from '../../../suites/index.ts';
import {
  allBut,
  bytesOf,
  certification,
  certifying,
  entriesOf,
  NONCE,
  newKeys,
  VERSION,
  verified,
} from './certified.ts';

const NARROW = allBut('listTrunks', 'getTrunk');

const keys = newKeys();
const whole = await certification();
const bundle = makeBundle(whole, keys.own);
const { record } = whole;
const { exchanges } = record;

describe('a bundle', () => {
  test('names the settings that narrowed it or made it easier', async () => {
    const { credentials } = certifying(NONCE);
    const changes = {
      without: NARROW,
      credentials: { access: credentials.access },
      samples: { updateTrunk: { name: 'Trunk' } },
      queries: { listTrunks: 'page=1' },
      voiceUrl: 'https://voice.invalid/answer',
      timeout: 60_000,
      concurrency: 1,
    };
    const made = makeBundle(await certification(NONCE, changes), keys.own);
    const { conditions } = await verified(bytesOf(made), keys.known);
    expect(conditions).toEqual([
      ...NARROW.map((operation) => `without ${operation}`),
      'PCS_OTHER_ORG_ACCESS_TOKEN not set',
      'PCS_REVOKED_ACCESS_TOKEN not set',
      'a voice URL given',
      'a sample body given for updateTrunk',
      'a query given for listTrunks',
      'no two requests at once',
      'responses waited for up to 60 s instead of 10 s',
    ]);
    for (const condition of conditions) expect(made.files.get('certificate.html')).toContain(condition);
  });

  test('is not signed where it could not be verified', async () => {
    const short = await certifiedBundle(await certification(NONCE, { caseHeader: true, without: NARROW }), keys.own);
    expect(short.outcome).toEqual({
      kind: 'incomplete',
      reason: expect.stringContaining('it could not be verified: the target was told'),
    });
    expect([...short.files.keys()]).not.toContain('attestation.json');
    expect([...short.files.keys()]).not.toContain('certificate.html');
    expect((await certifiedBundle(whole, keys.own)).outcome).toEqual(bundle.outcome);
  });

  test('with another nonce than the one that was issued is rejected', async () => {
    const issued = { signer: keys.known, nonce: NONCE.replaceAll('0', '9') };
    await expect(verifyBundle(entriesOf(bytesOf(bundle)), issued, VERSION)).rejects.toThrow('the nonce is 0011');
  });

  test('whose record ended early is rejected in one sentence, however long the reason is', async () => {
    const endedEarly = 'x'.repeat(100_000);
    const particulars = { ...whole, suite: record.header.suite, catalogue: catalogueOf(VERSION) };
    const rejected = expect(rerunOf({ ...record, endedEarly }, particulars)).rejects;
    await rejected.toThrow(/^the run ended early: x.{0,1100}$/);
  });

  test('whose header or gateway fields differ from the rerun is rejected', async () => {
    const again = (changes: object) => expect(rerun({ ...record, ...changes }, SUITE)).rejects;
    const settings = record.header.settings.filter((name) => name !== 'PCS_OTHER_ORG_ACCESS_TOKEN');
    await again({ header: { ...record.header, settings } }).toThrow('"header" of the record');
    const retyped = exchanges.map((one, at) => ({
      ...one,
      request: { ...one.request, headers: [...one.request.headers, ['X-Key', at === 9 ? 'other' : 'key'] as const] },
    }));
    await again({
      exchanges: retyped,
      inputs: { ...record.inputs, gatewayHeaders: ['X-Key'] },
    }).toThrow('the header of request');
  });

  test('whose requests overlap although one waits for the other is rejected', async () => {
    const at = exchanges.findIndex(
      ({ tag }, place) =>
        place > 0 && exchanges[place - 1]?.tag.sequence === tag.sequence && !/at once|at the same time/.test(tag.about),
    );
    const late = exchanges.map((one, place) => (place === at - 1 ? { ...one, took: 1_000 } : one));
    const on = late.map((one, place) => (place > at ? { ...one, at: one.at + 1_000 } : one));
    const made = makeBundle({ ...whole, record: { ...record, exchanges: on } }, keys.own);
    await expect(verified(bytesOf(made), keys.known)).rejects.toThrow('was sent before the one that precedes it');
  });
});
