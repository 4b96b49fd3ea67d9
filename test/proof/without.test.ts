/**
 * `--without` holds for every request of a run: first reads, health checks and reads for the sake of another case. Only
 * what protects the target is read all the same.
 */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { OPERATION_IDS, type OperationId } from '../../src/contract/operations.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { READS } from '../../suites/operations.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

/** Reads before the first write to a resource, and before and after it is restored. */
const isProtecting = ({ tag }: Exchange): boolean => tag.role === 'before' || tag.sequence.endsWith('/restore');

/** Which of the operations that are left out were sent nevertheless, but to protect the target. */
async function sentNevertheless(without: readonly OperationId[], profile: 'full' | 'read-only') {
  const { service, settings } = createReference();
  const { results, record } = await judge(service, optionsFrom(settings, { without, profile }));
  const sent = new Set(record.exchanges.flatMap((one) => (isProtecting(one) ? [] : [one.tag.operation])));
  return { results, record, sent: without.filter((id) => sent.has(id)) };
}

describe('--without', () => {
  const each = sampled(
    OPERATION_IDS.flatMap((id) => (['full', 'read-only'] as const).map((profile) => ({ id, profile }))),
    9,
    ({ id }) => id === 'hangUpCall',
  );

  test.each(each.items)(`$id in the profile $profile (${each.words})`, async ({ id, profile }) => {
    const { results, sent } = await sentNevertheless([id], profile);
    // A call that the run places has to be hung up.
    expect(sent).toEqual(id === 'hangUpCall' && profile === 'full' ? [id] : []);
    expect(results.verdict).toBe('conformant');
  });

  const alive = sampled(READS, 5);

  test.each(alive.items)(`all reads but %s, which shows that the credential is alive (${alive.words})`, async (id) => {
    const others = READS.filter((other) => other !== id);
    const { results, record, sent } = await sentNevertheless(others, 'full');
    expect([sent, results.endedEarly]).toEqual([[], null]);
    expect(record.exchanges.some(({ tag }) => tag.role === 'health-check')).toBe(true);
  });

  test('a read that is left out is sent in a run that writes, so that the target is restored', async () => {
    const { service, settings, inspect } = createReference();
    const before = inspect().restorable;
    const without = ['getTrunk', 'listTrunks', 'listNumbers'] as const;
    const { record } = await judge(service, optionsFrom(settings, { without }));
    const own = record.exchanges.filter(({ tag }) => without.some((id) => id === tag.operation));
    // The list of trunks shows no more than the trunk itself.
    const first = own.filter(({ tag }) => tag.about === 'what is there before the first write');
    expect(first.map(({ tag }) => tag.operation).toSorted()).toEqual(['getTrunk', 'listNumbers']);
    expect([own.filter((one) => !isProtecting(one)), inspect().restorable]).toEqual([[], before]);
  });
});
