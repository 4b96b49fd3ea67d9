/** A filter narrows what is judged, never what protects the target: whatever is selected, everything is as it was. */

import { describe, expect, test } from 'vitest';
import { chance } from '../../fixtures/gateways/drawn.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { ReferenceSettings } from '../../fixtures/service/settings.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import type { ExchangeTag } from '../../src/exchange/exchange.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { enveloped } from '../e2e/live.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSame } from './again.ts';

const CASES = REQUIREMENTS.flatMap(({ id, operations }) => operations.map((operation) => `${id}/${operation}`));

/** Up to six cases, and up to three operations that are left out. */
function drawnSelection(number: number): Partial<RunOptions> {
  const draw = chance(number + 1);
  const pick = <Item>(items: readonly Item[], most: number): readonly Item[] =>
    Array.from({ length: Math.ceil(draw() * most) }, () => items[Math.floor(draw() * items.length)] as Item);
  const without = number % 2 === 0 ? [] : pick(OPERATION_IDS, 3);
  const possible = CASES.filter((name) => !without.some((id) => name.endsWith(`/${id}`)));
  return { without, only: [...new Set(pick(possible, 6))] };
}

/** Which records of the service differ after the run, and what the run says is still changed. */
async function changedBy(options: Partial<RunOptions>, reference = createReference(), service = reference.service) {
  const { settings, inspect } = reference;
  const before = inspect().restorable;
  const { record } = await judge(service, optionsFrom(settings, options));
  const after = inspect().restorable;
  // What is there before the first write is read once.
  const isLook = ({ about }: ExchangeTag): boolean => about === 'what is there before the first write';
  const looks = record.exchanges.filter(({ tag }) => isLook(tag)).map(({ request }) => request.path);
  expect(looks).toEqual([...new Set(looks)]);
  const ids = Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return { ids, changed: record.changed };
}

const NOTHING = { ids: [], changed: [] };

describe('the service is as it was', () => {
  const requirements = sampled(REQUIREMENTS, 22);

  test.each(requirements.items)(`after --only $id (${requirements.words})`, async ({ id }) => {
    expect(await changedBy({ only: [id] })).toEqual(NOTHING);
  });

  test.each([
    'AUTH-REVOKED',
    'AUTH-SCHEME/updateTrunk',
    'AUTH-SCHEME/updateVoiceApplication',
    'AUTH-SCHEME/assignNumber',
    'NO-SERVER-ERROR/updateTrunk',
  ])('after --only %s', async (name) => {
    expect(await changedBy({ only: [name] })).toEqual(NOTHING);
  });

  test('where the list of numbers begins with a pool that mentions ours, and has the connection of the settings', async () => {
    const { spares, ...reference } = createReference();
    const PCS_CARRIER_CONNECTION_ID = spares.PCS_CARRIER_CONNECTION_ID ?? '';
    const settings = { ...reference.settings, PCS_CARRIER_CONNECTION_ID };
    const pool = { id: 'pool-1', first: settings.PCS_NUMBER_ID, carrier_connection_id: PCS_CARRIER_CONNECTION_ID };
    const pooled: Service = async (request) => {
      const reply = await reference.service(request);
      if (request.target !== '/v1/numbers/' || reply.status !== 200) return reply;
      const { data, ...rest } = JSON.parse(String(reply.body));
      return { ...reply, body: JSON.stringify({ ...rest, data: [pool, ...data] }) };
    };
    expect(
      await changedBy({ only: ['NUMBER-ASSIGN-LETTER-CASE'] }, { ...reference, spares, settings }, pooled),
    ).toEqual(NOTHING);
  });

  test.each(['1', 'null'])(
    'where the trunk shows its state as something other than text, which is not written: %s',
    async (state) => {
      const reference = createReference();
      const written: string[] = [];
      const other: Service = async (request) => {
        if (request.method === 'PATCH') written.push(Buffer.from(request.body).toString());
        const reply = await reference.service(request);
        return { ...reply, body: String(reply.body).replace(/"status":"\w+"/g, `"status":${state}`) };
      };
      expect(await changedBy({ only: ['NO-SERVER-ERROR/updateTrunk'] }, reference, other)).toEqual(NOTHING);
      expect(written.filter((body) => body.includes('"status":'))).toEqual([]);
    },
  );

  test('where a read alone shows the voice application, which the interface does not have', async () => {
    const { service, settings, inspect } = createReference();
    const [id = '', before] =
      Object.entries(inspect().restorable).find(([id]) => id === settings.PCS_VOICE_APPLICATION_ID) ?? [];
    const reading: Service = async (request) => {
      const isApplication = request.target === `/v1/voice-applications/${id}`;
      const isRead = isApplication && request.method === 'GET';
      const reply = await service(isRead ? { ...request, target: `/v1/trunks/${settings.PCS_TRUNK_ID}` } : request);
      if (!isApplication || reply.status !== 200) return reply;
      return { ...reply, body: JSON.stringify(isRead ? { data: inspect().restorable[id] } : { success: true }) };
    };
    const only = ['APPLICATION-UNNAMED-KEPT', 'AUTH-APPLICATION-UNCHANGED', 'BODY-CHUNKED/updateVoiceApplication'];
    const { results, record } = await judge(reading, optionsFrom(settings, { only }));
    const judged = results.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect([judged.toSorted(), record.changed]).toEqual([only.map((name) => name.split('/')[0]), []]);
    expect(inspect().restorable[id]).toEqual(before);
  });

  const selections = sampled(
    Array.from({ length: 30 }, (_, number) => drawnSelection(number)),
    6,
  );

  test.each(selections.items)(`after --only $only --without $without (${selections.words})`, async (options) => {
    expect(await changedBy(options)).toEqual(NOTHING);
  });

  test.each([
    ['one walk alone', { path: '0', explore: 300 }],
    ['the reads left out', { without: ['getTrunk', 'listTrunks', 'listNumbers'] }],
  ] as const)('after %s', async (_, options) => {
    expect(await changedBy(options)).toEqual(NOTHING);
  });
});

describe('what could be restored and was not', () => {
  /** Every restore of that kind is rejected; everything before is accepted. */
  async function judgedRejecting(path: string, isRestore: (body: string, settings: ReferenceSettings) => boolean) {
    const { service, settings } = createReference();
    const rejecting: Service = async (request) => {
      const body = Buffer.from(request.body).toString();
      const isMeant = request.method !== 'GET' && request.target.startsWith(path) && isRestore(body, settings);
      return isMeant ? enveloped(403) : service(request);
    };
    return judge(rejecting, optionsFrom(settings, { only: ['SUCCESS-STATUS'] }));
  }

  test('makes the run incomplete, and is named', async () => {
    const { results, record } = await judgedRejecting('/v1/trunks/', (body) => body.includes('Main trunk'));
    expect([results.verdict, results.reason, results.unrestored]).toEqual([
      'incomplete',
      expect.stringMatching(/^the target is still changed: trunk \S+: name was not restored$/),
      record.changed,
    ]);
    await comesOutTheSame(record);
  });

  test('of inbound authentication as well', async () => {
    const { results } = await judgedRejecting('/v1/carrier-connections/', (body, { PCS_INBOUND_SECRET = '-' }) =>
      body.includes(PCS_INBOUND_SECRET),
    );
    expect([results.verdict, results.reason]).toEqual([
      'incomplete',
      expect.stringContaining('PCS_INBOUND_* could not be written; set it again (status 403)'),
    ]);
  });
});
