import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../../fixtures/service/reference.ts';
import { type Answer, call, STRANGER, state } from './caller.ts';

const create = (
  reference: Reference,
  members: Readonly<Record<string, unknown>> = {},
  token?: string,
): Promise<Answer> => {
  const { PCS_CALL_FROM: from, PCS_CALL_TO: to } = reference.settings;
  return call(reference, 'createCall', { body: { from, to, ...members }, ...(token === undefined ? {} : { token }) });
};

const idOf = (answer: Answer): string =>
  (answer.json as { readonly data: { readonly call: { readonly id: string } } }).data.call.id;

describe('create call', () => {
  test('answers 201 with the id of a queued call', async () => {
    const reference = createReference();
    const answer = await create(reference);
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ success: true, data: { call: { status: 'queued', direction: 'outbound' } } });
    expect(reference.inspect()).toMatchObject({ callsAccepted: 1, callsOpen: 1 });
    expect(reference.inspect().calls.at(-1)).toMatchObject({
      id: idOf(answer),
      direction: 'outbound',
      status: 'queued',
    });
  });

  test('gives two calls two ids, and the same ids for the same seed', async () => {
    const [one, other] = [createReference({ seed: 7 }), createReference({ seed: 7 })];
    const ids = [idOf(await create(one)), idOf(await create(one))];
    expect(new Set(ids).size).toBe(2);
    expect([idOf(await create(other)), idOf(await create(other))]).toEqual(ids);
    expect(idOf(await create(createReference({ seed: 8 })))).not.toBe(ids[0]);
  });

  const { settings } = createReference();
  const accepted: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['both ids null', { application_id: null, trunk_id: null }],
    [
      'its application and trunk',
      { application_id: settings.PCS_VOICE_APPLICATION_ID, trunk_id: settings.PCS_TRUNK_ID },
    ],
    ['its trunk in upper case', { trunk_id: settings.PCS_TRUNK_ID.toUpperCase() }],
    ['no variables', { variables: {} }],
    ['odd variables', { variables: { ['__proto__']: 'x', 'a b': '', '\u0000': '\u{1F4DE}' } }],
    ['privacy', { privacy: false }],
    ['any dtmf_mode, codecs and media_encryption', { dtmf_mode: '', codecs: ['anything'], media_encryption: 'x' }],
    ['an unknown member', { unheard: 1 }],
  ];
  test.each(accepted)('accepts a body with %s', async (_, members) => {
    expect((await create(createReference(), members)).status).toBe(201);
  });

  const rejected: readonly (readonly [string, Readonly<Record<string, unknown>>, number])[] = [
    ['from missing', { from: undefined }, 400],
    ['from null', { from: null }, 400],
    ['from empty', { from: '' }, 400],
    ['to missing', { to: undefined }, 400],
    ['to a number', { to: 15005550010 }, 400],
    ['to an array', { to: ['+15005550010'] }, 400],
    ['application_id a plain word', { application_id: 'application' }, 400],
    ['application_id with a letter past f', { application_id: '0000000g-0000-4000-8000-000000000000' }, 400],
    ['trunk_id a number', { trunk_id: 4 }, 400],
    ['trunk_id undashed', { trunk_id: settings.PCS_TRUNK_ID.replaceAll('-', '') }, 400],
    ['variables an array', { variables: [] }, 400],
    ['variables null', { variables: null }, 400],
    ['a variable that is a number', { variables: { a: 1 } }, 400],
    ['a variable that is null', { variables: { a: null } }, 400],
    ['privacy a string', { privacy: 'true' }, 400],
    ['privacy null', { privacy: null }, 400],
    ['dtmf_mode a number', { dtmf_mode: 1 }, 400],
    ['codecs a string', { codecs: 'opus' }, 400],
    ['a codec that is null', { codecs: [null] }, 400],
    ['media_encryption a boolean', { media_encryption: true }, 400],
    ['an unknown application', { application_id: STRANGER }, 404],
    ['an unknown trunk', { trunk_id: STRANGER }, 404],
    ['a from that no organization owns', { from: '+15005550001' }, 403],
  ];
  test.each(rejected)('rejects a body with %s and places no call', async (_, members, status) => {
    const reference = createReference();
    const before = state(reference);
    const answer = await create(reference, members);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ success: false, error: { code: expect.any(String), message: expect.any(String) } });
    expect(state(reference)).toEqual(before);
  });

  test('rejects the number, application and trunk of another organization', async () => {
    const reference = createReference();
    const { PCS_OTHER_ORG_ACCESS_TOKEN: other, PCS_TRUNK_ID, PCS_VOICE_APPLICATION_ID } = reference.settings;
    expect((await create(reference, {}, other)).status).toBe(403);
    expect((await create(reference, { from: '+15005550008', trunk_id: PCS_TRUNK_ID }, other)).status).toBe(404);
    expect(
      (await create(reference, { from: '+15005550008', application_id: PCS_VOICE_APPLICATION_ID }, other)).status,
    ).toBe(404);
    expect(reference.inspect().callsAccepted).toBe(0);
    expect((await create(reference, { from: '+15005550008' }, other)).status).toBe(201);
  });

  test('the call exists for its own organization only', async () => {
    const reference = createReference();
    const id = idOf(await create(reference));
    const token = reference.settings.PCS_OTHER_ORG_ACCESS_TOKEN;
    expect((await call(reference, 'hangUpCall', { ids: [id], token })).status).toBe(404);
    expect(reference.inspect().callsOpen).toBe(1);
  });
});

describe('call control', () => {
  test('an inbound call can be answered once, and not after it has ended', async () => {
    const reference = createReference();
    expect((await call(reference, 'answerCall')).status).toBe(200);
    expect((await call(reference, 'answerCall')).status).toBe(409);
    expect((await call(reference, 'hangUpCall')).status).toBe(200);
    expect((await call(reference, 'answerCall')).status).toBe(409);
    expect(reference.inspect().calls).toMatchObject([
      { id: reference.settings.PCS_RINGING_CALL_ID, direction: 'inbound', status: 'ended' },
    ]);
  });

  test('an outbound call can be hung up once and never answered', async () => {
    const reference = createReference();
    const ids = [idOf(await create(reference))];
    expect((await call(reference, 'answerCall', { ids })).status).toBe(409);
    expect((await call(reference, 'hangUpCall', { ids })).status).toBe(200);
    expect((await call(reference, 'hangUpCall', { ids })).status).toBe(409);
    expect(reference.inspect()).toMatchObject({ callsAccepted: 1, callsOpen: 0 });
  });

  test('the requested number of inbound calls ring, and one more on request', async () => {
    const reference = createReference({ ringingCalls: 2 });
    expect(reference.inspect().calls.map(({ status }) => status)).toEqual(['ringing', 'ringing']);
    expect((await call(reference, 'answerCall', { ids: [reference.ring()] })).status).toBe(200);
    expect(createReference({ ringingCalls: 0 }).settings).not.toHaveProperty('PCS_RINGING_CALL_ID');
  });
});
