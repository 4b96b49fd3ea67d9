import { describe, expect, test } from 'vitest';
import type { Service } from '../../../fixtures/service/types.ts';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { verifyBundle } from '../../../src/certificate/verify.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { bytesOf, certification, certifying, NONCE, newKeys, referenceBundle, VERIFIER } from './certified.ts';

const keys = newKeys();
const whole = await certification();
const bundle = makeBundle(whole, keys.own);
const verdictOf = ({ requirements }: Results, id: string) => requirements.find((one) => one.id === id)?.verdict;

describe('a bundle of the reference', () => {
  test('is verified with the public key', () => {
    const verified = verifyBundle(bytesOf(bundle), keys.known, VERIFIER);
    expect(verified).toMatchObject({
      outcome: { kind: 'attested', outcome: 'conformant' },
      particulars: { implementation: { name: 'Reference', version: '1.2.3', vendor: 'Example Communications' } },
    });
    expect(verified.exchanges).toBe(bundle.results.counts.requests);
  });

  test('is the same for the same run except for the signature', async () => {
    const again = await referenceBundle(newKeys().own);
    for (const [name, text] of again.files) {
      if (name !== 'attestation.json') expect(text).toBe(bundle.files.get(name));
    }
  });

  test('holds no secret, and the names of settings instead of their values', async () => {
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
    expect(bundle.files.get('settings.json')).not.toContain(settings.PCS_TRUNK_ID);
    expect(bundle.files.get('settings.json')).toContain('PCS_TRUNK_ID');
  });

  test('shows no case to the target, and names the cases not exercised and the readings', () => {
    expect(bundle.files.get('exchanges.ndjson')?.toLowerCase()).not.toContain('x-conformance-case');
    const { payload } = JSON.parse(bundle.files.get('attestation.json') ?? '');
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
    expect(predicate.notExercised).toContain('CALL-CREATE-503/createCall');
    expect(predicate.readings).toContain('R1');
  });
});

describe('verification', () => {
  test('rejects another key, another version and an unlisted file', () => {
    const bytes = bytesOf(bundle);
    expect(() => verifyBundle(bytes, newKeys().known, VERIFIER)).toThrow('is signed with the key');
    expect(() => verifyBundle(bytes, keys.known, { ...VERIFIER, version: '9.9.9' })).toThrow('verify it with 0.0.0');
    const more = new Map([...bytes, ['notes.txt', Buffer.from('trust me')]]);
    expect(() => verifyBundle(more, keys.known, VERIFIER)).toThrow('notes.txt is not listed');
  });

  test('rejects a bundle that lacks any of its files', () => {
    for (const name of bundle.files.keys()) {
      const less = new Map([...bytesOf(bundle)].filter(([one]) => one !== name));
      expect(() => verifyBundle(less, keys.known, VERIFIER)).toThrow(/missing|digest/);
    }
  });
});

describe('a certification', () => {
  test('of a non-conformant target is attested as such, without certificate and badge', async () => {
    const broken = await certification(undefined, {}, (service) => async (call) => {
      const reply = await service(call);
      return call.method === 'GET' && call.target === '/v1/trunks/' && reply.status === 200
        ? { ...reply, status: 202 }
        : reply;
    });
    const made = makeBundle(broken, keys.own);
    expect(made.outcome).toMatchObject({ kind: 'attested', outcome: 'non-conformant' });
    expect([...made.files.keys()]).not.toContain('certificate.html');
    expect([...made.files.keys()]).not.toContain('badge.json');
    expect(verifyBundle(bytesOf(made), keys.known, VERIFIER).outcome.outcome).toBe('non-conformant');
  });

  test('with an inconclusive case is not signed, and names the case', async () => {
    const made = makeBundle(await certification(undefined, { numbers: null }), keys.own);
    expect(made.outcome.kind).toBe('incomplete');
    expect(made.outcome.reason).toContain('createCall');
    expect(made.files.has('attestation.json')).toBe(false);
    expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow('attestation.json is missing');
  });

  test('without some operations names them in the certificate', async () => {
    const made = makeBundle(await certification(undefined, { without: ['muteParticipant'] }), keys.own);
    expect(verifyBundle(bytesOf(made), keys.known, VERIFIER).results.without).toEqual(['muteParticipant']);
    expect(made.files.get('certificate.html')).toContain('full, without muteParticipant');
  });

  test.each([
    ['filtered', { only: ['LIST-STATUS'] }, 'a filter was set'],
    ['read-only', { profile: 'read-only' }, 'only full is certified|does not match its schema'],
    ['with another seed', { seed: 1 }, 'the seed is 1'],
    ['that tells the target the case', { caseHeader: true }, 'told the target'],
  ] as const)('%s is rejected', async (_, changes, phrase) => {
    const made = makeBundle(await certification(undefined, changes), keys.own);
    expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow(new RegExp(phrase));
  });

  test.each(['getTrunk/credential: none', 'createCall/valid 3', 'assignNumber/invalid: there is no body'])(
    'with %s removed from plan and record is rejected',
    async (name) => {
      const left = whole.record.exchanges.filter(({ tag }) => tag.sequence !== name);
      expect(left.length).toBeLessThan(whole.record.exchanges.length);
      const record = { ...whole.record, exchanges: left.map((one, at) => ({ ...one, seq: at + 1 })) };
      const sequences = whole.sequences.filter((sequence) => sequence.name !== name);
      const made = makeBundle({ ...whole, record, sequences }, keys.own);
      expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow(`lacks the sequence "${name}"`);
    },
  );

  test('with an exchange that no longer says what it asked is rejected', async () => {
    const mute = (name: string) =>
      whole.record.exchanges.map((one) =>
        one.tag.sequence === name ? { ...one, tag: { ...one.tag, asks: [] } } : one,
      );
    const made = makeBundle(
      { ...whole, record: { ...whole.record, exchanges: mute('getTrunk/credential: none') } },
      keys.own,
    );
    const sentence =
      '"getTrunk/credential: none" was planned to ask AUTH-CREDENTIAL-REQUIRED (none), but nothing recorded did';
    expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow(sentence);
  });

  test.each([
    ['AUTH-NO-EFFECT', 'none'],
    ['AUTH-NO-EFFECT', 'wrong-secret'],
    ['ORG-NO-EFFECT', 'other-organization'],
  ])('of %s without the rejected change (%s) is rejected, and the case does not pass', async (id, form) => {
    const sequence = `updateTrunk/no effect: ${id}`;
    const isChange = ({ tag, request }: Exchange): boolean =>
      tag.sequence === sequence && tag.role === 'change' && request.credential === form;
    const left = whole.record.exchanges.filter((one) => !isChange(one));
    expect(left).toHaveLength(whole.record.exchanges.length - 1);
    const record = { ...whole.record, exchanges: left.map((one, at) => ({ ...one, seq: at + 1 })) };
    const made = makeBundle({ ...whole, record }, keys.own);
    expect(verdictOf(bundle.results, id)).toBe('pass');
    expect(verdictOf(made.results, id)).toBe('not-exercised');
    const sentence = `the sequence "${sequence}" was planned to ask ${id} (${form}), but nothing recorded did`;
    expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow(sentence);
  });

  test('with an id without letters is verified', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const { resources } = certifying(NONCE);
    const own = String(resources.trunk);
    const inside = (text: string): string => text.replaceAll(id, own);
    const wrap =
      (service: Service): Service =>
      async (request) => {
        const body = new TextEncoder().encode(inside(new TextDecoder().decode(request.body)));
        const reply = await service({ ...request, target: inside(request.target), body });
        return { ...reply, body: String(reply.body ?? '').replaceAll(own, id) };
      };
    const made = makeBundle(await certification(NONCE, { resources: { ...resources, trunk: id } }, wrap), keys.own);
    expect(verifyBundle(bytesOf(made), keys.known, VERIFIER).outcome.outcome).toBe('conformant');
  });

  test('with missing exchanges is rejected', async () => {
    const kept = (drop: (sequence: string) => boolean) => {
      const left = whole.record.exchanges.filter(({ tag }) => !drop(tag.sequence));
      return { ...whole, record: { ...whole.record, exchanges: left.map((one, at) => ({ ...one, seq: at + 1 })) } };
    };
    const [planned] = whole.sequences.filter(({ asks }) => asks.length > 0);
    const without = makeBundle(
      kept((sequence) => sequence === planned?.name),
      keys.own,
    );
    expect(() => verifyBundle(bytesOf(without), keys.known, VERIFIER)).toThrow('nothing is recorded of it');
    const [, second] = whole.record.exchanges;
    const holed = { ...whole.record, exchanges: whole.record.exchanges.filter((one) => one !== second) };
    const made = makeBundle({ ...whole, record: holed }, keys.own);
    expect(() => verifyBundle(bytesOf(made), keys.known, VERIFIER)).toThrow('an exchange is missing or repeated');
  });
});
