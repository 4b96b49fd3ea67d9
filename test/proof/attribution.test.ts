/** Whether a rejection counts: services that reject for reasons of their own, and services that reject one element. */

import { describe, expect, test } from 'vitest';
import type { Inject } from '../../fixtures/faults/fault.ts';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { rejected, text } from '../../fixtures/faults/replies.ts';
import { all, authorized, membersOf, on, operationOf, type When } from '../../fixtures/faults/visit.ts';
import { instead, saying } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, isBroken } from '../selftest/judged.ts';

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

const isWrong: When = (visit) => typeof membersOf(visit)['privacy'] !== 'boolean' && has('privacy')(visit);
test('a finding names the sibling of the element that is rejected alone', async () => {
  const { broken, record } = await run(
    creating(isWrong, 422),
    narrowed('CALL-CREATE-FIELD-TYPES', 'CALL-CREATE-PRIVACY'),
  );
  expect(broken.map(({ id }) => id)).toEqual(['CALL-CREATE-FIELD-TYPES/createCall']);
  const [finding] = broken.flatMap(({ findings }) => findings);
  const sibling = record.exchanges.find(({ seq }) => seq === finding?.sibling?.seq);
  const probe = record.exchanges.find(({ seq }) => seq === finding?.example);
  expect(finding?.sibling?.difference).toBe('another privacy');
  const [body, judged] = [sibling, probe].map((sent) => JSON.parse(sent?.request.body?.text ?? 'null'));
  expect([sibling?.response?.status, body]).toEqual([201, { ...judged, privacy: body.privacy }]);
});

const BODY = narrowed('CALL-CREATE-BODY', 'CALL-CREATE-STATUS');

test('a body that differs as a whole is compared with a valid one, in the words of that', async () => {
  const isObject: When = ({ request }) => new TextDecoder().decode(request.body).startsWith('{');
  const { of } = await run(
    creating((visit) => !isObject(visit), 422),
    BODY,
  );
  const [finding] = of('CALL-CREATE-BODY/createCall')?.findings ?? [];
  expect([finding?.stimulus, finding?.sibling?.difference]).toEqual(['the body is null', 'a valid request']);
});

test('an effect is known by the change that had it, and not by the read that shows it', async () => {
  const early = FAULTS.find(({ name }) => name === 'refused-change-happens');
  const { of } = await run(early?.inject ?? ((service) => service), narrowed('AUTH-NO-EFFECT'));
  const stimuli = of('AUTH-NO-EFFECT/updateTrunk')?.findings.map(({ stimulus }) => stimulus);
  const changes = 'a change with the credential none and a change with the credential wrong-secret';
  expect(stimuli).toEqual([`getTrunk: the trunk after ${changes}`]);
});

test('what every request shows is shown by the plain one, not by a value that was sent alone', async () => {
  const byteOrderMark = saying(all(on('assignNumber'), authorized), (reply) => ({
    ...reply,
    body: `\ufeff${reply.body}`,
  }));
  const { of } = await run(
    byteOrderMark,
    narrowed('JSON-SYNTAX/assignNumber', 'SUCCESS-STATUS', 'NUMBER-ASSIGN-LETTER-CASE'),
  );
  const accepted = of('JSON-SYNTAX/assignNumber')?.findings.find(({ where }) => where === 'the body of the 200');
  expect(accepted?.stimulus).toBe('a valid request');
});

describe('retryable answers without the envelope', () => {
  const busy = (status: number, most: number, operations: readonly string[]): Inject => {
    const isDue = new Map(operations.map((operation) => [operation, times(most, () => true)]));
    return instead(
      (visit) => authorized(visit) && isDue.get(operationOf(visit.request) ?? '')?.(visit) === true,
      () => text(status, 'text/plain', 'Slow down'),
    );
  };

  const READS = ['getTrunk', 'listTrunks', 'getCarrierProvider'];
  const ENVELOPES = narrowed(
    'SUCCESS-STATUS',
    ...READS.flatMap((id) => [`JSON-SYNTAX/${id}`, `JSON-LABEL/${id}`, `ERROR-ENVELOPE/${id}`]),
  );

  test('are a finding where many operations send them, and flaky where one does', async () => {
    const many = await run(busy(429, 2, READS), ENVELOPES);
    const names = [...new Set(many.broken.map(({ id }) => id.split('/')[0]))];
    expect(names).toEqual(['JSON-SYNTAX', 'JSON-LABEL', 'ERROR-ENVELOPE']);
    const one = await run(busy(429, 1, ['getTrunk']), ENVELOPES);
    expect([one.broken, one.results.intermittent.length]).toEqual([[], 1]);
  });

  test('do not pass for the envelope of a 503 from create call', async () => {
    const { of } = await run(busy(503, 1, ['createCall']), narrowed('CALL-CREATE-503', 'CALL-CREATE-STATUS'));
    expect(of('CALL-CREATE-503/createCall')?.verdict).not.toBe('pass');
  });
});

test('a read after a restore does not make a service that answers updates with 204 one that shows changes late', async () => {
  const { of } = await run((service) => async (request) => {
    const reply = await service(request);
    return request.method === 'PATCH' && reply.status === 200
      ? { ...reply, status: 204, headers: [], body: '' }
      : reply;
  });
  expect(of('AUTH-NO-EFFECT/updateTrunk')).toMatchObject({ verdict: 'pass' });
});
