/** What a bundle says of the settings that the run had, and what of a record has to agree with its rerun. */

import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { certifiedBundle, verifyBundle } from '../../../src/certificate/verify.ts';
import { RUN_DEFAULTS } from '../../../src/contract/settings.ts';
import { sha256 } from '../../../src/exchange/digest.ts';
import { rerun } from '../../../src/run/rerun.ts';
import { SUITE } from '../../../suites/index.ts';
import { textOf } from '../report-html/pages.ts';
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
const whole = await certification(NONCE, { without: NARROW });
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
      rate: 5,
    };
    const made = makeBundle(await certification(NONCE, changes), keys.own);
    const { conditions } = (await verified(bytesOf(made), keys.known)).results;
    expect(conditions).toEqual([
      expect.stringMatching(/^pcs-conformance .+, profile full, seed \d+$/),
      `at most 2,000 requests and ${RUN_DEFAULTS.maxCalls} calls`,
      ...NARROW.map((operation) => `without ${operation}`),
      'not set: PCS_OTHER_ORG_ACCESS_TOKEN, PCS_REVOKED_ACCESS_TOKEN',
      'the voice URL https://voice.invalid/answer',
      `a sample body for updateTrunk (sha256:${sha256('{"name":"Trunk"}')})`,
      'PCS_LIST_TRUNKS_QUERY=page=1',
      'at most 5 requests a second, spaced out unless a question needs simultaneous requests',
      'left out because of that rate: listTrunks/6 reads at once',
      'waiting for a response: 60 s instead of 10 s',
      expect.stringMatching(/^set: PCS_ACCESS_TOKEN, PCS_CALL_FROM, .*PCS_VOICE_APPLICATION_ID.*PCS_INBOUND_REALM/),
    ]);
    const page = textOf(parse(made.files.get('certificate.html') ?? ''));
    for (const condition of conditions) expect(page).toContain(condition);
  });

  test('is not signed where it could not be verified', async () => {
    const short = await certifiedBundle(await certification(NONCE, { caseHeader: true, without: NARROW }), keys.own);
    expect(short.outcome).toEqual({
      kind: 'incomplete',
      reason: expect.stringContaining(
        'it could not be verified: record.json does not match its schema: /inputs/caseHeader',
      ),
    });
    expect([...short.files.keys()]).not.toContain('attestation.json');
    expect([...short.files.keys()]).not.toContain('certificate.html');
    expect((await certifiedBundle(whole, keys.own)).outcome).toEqual(bundle.outcome);
    const ended = await certifiedBundle(await certification(NONCE, { maxRequests: 9, without: NARROW }), keys.own);
    expect(ended.outcome).toEqual({
      kind: 'incomplete',
      reason: expect.stringMatching(/^(?!it could not).*--max-requests/),
    });
  });

  test('with another nonce than the one that was issued is rejected', async () => {
    const issued = { signer: keys.known, nonce: NONCE.replaceAll('0', '9') };
    await expect(verifyBundle(entriesOf(bytesOf(bundle)), issued, VERSION)).rejects.toThrow('the nonce is 0011');
  });

  test('whose header or gateway fields differ from the rerun is rejected', async () => {
    const again = (changes: object) => expect(rerun({ ...record, ...changes }, SUITE)).rejects;
    const settings = record.header.settings.filter((name) => name !== 'PCS_OTHER_ORG_ACCESS_TOKEN');
    await again({ header: { ...record.header, settings } }).toThrow('"header" of the record');
    const retyped = exchanges.map((one, at) => ({
      ...one,
      request: { ...one.request, headers: [...one.request.headers, ['X-Key', at === 9 ? 'other' : 'key'] as const] },
    }));
    await again({ exchanges: retyped, inputs: { ...record.inputs, gatewayHeaders: ['X-Key'] } }).toThrow(
      'the header of request',
    );
  });
});
