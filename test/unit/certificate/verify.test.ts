import { describe, expect, test } from 'vitest';
import { type Bundle, makeBundle } from '../../../src/certificate/bundle.ts';
import type { SkipCause } from '../../../src/contract/skipped.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { sampled } from '../../sampled.ts';
import { allBut, bytesOf, certification, NONCE, newKeys, signedAnyway, verified } from './certified.ts';

const keys = newKeys();
const whole = await certification();
/** Of three operations, which is enough for what is not about the whole. */
const FEW = { without: allBut('listTrunks', 'getTrunk', 'updateTrunk') };
const narrow = await certification(NONCE, FEW);
const bundle = makeBundle(whole, keys.own);
const verdictOf = ({ requirements }: Results, id: string) => requirements.find((one) => one.id === id)?.verdict;

describe('a bundle of the reference', () => {
  test('is verified with the public key', async () => {
    const result = await verified(bytesOf(bundle), keys.known);
    expect(result).toMatchObject({
      outcome: { kind: 'attested', outcome: 'conformant' },
      particulars: { implementation: { name: 'Reference', version: '1.2.3', vendor: 'Example Communications' } },
    });
    expect(result.results.counts.requests).toBe(bundle.results.counts.requests);
  });

  test('holds no secret', async () => {
    const { createReference } = await import('../../../fixtures/service/reference.ts');
    const { settings } = createReference();
    const whole = [...bundle.files.values()].join('');
    for (const secret of [
      settings.PCS_ACCESS_TOKEN,
      settings.PCS_OTHER_ORG_ACCESS_TOKEN,
      settings.PCS_INBOUND_SECRET,
    ]) {
      expect(whole).not.toContain(secret);
    }
    expect(bundle.files.get('record.json')).toContain('PCS_TRUNK_ID');
  });
});

describe('verification', () => {
  test('rejects another key, another version and an unlisted file', async () => {
    const bytes = bytesOf(bundle);
    await expect(verified(bytes, newKeys().known)).rejects.toThrow('is signed with the key');
    await expect(verified(bytes, keys.known, '9.9.9')).rejects.toThrow(
      'made by version "0.0.0" of this package, and this is 9.9.9',
    );
    const more = new Map([...bytes, ['notes.txt', Buffer.from('trust me')]]);
    await expect(verified(more, keys.known)).rejects.toThrow('the file "notes.txt" is not listed');
  });

  test('rejects one whose line ends were changed, and says so', async () => {
    const ended = [...bundle.files].map(([name, text]) => [name, Buffer.from(text.replaceAll('\n', '\r\n'))] as const);
    await expect(verified(new Map(ended), keys.known)).rejects.toThrow('core.autocrlf');
  });

  test('rejects a bundle that lacks any of its files', async () => {
    for (const name of bundle.files.keys()) {
      const less = new Map([...bytesOf(bundle)].filter(([one]) => one !== name));
      await expect(verified(less, keys.known)).rejects.toThrow(/missing|digest/);
    }
  });
});

describe('a certification', () => {
  test('with an inconclusive case is not signed, and names the case and its remedy', async () => {
    const made = makeBundle(
      await certification(undefined, { numbers: null, without: allBut('createCall', 'hangUpCall') }),
      keys.own,
    );
    expect(made.outcome.kind).toBe('incomplete');
    expect(made.outcome.reason).toMatch(/createCall.*; to resolve: .*PCS_CALL_FROM/);
    // Each remedy once: hanging up needs a call, so it needs the same.
    expect(made.outcome.reason.split('PCS_CALL_FROM')).toHaveLength(2);
    expect(made.outcome.reason).not.toContain('PCS_RINGING_CALL_ID');
    expect(made.files.has('attestation.json')).toBe(false);
    await expect(verified(bytesOf(made), keys.known)).rejects.toThrow('attestation.json is missing');
  });

  test('without some operations names them in the certificate', async () => {
    const made = makeBundle(narrow, keys.own);
    expect((await verified(bytesOf(made), keys.known)).results.without).toEqual(FEW.without);
    expect(made.files.get('certificate.html')).toContain('full without createCall');
  });

  const others = sampled<readonly [string, Partial<RunOptions>, string]>(
    [
      ['filtered', { only: ['LIST-STATUS'] }, '/header/only'],
      ['read-only', { profile: 'read-only' }, '/header/profile|does not match its schema'],
      ['with another seed', { seed: 1 }, 'do not follow from the nonce'],
      ['that explored more', { explore: 80 }, '/header/explore'],
      ['with fewer calls', { maxCalls: 39 }, '/inputs/maxCalls'],
      ['with less waiting', { maxWait: 299_999 }, '/inputs/maxWait'],
      ['that tells the target the case', { caseHeader: true }, '/inputs/caseHeader'],
    ],
    3,
  );

  test.each(others.items)(`%s is rejected (${others.words})`, async (_, changes, phrase) => {
    const made = makeBundle(await certification(undefined, { ...FEW, ...changes }), keys.own);
    await expect(verified(bytesOf(made), keys.known)).rejects.toThrow(new RegExp(phrase));
  });

  /** The certification with other exchanges, numbered again, signed with the true key. */
  const edited = (exchanges: readonly Exchange[], changes: Partial<RunRecord> = {}) =>
    signedAnyway(
      {
        ...narrow,
        record: { ...narrow.record, ...changes, exchanges: exchanges.map((one, at) => ({ ...one, seq: at + 1 })) },
      },
      keys.own,
    );
  const { exchanges } = narrow.record;
  const rejection = (made: Bundle) => expect(verified(bytesOf(made), keys.known)).rejects;

  test.each([
    'getTrunk/credential: wrong-secret',
    'updateTrunk/no effect: invalid credentials',
    'undocumented/observed: HEAD /v1/trunks/',
  ])('without the sequence %s is rejected', async (name) => {
    const left = exchanges.filter(({ tag }) => tag.sequence !== name);
    expect(left.length).toBeLessThan(exchanges.length);
    await rejection(edited(left)).toThrow('run again, the record differs');
  });

  test('with an exchange that no longer says what it asked is rejected', async () => {
    const mute = exchanges.map((one) =>
      one.tag.sequence === 'updateTrunk/rejected update' ? { ...one, tag: { ...one.tag, asks: [] } } : one,
    );
    await rejection(edited(mute)).toThrow(/the tag of request \d+ was/);
  });

  test.each([
    ['AUTH-NO-EFFECT', 'none'],
    ['AUTH-NO-EFFECT', 'wrong-secret'],
    ['ORG-NO-EFFECT', 'other-organization'],
  ])('of %s without the rejected change (%s) is rejected', async (id, form) => {
    const isChange = ({ tag, request }: Exchange): boolean =>
      tag.sequence.startsWith('updateTrunk/no effect') && tag.role === 'change' && request.credential === form;
    const left = exchanges.filter((one) => !isChange(one));
    expect(left).toHaveLength(exchanges.length - 1);
    expect(verdictOf(makeBundle(narrow, keys.own).results, id)).toBe('pass');
    await rejection(edited(left)).toThrow('run again, the record differs');
  });

  const DIFFERS = 'run again, the record differs';
  const UNSENT = 'the sequence "updateTrunk/no effect: other organization" was not sent: it was skipped';

  test.each<[SkipCause, string]>([
    ['step', DIFFERS],
    ['limit', UNSENT],
    ['stopped', UNSENT],
    ['claimed', UNSENT],
    ['setting', DIFFERS],
  ])('with a sequence that a note excuses (%s) is rejected', async (why, phrase) => {
    const name = 'updateTrunk/no effect: other organization';
    const left = exchanges.filter(({ tag }) => tag.sequence !== name);
    const asked = [{ id: 'ORG-NO-EFFECT', variation: 'other-organization' }];
    for (const asks of [[], asked]) {
      const note = { sequence: name, operation: 'updateTrunk', asks, why, reason: 'it was skipped' } as const;
      await rejection(edited(left, { skipped: [...narrow.record.skipped, note] })).toThrow(phrase);
    }
  });

  test('with answers in another order, twice, or of another request is rejected', async () => {
    const [first, second] = exchanges.filter(({ tag }) => tag.sequence.startsWith('getTrunk/credential: '));
    const swapped = exchanges.map((one) => (one === first ? second : one === second ? first : one));
    const answered = exchanges.map((one) =>
      one === first && second !== undefined ? { ...second, tag: one.tag } : one,
    );
    await rejection(edited(swapped.filter((one) => one !== undefined))).toThrow('run again, the record differs');
    const observed = exchanges.filter(({ tag }) => tag.sequence === 'undocumented/observed: HEAD /v1/trunks/');
    expect(observed).toHaveLength(1);
    await rejection(edited([...exchanges, ...observed])).toThrow('is not sent in the rerun');
    await rejection(edited(answered)).toThrow('run again, the record differs');
    await rejection(edited([...exchanges].reverse())).toThrow('run again, the record differs');
  });

  test('under another nonce is rejected', async () => {
    const made = makeBundle({ ...narrow, nonce: NONCE.replaceAll('0', '9') }, keys.own);
    await rejection(made).toThrow('do not follow from the nonce');
  });

  test('with tokens in the voice URL and in the query of a list is verified', async () => {
    const voiceUrl = 'https://voice.pcs-conformance.invalid/answer?token=Vo1ceUrlT0kenOfTheTest';
    const made = await certification(NONCE, {
      ...FEW,
      voiceUrl,
      queries: { listTrunks: 'token=L1stQueryT0kenOfTheTest' },
    });
    expect(JSON.stringify(made.record)).not.toContain('T0kenOfTheTest');
    expect((await verified(bytesOf(makeBundle(made, keys.own)), keys.known)).results.verdict).toBe('conformant');
  });
});
