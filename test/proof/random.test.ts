import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';

const envelope = JSON.stringify({ success: false, error: { code: 'internal', message: 'broken' } });
const broken = { status: 500, headers: [['Content-Type', 'application/json']] as const, body: envelope };

/** Breaks on a body that systematic values never hold. */
function breaksOn(service: Service, isHit: (text: string) => boolean): Service {
  return async (request) => (isHit(Buffer.from(request.body).toString()) ? broken : service(request));
}

const randomOf = (record: { exchanges: readonly { tag: { sequence: string } }[] }) =>
  record.exchanges.filter(({ tag }) => tag.sequence.includes('/random '));

function grouped<T extends { tag: { sequence: string } }>(exchanges: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const exchange of exchanges) {
    const { sequence } = exchange.tag;
    groups.set(sequence, [...(groups.get(sequence) ?? []), exchange]);
  }
  return groups;
}

describe('random bodies', () => {
  test('a lawful service keeps every requirement under hundreds of them, within the calls', async () => {
    const { service, settings, inspect } = createReference();
    const options = optionsFrom(settings, { runs: 60, maxRequests: 4400 });
    const { record, results } = await judge(service, options);
    expect(results.verdict).toBe('conformant');
    expect(randomOf(record).length).toBeGreaterThan(200);
    expect(inspect().callsAccepted).toBeLessThanOrEqual(12);
    expect(inspect().callsOpen).toBe(0);
  });

  test('none are sent by default, and the same seed sends the same ones', async () => {
    const sent = async (runs: number, seed: number) => {
      const { service, settings } = createReference();
      const { record } = await judge(service, optionsFrom(settings, { runs, seed, maxRequests: 4400 }));
      return randomOf(record);
    };
    const bodies = (exchanges: readonly object[]) => exchanges.map((one) => Reflect.get(one, 'request').body.text);
    expect(await sent(0, 1)).toEqual([]);
    const first = bodies(await sent(10, 1));
    expect(bodies(await sent(10, 1))).toEqual(first);
    expect(bodies(await sent(10, 2))).not.toEqual(first);
  });

  test('what only a random body shows is found and shrunk, and shrinking stays within its budget', async () => {
    const { service, settings } = createReference();
    const isHit = (text: string) => /"ring_timeout_seconds":-?\d{4}/.test(text);
    const { record, results } = await judge(
      breaksOn(service, isHit),
      optionsFrom(settings, { runs: 60, maxRequests: 4400 }),
    );
    const row = results.requirements.find(({ id }) => id === 'NO-SERVER-ERROR');
    expect(row?.verdict).toBe('fail');
    const perSequence = grouped(randomOf(record));
    for (const exchanges of perSequence.values()) expect(exchanges.length).toBeLessThanOrEqual(31);
    expect([...perSequence.values()].some((exchanges) => exchanges.length > 3)).toBe(true);
  });
});
