/** Whether a rejection counts: services that reject for reasons of their own, and services that reject one element. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Inject } from '../../fixtures/faults/fault.ts';
import { json, lost, rejected, text } from '../../fixtures/faults/replies.ts';
import {
  all,
  authorized,
  crossOrganization,
  membersOf,
  on,
  operationOf,
  type When,
} from '../../fixtures/faults/visit.ts';
import { instead, saying } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { inLongAlone, sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBroken, judged } from '../selftest/judged.ts';

async function run(inject: Inject, changes: Partial<RunOptions> = {}) {
  const { service, settings } = createReference();
  const judged = await judge(inject(service, settings), optionsFrom(settings, changes));
  const cases = casesOf(judged.results);
  return { ...judged, broken: cases.filter(isBroken), of: (id: string) => cases.find((one) => one.id === id) };
}

const has = (name: string) => (visit: Parameters<When>[0]) => name in membersOf(visit);
const creating = (when: When, status: number): Inject =>
  instead(all(on('createCall'), authorized, when), () => rejected(status));
const times = (most: number, when: When): When => {
  let count = 0;
  return (visit) => {
    if (!when(visit)) return false;
    count += 1;
    return count <= most;
  };
};

describe('a target with rules of its own is accused of nothing', () => {
  const isWrong: When = (visit) => typeof membersOf(visit)['privacy'] !== 'boolean' && has('privacy')(visit);
  const rules = sampled<[string, Inject]>(
    [
      ['application_id and trunk_id exclude each other', creating(all(has('application_id'), has('trunk_id')), 422)],
      ['privacy is for other customers, which it says before it looks at the type', creating(has('privacy'), 403)],
      [
        'variables need an application',
        creating((visit) => has('variables')(visit) && !has('application_id')(visit), 400),
      ],
      ['null is an id that it does not know', creating((visit) => membersOf(visit)['trunk_id'] === null, 404)],
      ['the list of numbers needs a query', instead(all(on('listNumbers'), authorized), () => rejected(400))],
      ['the search was withdrawn', instead(all(on('searchAvailableNumbers'), authorized), () => rejected(410))],
      ['a carrier provider needs a region', instead(all(on('getCarrierProvider'), authorized), () => rejected(400))],
      ['an update of a trunk needs If-Match', instead(all(on('updateTrunk'), authorized), () => rejected(428))],
      ['the conference has ended', instead(all(on('muteParticipant'), authorized), () => rejected(422))],
      ['its number may not be assigned', instead(all(on('assignNumber'), authorized), () => rejected(409))],
      [
        'any call that the other organization names is hung up with 200',
        instead(all(on('hangUpCall'), crossOrganization), () => json(200, {})),
      ],
    ],
    4,
  );

  test.each(rules.items)(`%s (${rules.words})`, async (_rule, inject) => {
    const { results, broken } = await run(inject);
    expect(broken.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(['conformant', 'incomplete']).toContain(results.verdict);
    const open = casesOf(results).filter(({ verdict }) => verdict === 'inconclusive');
    expect(open.filter(({ reason }) => reason === undefined)).toEqual([]);
  });

  test('but not where it rejects one element alone, of which the finding names the sibling', async () => {
    const { broken, record } = await run(creating(isWrong, 422));
    expect(broken.map(({ id }) => id)).toEqual(['CALL-CREATE-FIELD-TYPES/createCall']);
    const [finding] = broken.flatMap(({ findings }) => findings);
    const sibling = record.exchanges.find(({ seq }) => seq === finding?.sibling?.seq);
    const probe = record.exchanges.find(({ seq }) => seq === finding?.example);
    expect(finding?.sibling?.difference).toBe('another privacy');
    expect([sibling?.response?.status, sibling?.request.body?.text]).toEqual([201, probe?.tag.sibling]);
  });
});

test('what every request shows is shown by the plain one, not by a value that was sent alone', async () => {
  const byteOrderMark = saying(all(on('assignNumber'), authorized), (reply) => ({
    ...reply,
    body: `\ufeff${reply.body}`,
  }));
  const { of } = await run(byteOrderMark);
  const accepted = of('JSON-SYNTAX/assignNumber')?.findings.find(({ where }) => where === 'the body of the 200');
  expect(accepted?.about).toBe('a valid request');
});

describe('what a run learns from', () => {
  inLongAlone('three stale reads, as of a cache, are no warning, and four are', async () => {
    const change: When = (visit) => String(membersOf(visit)['name']).endsWith('visible');
    const stale = (most: number): Inject => {
      let isDue = false;
      const isStale = times(most, (visit) => isDue && visit.operation === 'getTrunk');
      return (service, settings) =>
        saying(isStale, (reply) => ({ ...reply, body: String(reply.body).replace('visible', 'earlier') }))(
          saying(change, (reply) => {
            isDue = true;
            return reply;
          })(service, settings),
          settings,
        );
    };
    expect((await run(stale(3))).broken.map(({ id }) => id)).toEqual([]);
    expect((await run(stale(4))).broken.map(({ id }) => id)).toEqual(['UPDATE-VISIBLE/updateTrunk']);
  });

  inLongAlone('a sample that names more members does not replace the smallest call', async () => {
    const { settings } = createReference();
    const sample = { from: settings.PCS_CALL_FROM, to: settings.PCS_CALL_TO, privacy: false };
    const { broken, record } = await run(
      creating((visit) => !has('privacy')(visit), 400),
      {
        samples: { createCall: sample },
      },
    );
    expect(
      Object.keys(
        JSON.parse(record.exchanges.find(({ tag }) => tag.operation === 'createCall')?.request.body?.text ?? '{}'),
      ),
    ).toEqual(['from', 'to']);
    expect(broken.map(({ id }) => id)).toContain('CALL-CREATE-MINIMAL/createCall');
  });

  inLongAlone('the application is written after the last call that names it', async () => {
    const { record } = await run((service) => service);
    const named = record.exchanges.filter(
      ({ tag, request }) => tag.operation === 'createCall' && request.body?.text?.includes('application_id":"'),
    );
    const urls = record.exchanges.filter(
      ({ request }) => request.method === 'PATCH' && request.body?.text?.includes('voice_url'),
    );
    expect(urls.length).toBeGreaterThan(0);
    expect(Math.max(...named.map(({ seq, tag }) => (tag.control ? seq : 0)))).toBeLessThan(
      Math.min(...urls.map(({ seq }) => seq)),
    );
  });

  test('the closing call is not the opening one', async () => {
    const { record } = await run((service) => service);
    const bodyOf = (name: string) =>
      record.exchanges.find(({ tag }) => tag.sequence === `createCall/${name}`)?.request.body?.text;
    expect(bodyOf('control after')).not.toBe(bodyOf('control before'));
  });
});

describe('retryable answers without the envelope', () => {
  const busy = (status: number, most: number, operations: readonly string[]): Inject => {
    const isDue = new Map(operations.map((operation) => [operation, times(most, () => true)]));
    return instead(
      (visit) => authorized(visit) && isDue.get(operationOf(visit.request) ?? '')?.(visit) === true,
      () => text(status, 'text/plain', 'Slow down'),
    );
  };

  test('are a finding where many operations send them, and flaky where one does', async () => {
    const many = await run(busy(429, 1, ['getTrunk', 'listTrunks', 'getCarrierProvider']));
    const names = [...new Set(many.broken.map(({ id }) => id.split('/')[0]))];
    expect(names).toEqual(['JSON-SYNTAX', 'JSON-LABEL', 'ERROR-ENVELOPE']);
    const one = await run(busy(429, 1, ['getTrunk']));
    expect([one.broken, one.results.intermittent.length]).toEqual([[], 1]);
  });

  test('do not pass for the envelope of a 503 from create call', async () => {
    const { of } = await run(busy(503, 1, ['createCall']));
    expect(of('CALL-CREATE-503/createCall')?.verdict).not.toBe('pass');
  });
});

test('a target that locks out a caller with invalid credentials for a while is not accused of a 401', async () => {
  let invalid = 0;
  const isLocked: When = (visit) => {
    if (!authorized(visit)) invalid += 1;
    return authorized(visit) && invalid > 40 && invalid < 60;
  };
  const { broken } = await run(
    instead(isLocked, () => rejected(401, 'unauthorized', [['WWW-Authenticate', 'Bearer']])),
  );
  expect(broken.map(({ id }) => id)).toEqual([]);
});

/** The opaque name of a sequence under seed 1. */
const caseOf = (sequence: string): string => createHash('sha256').update(`1\n${sequence}`).digest('hex').slice(0, 16);

test('a response that comes late is not flaky, also in a strict run', async () => {
  const { service, settings } = createReference();
  const clock = skippingClock();
  let reads = 0;
  const late: Service = async (request) => {
    // Other sequences read the trunk at the same moment.
    const isOther = request.headers['x-conformance-case'] !== caseOf('getTrunk/read');
    if (isOther || operationOf(request) !== 'getTrunk' || reads >= 2) return service(request);
    reads += 1;
    await clock.sleep(reads * 31_000);
    return reads === 1 ? lost('hang') : service(request);
  };
  const { results } = await judge(late, optionsFrom(settings, { strict: true }), clock);
  expect([results.verdict, results.intermittent]).toEqual(['conformant', []]);
});

test('an accepted hang-up shows an open call only where the hang-up of an ended call is rejected', async () => {
  const verdicts = async (choice: string) => {
    const cases = casesOf((await judged({ 'ended-hang-up': choice })).results);
    return ['AUTH-CALL-UNCHANGED', 'METHOD-SAFE'].map((id) => cases.find((one) => one.id === `${id}/hangUpCall`));
  };
  expect((await verdicts('409')).map((one) => one?.verdict)).toEqual(['pass', 'pass']);
  const reason = 'no answer of this target tells an ended call from an open one';
  expect(await verdicts('200')).toMatchObject([{ verdict: 'not-exercised', reason }, { verdict: 'pass' }]);
});

test('a call that ends by itself just then is asked about again with another one', async () => {
  let ended = 0;
  const { of, broken, record } = await run((service) => async (request) => {
    const isAnonymous = request.headers['authorization'] === undefined && /hangup$/.test(request.target);
    const hangUp = {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${createReference().settings.PCS_ACCESS_TOKEN}` },
    };
    if (isAnonymous && ended === 0 && (await service(hangUp)).status === 200) ended += 1;
    return service(request);
  });
  const sent = record.exchanges.filter(({ tag }) => tag.sequence === 'hangUpCall/no effect' && tag.role === 'control');
  expect([ended, new Set(sent.map(({ request }) => request.path)).size, broken]).toEqual([1, 2, []]);
  expect(of('AUTH-CALL-UNCHANGED/hangUpCall')).toMatchObject({ verdict: 'pass' });
});
