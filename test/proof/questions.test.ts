/** What a verdict rests on: every planned question is asked or named, and a comparison is in the record. */

import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { Ask, Exchange } from '../../src/exchange/exchange.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import type { Results } from '../../src/verdict/results.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf, judged, plainRun } from '../selftest/judged.ts';
import { World } from './simulation.ts';
import { unsaidIn } from './variants-alone.ts';

const verdictsOf = (results: Results): ReadonlyMap<string, string> =>
  new Map(casesOf(results).map(({ id, verdict }) => [id, verdict]));

/** The record of a run against a service that keeps organizations apart for trunks alone. */
const alike = (async (): Promise<RunRecord> => {
  const fault = FAULTS.find(({ name }) => name === 'organizations-alike-but-for-trunks');
  const { service, settings } = createReference();
  const options = optionsFrom(settings, narrowed('ORG-CALL', 'ORG-ISOLATION'));
  return (await judge(fault?.inject(service, settings) ?? service, options)).record;
})();

test('a sequence notes nothing of a question on which an answer was judged', async () => {
  const { service, settings } = createReference();
  const { record } = await judge(service, optionsFrom(settings, narrowed('UPDATE-VISIBLE', 'AUTH-HEAD/listTrunks')));
  expect(record.skipped.flatMap(({ sequence, asks }) => asks.map(({ id }) => `${id}: ${sequence}`))).toEqual([]);
});

test('a sequence notes nothing of a question that an answer was recorded for', async () => {
  const { record } = await plainRun();
  const questions = (asks: readonly Ask[], sequence: string) =>
    asks.map(({ id, variation }) => `${id}: ${variation} (${sequence})`);
  const asked = new Set(record.exchanges.flatMap(({ tag }) => questions(tag.asks, tag.sequence)));
  const noted = record.skipped.flatMap(({ asks, sequence }) => questions(asks, sequence));
  expect(noted.filter((question) => asked.has(question))).toEqual([]);
});

describe('a comparison', () => {
  const isComparison = ({ tag }: Exchange): boolean => tag.role === 'compared';

  test('comes before what is compared with it', async () => {
    const { exchanges } = await alike;
    const others = exchanges.filter(({ request, tag }) => {
      return (
        request.credential === 'other-organization' && tag.ids !== 'none' && !/no effect|clean-up/.test(tag.sequence)
      );
    });
    const first = new Map<string, Exchange>();
    for (const one of others) if (!first.has(one.tag.sequence)) first.set(one.tag.sequence, one);
    expect(first.size).toBeGreaterThan(7);
    // Another spelling of an id is compared with what the operation was asked of a made-up one before.
    const isSpelled = ({ tag }: Exchange): boolean => /\/path with|\/other slash form/.test(tag.sequence);
    const isBehind = (one: Exchange): boolean =>
      others.some((other) => isComparison(other) && other.tag.operation === one.tag.operation && other.seq < one.seq);
    const open = [...first.values()].filter((one) => !isComparison(one) && !(isSpelled(one) && isBehind(one)));
    expect(open.map(({ tag }) => tag.sequence)).toEqual([]);
  });
});

describe('a must finding', () => {
  const answering =
    (service: Service, isMeant: (body: string, type: string) => boolean, status: number): Service =>
    async (request) => {
      const reply = await service(request);
      const isCreate = request.method === 'POST' && request.target === '/v1/calls/';
      const text = new TextDecoder().decode(request.body);
      const type = request.headers['content-type'] ?? '';
      return isCreate && reply.status === 201 && isMeant(text, type) ? { ...reply, status } : reply;
    };

  test.each([
    ['text/plain answered 200', { 'media-type': 'ignored' }, (_: string, type: string) => /^text/.test(type), 200],
    ['null answered 202', { 'optional-nulls': 'absent' }, (text: string) => text.includes('"privacy":null'), 202],
  ] as const)('is not hidden by a recommendation on the same exchange: %s', async (_, choices, isMeant, status) => {
    const { service, settings } = createVariant(choices);
    const { results } = await judge(
      answering(service, isMeant, status),
      optionsFrom(
        settings,
        narrowed('CALL-CREATE-STATUS', 'CALL-CREATE-NULLABLE', 'CONTENT-TYPE-OTHER', 'NULL-REFUSED'),
      ),
    );
    expect(results.verdict).toBe('non-conformant');
    expect(verdictsOf(results).get('CALL-CREATE-STATUS/createCall')).toBe('fail');
  });
});

describe('a run that ends early', () => {
  const ends = sampled([546, 164, 820], 3);

  test.each(ends.items)(
    `after %i thousandths of its requests keeps the verdicts that were complete by then (${ends.words})`,
    async (thousandths) => {
      const world = new World();
      const whole = await world.run(['run', '--profile', 'full', '--explore', '0']);
      expect(whole.code).toBe(0);
      const complete = verdictsOf(resultsIn(world));
      const at = Math.round((world.reference.inspect().requests.length * thousandths) / 1_000);
      const again = new World();
      let sent = 0;
      const request = (): null => {
        sent += 1;
        if (sent === at * 2) again.send('SIGINT');
        return null;
      };
      const { code } = await again.run(['run', '--profile', 'full', '--explore', '0'], { request });
      expect(code).toBe(130);
      const results = resultsIn(again);
      expect([results.verdict, unsaidIn(results)]).toEqual(['incomplete', []]);
      const passed = casesOf(results).filter(({ verdict }) => verdict === 'pass');
      expect(passed.length).toBeGreaterThan(at / 10);
      expect(passed.filter(({ id }) => complete.get(id) !== 'pass')).toEqual([]);
      const open = casesOf(results).filter(({ verdict }) => verdict === 'inconclusive');
      expect(open.length).toBeGreaterThan(0);
      expect(open.filter(({ reason = '' }) => reason === '')).toEqual([]);
    },
  );
});

test('a spelling that answers without a credential as with one leaves its case open where no call can be placed', async () => {
  const fault = FAULTS.find(({ name }) => name === 'hang-up-alias-open');
  const reasons = [{}, { scope: 'no-call-creation' }].map(async (choices) => {
    const { results } = await judged(choices, {}, fault);
    const found = casesOf(results).find(({ id }) => id === 'AUTH-ALIAS/hangUpCall');
    return [found?.verdict, found?.reason];
  });
  expect(await Promise.all(reasons)).toEqual([
    ['fail', expect.stringContaining('status 200')],
    ['inconclusive', 'the valid credential got status 409 too, and no call was open to tell them apart'],
  ]);
});

const FOLDER = 'conformance-report';

const resultsIn = ({ disk }: World): Results => JSON.parse(disk.read(`${FOLDER}/results.json`) ?? 'null');

describe('--require-complete', () => {
  test('makes a run incomplete that lacks a setting, and names it', async () => {
    const world = new World();
    Object.assign(world.reference.settings, { PCS_OTHER_ORG_ACCESS_TOKEN: undefined });
    const words = ['run', '--profile', 'read-only', '--explore', '0'];
    expect((await world.run(words)).code).toBe(0);
    const { code, screen } = await world.run([...words, '--require-complete']);
    expect([code, screen]).toEqual([
      3,
      expect.stringMatching(
        /INCOMPLETE .*not the whole interface was judged: .* not judged; to resolve: \(1\) set PCS_OTHER_ORG_ACCESS_TOKEN /,
      ),
    ]);
  });

  test('leaves a run of the whole interface conformant, and no run of less', async () => {
    const run = (...words: readonly string[]) =>
      new World().run(['run', '--explore', '0', '--require-complete', '--profile', ...words]);
    expect((await run('full')).code).toBe(0);
    for (const words of [['read-only'], ['full', '--without', 'answer']]) {
      const { code, screen } = await run(...words);
      expect([code, screen]).toEqual([3, expect.stringContaining('not the whole interface was judged')]);
    }
  });
});
