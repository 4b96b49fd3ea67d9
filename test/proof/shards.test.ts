/** Shards send what one run sends, and merged they come to what it comes to. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { SEQUENCE_FAULTS } from '../../fixtures/faults/sequences.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { partOf } from '../../src/contract/shard.ts';
import { mergedRecord } from '../../src/run/merge.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { rerun } from '../../src/run/rerun.ts';
import type { JudgedRecord, RunRecord } from '../../src/verdict/record.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { choicesOf, resultsOf, SUITE } from '../../suites/index.ts';
import { inLongAlone, sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

const COUNT = 3;

async function judged(fault: Fault | undefined, changes: Partial<RunOptions>) {
  const { service, settings } = createReference();
  const known = fault?.settings?.(settings) ?? settings;
  return judge(fault?.inject(service, known) ?? service, optionsFrom(known, { maxRequests: 10_000, ...changes }));
}

const sharded = (explore: number, fault?: Fault) =>
  Promise.all([1, 2, 3].map((index) => judged(fault, { explore, shard: { index, count: COUNT } })));

const merged = (records: readonly JudgedRecord[]) =>
  mergedRecord(records as readonly [JudgedRecord, ...JudgedRecord[]], REQUIREMENTS);

/** What was sent in walks, but for ids that the service chose. */
const walked = ({ exchanges }: JudgedRecord): readonly string[] =>
  exchanges
    .filter(({ tag }) => tag.origin !== undefined)
    .map(({ seq, request, tag }) => {
      const path = tag.operation?.endsWith('Call') ? tag.operation : request.path;
      return `${seq} ${tag.sequence} ${request.method} ${path} ${request.credential} ${request.body?.text}`;
    });

const faultOf = (name: string): Fault => {
  const fault = [...FAULTS, ...SEQUENCE_FAULTS].find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault is named ${name}`);
  return fault;
};

/** A label that the first update of the trunk alone lacks: what a shard sends before its walks. */
const UNLABELLED: Fault = {
  ...faultOf('trunks-answer-202'),
  inject: (service) => {
    let isDone = false;
    return async (request) => {
      const reply = await service(request);
      if (isDone || request.method !== 'PATCH' || reply.status !== 200) return reply;
      isDone = true;
      return { ...reply, headers: [['Content-Type', 'text/plain']] };
    };
  },
};

const BUSY = {
  status: 503,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ success: false, error: { code: 'unavailable', message: 'Busy.' } }),
} as const;

describe('the parts of a whole', () => {
  test.each([
    [1, 4],
    [7, 4],
    [100, 7],
    [0, 3],
  ])('of %i in %i follow each other and leave nothing out', (total, count) => {
    const parts = Array.from({ length: count }, (_, at) => partOf({ index: at + 1, count }, total));
    expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([0, total]);
    expect(parts.slice(1).every(({ from }, at) => from === parts[at]?.to)).toBe(true);
    const sizes = parts.map(({ from, to }) => to - from);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    expect(sizes[0]).toBeGreaterThanOrEqual(Math.min(1, total));
  });
});

describe('a shard', () => {
  const parts = sharded(700);

  test('never comes to a verdict of its own, and only the first one places calls', async () => {
    const [first, second] = (await parts).map(({ results }) => results);
    const to = 'to resolve: merge the report folders of all shards';
    expect(first).toMatchObject({ verdict: 'incomplete', partial: true, shard: { index: 1, count: 3 } });
    expect(first?.summary).toBe(`shard 1 of 3 found no failure; ${to}`);
    expect(second).toMatchObject({ verdict: 'incomplete', summary: `shard 2 of 3 found no failure; ${to}` });
    expect(second?.counts).toMatchObject({ calls: 0, cases: { pass: 0, fail: 0 } });
    expect(first?.counts.cases.inconclusive).toBe(0);
    const sent = (await parts)[1]?.record.exchanges ?? [];
    expect(sent.filter(({ request }) => /^POST .v1.calls.$/.test(`${request.method} ${request.path}`))).toEqual([]);
    expect(sent.length).toBeLessThan(first?.counts.requests ?? 0);
  });

  test('can be run again from its record', async () => {
    for (const { record, results } of await parts) {
      const again = await rerun(JSON.parse(JSON.stringify(record)), SUITE);
      expect(resultsOf(again)).toEqual(results);
    }
  });

  test('that ended early leaves the merged run incomplete', async () => {
    const [first, second, third] = (await parts).map(({ record }) => record) as [RunRecord, RunRecord, RunRecord];
    const record = await merged([first, { ...second, endedEarly: 'the run was interrupted' }, third]);
    expect(resultsOf(record)).toMatchObject({
      verdict: 'incomplete',
      summary: expect.stringContaining('shard 2 of 3 ended early: the run was interrupted'),
    });
  });

  test('is heard where it comes across a failure beside its walks', async () => {
    const [first, second] = (await parts).map(({ record }) => record) as [RunRecord, RunRecord];
    const broken = await judged(UNLABELLED, { explore: 700, shard: { index: 3, count: 3 } });
    const results = resultsOf(await merged([first, second, broken.record]));
    expect(results.verdict).toBe('non-conformant');
    expect(brokenIn(results)).toEqual(brokenIn(broken.results));
  });
});

describe('merged shards', () => {
  const compared = sampled<readonly [string, Fault | undefined]>(
    [
      ['a fault that only a late walk shows', faultOf('trunk-gone-after-the-list')],
      ['the reference service', undefined],
      ['a fault that the systematic part shows', faultOf('trunks-answer-202')],
    ],
    3,
  );

  test.each(compared.items)(
    `come to what one run of the same walks comes to: %s (${compared.words})`,
    async (_, fault) => {
      const one = await judged(fault, { explore: 700 });
      const record = await merged((await sharded(700, fault)).map((part) => part.record));
      expect(record.forgotten).toBeGreaterThan(100);
      expect(record.forgotten).toBe(one.record.forgotten);
      expect(walked(record)).toEqual(walked(one.record));
      expect(resultsOf(record)).toEqual(one.results);
      expect(choicesOf(record)).toEqual(choicesOf(one.record));
    },
  );

  inLongAlone('keep which exchange another was sent in the place of', async () => {
    const late = faultOf('trunk-gone-after-the-list');
    let sent = 0;
    const busy: Fault = {
      ...late,
      inject: (service, settings) => {
        const behind = late.inject(service, settings);
        return async (request) => {
          sent += 1;
          return sent % 25 === 0 ? BUSY : behind(request);
        };
      },
    };
    const { exchanges } = await merged((await sharded(150, busy)).map((part) => part.record));
    const bySeq = new Map(exchanges.map((one) => [one.seq, one]));
    const resent = exchanges.filter(({ tag }) => tag.replaces !== undefined);
    const inWalks = resent.filter(({ tag }) => tag.origin !== undefined);
    expect([resent.length, inWalks.length].every((count) => count > 2)).toBe(true);
    for (const { tag, request } of resent) {
      expect(bySeq.get(tag.replaces ?? 0)).toMatchObject({
        tag: { sequence: tag.sequence },
        request: { path: request.path },
        response: { status: 503 },
      });
    }
  });
});
