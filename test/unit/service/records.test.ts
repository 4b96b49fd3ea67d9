import { describe, expect, test } from 'vitest';
import { idOf } from '../../../fixtures/service/identity.ts';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { ask, call, envelopeOf, STRANGER, state, validBody } from './caller.ts';

describe('records of the reference service', () => {
  test('a trunk returns changed members and keeps the others', async () => {
    const reference = createReference();
    const { PCS_TRUNK_ID: id } = reference.settings;
    const changed = { id, name: ' Renamed ', status: 'active', direction: 'inbound' };
    const body = { name: ' Renamed ', direction: 'inbound' };
    expect((await call(reference, 'updateTrunk', { body })).json).toEqual({ success: true, data: { trunk: changed } });
    expect((await call(reference, 'getTrunk')).json).toEqual({ success: true, data: { trunk: changed } });
    expect(reference.inspect().trunkNames[id]).toBe(' Renamed ');
  });

  test('the three updates accept an empty object and change nothing', async () => {
    const reference = createReference();
    const before = (await call(reference, 'getTrunk')).text;
    for (const id of ['updateTrunk', 'updateVoiceApplication', 'setInboundAuth'] as const) {
      expect((await call(reference, id, { body: {} })).status, id).toBe(200);
    }
    expect((await call(reference, 'getTrunk')).text).toBe(before);
  });

  test('a voice application accepts its five fields', async () => {
    const body = { name: 'n', ring_timeout_seconds: 12, caller_id: 'c', voice_url: 'v', callback_url: 'b' };
    const answer = await call(createReference(), 'updateVoiceApplication', { body });
    expect(answer.json).toMatchObject({ success: true, data: { voice_application: body } });
  });

  test('the inbound secret is stored and never returned', async () => {
    const reference = createReference();
    const { PCS_INBOUND_SECRET: old } = reference.settings;
    expect(reference.inspect().inboundSecret).toBe(old);
    const answer = await call(reference, 'setInboundAuth');
    expect(answer.status).toBe(200);
    expect(reference.inspect().inboundSecret).toBe(validBody(reference, 'setInboundAuth')?.['secret']);
    for (const text of [answer.text, (await call(reference, 'setInboundAuth', { body: {} })).text]) {
      expect(text).not.toContain(reference.inspect().inboundSecret);
      expect(text).not.toContain(old);
    }
  });

  test('a number can be assigned to a connection of its own organization only', async () => {
    const reference = createReference();
    const theirs = await call(reference, 'listNumbers', { token: reference.settings.PCS_OTHER_ORG_ACCESS_TOKEN });
    const theirId = /"carrier_connection_id":"([^"]+)"/.exec(theirs.text)?.[1];
    expect(theirId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call(reference, 'assignNumber')).status).toBe(200);
    for (const connection of [STRANGER, theirId]) {
      const answer = await call(reference, 'assignNumber', { body: { carrier_connection_id: connection } });
      expect([answer.status, envelopeOf(answer).success]).toEqual([404, false]);
    }
  });

  test('a participant can be muted again and again', async () => {
    const reference = createReference();
    for (const time of [1, 2]) {
      const answer = await call(reference, 'muteParticipant');
      expect([time, answer.status]).toEqual([time, 200]);
      expect(answer.json).toMatchObject({ data: { participant: { muted: true } } });
    }
  });

  test('a participant is found in its own conference only', async () => {
    const reference = createReference();
    const { PCS_CONFERENCE_ID, PCS_PARTICIPANT_ID } = reference.settings;
    for (const ids of [
      [STRANGER, PCS_PARTICIPANT_ID],
      [idOf(1, 'alpha conference Empty'), PCS_PARTICIPANT_ID],
      [PCS_CONFERENCE_ID, STRANGER],
    ]) {
      expect((await call(reference, 'muteParticipant', { ids })).status).toBe(404);
    }
  });

  test('a list contains only records of its own organization', async () => {
    const reference = createReference();
    const { PCS_OTHER_ORG_ACCESS_TOKEN: token, PCS_TRUNK_ID, PCS_NUMBER_ID } = reference.settings;
    for (const [id, own] of [
      ['listTrunks', PCS_TRUNK_ID],
      ['listNumbers', PCS_NUMBER_ID],
    ] as const) {
      expect((await call(reference, id)).text, id).toContain(own);
      const other = await call(reference, id, { token });
      expect([other.status, other.text.includes(own)], id).toEqual([200, false]);
    }
  });

  test('both organizations can read a carrier provider', async () => {
    const reference = createReference();
    const { PCS_OTHER_ORG_ACCESS_TOKEN: token } = reference.settings;
    const answer = await call(reference, 'getCarrierProvider', { token });
    expect([answer.status, answer.text]).toEqual([200, (await call(reference, 'getCarrierProvider')).text]);
  });

  test('the number search works with and without a query', async () => {
    const reference = createReference();
    expect((await call(reference, 'searchAvailableNumbers')).status).toBe(200);
    expect((await call(reference, 'searchAvailableNumbers', { query: '?anything=1' })).status).toBe(200);
  });

  const wrong: readonly (readonly [OperationId, string, unknown])[] = [
    ['updateVoiceApplication', 'name', 1],
    ['updateVoiceApplication', 'ring_timeout_seconds', '30'],
    ['updateVoiceApplication', 'ring_timeout_seconds', 1.5],
    ['updateVoiceApplication', 'caller_id', null],
    ['updateVoiceApplication', 'voice_url', []],
    ['updateVoiceApplication', 'callback_url', {}],
    ['setInboundAuth', 'method', 1],
    ['setInboundAuth', 'username', null],
    ['setInboundAuth', 'realm', false],
    ['setInboundAuth', 'secret', 5],
    ['updateTrunk', 'name', null],
    ['updateTrunk', 'direction', 1],
    ['updateTrunk', 'status', true],
    ['assignNumber', 'carrier_connection_id', undefined],
    ['assignNumber', 'carrier_connection_id', null],
    ['assignNumber', 'carrier_connection_id', 7],
    ['assignNumber', 'carrier_connection_id', 'connection'],
    ['assignNumber', 'carrier_connection_id', '0000000g-0000-4000-8000-000000000000'],
  ];
  test.each(wrong)('%s rejects %s: %j and changes nothing', async (id, name, value) => {
    const reference = createReference();
    const before = state(reference);
    const answer = await call(reference, id, { body: { [name]: value } });
    expect([answer.status, envelopeOf(answer).success]).toEqual([400, false]);
    expect(state(reference)).toEqual(before);
  });

  test('an inspection counts requests by operation and names each with its status', async () => {
    const reference = createReference();
    await call(reference, 'getTrunk');
    await call(reference, 'getTrunk', { token: null });
    await ask(reference, 'GET', '/elsewhere');
    const target = `/v1/trunks/${reference.settings.PCS_TRUNK_ID}`;
    const { requests, counts, writes } = reference.inspect();
    expect(requests).toEqual([
      { operation: 'getTrunk', method: 'GET', target, status: 200 },
      { operation: 'getTrunk', method: 'GET', target, status: 401 },
      { operation: null, method: 'GET', target: '/elsewhere', status: 404 },
    ]);
    expect([counts.getTrunk, counts.createCall, writes]).toEqual([2, 0, 0]);
  });

  test('credentials and secrets are obviously fake, long and of both letter cases', () => {
    const { settings } = createReference();
    const { PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN, PCS_REVOKED_ACCESS_TOKEN } = settings;
    const tokens = [PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN, PCS_REVOKED_ACCESS_TOKEN];
    for (const token of tokens) expect(token).toMatch(/^pcs_org_Fake(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9]{20,}$/);
    expect(new Set(tokens).size).toBe(3);
    expect(createReference().settings).toEqual(settings);
    expect(createReference({ seed: 2 }).settings.PCS_ACCESS_TOKEN).not.toBe(PCS_ACCESS_TOKEN);
  });
});
