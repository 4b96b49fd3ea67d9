/** Services that answer create calls and hang-ups in all ways but lies: test/proof tries a few, test/long more. */

import { expect, test } from 'vitest';
import type { ServiceReply } from '../../fixtures/service/types.ts';
import { type Behaviour, callsLeft, ENVELOPE, json, reset } from './calls-named.ts';

export const located = (id: string): ServiceReply => ({
  status: 303,
  headers: [['Location', `/v1/calls/${id}`] as const],
  body: '',
});
export const followed = (id: string) => json(400, `${ENVELOPE}{"data":{"call":{"id":"${id}"}}}`);

/** Numbers from 0 to 1 that follow from a seed. */
function drawn(seed: number): () => number {
  let state = seed * 7_919 + 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Answers of all kinds but lies to create calls and hang-ups, as the seed has it. */
function chaos(seed: number): Behaviour {
  const random = drawn(seed);
  const [oddCreates, oddHangUps] = [random() * 0.6, random()];
  const pick = <T>(...ways: readonly T[]): T => ways[Math.floor(random() * ways.length)] as T;
  const lives = new Map<string, string>();
  return {
    created: (id, reply) => {
      if (random() > oddCreates) return reply;
      return pick(
        located,
        followed,
        reset,
        () => json(201, '{}'),
        () => json(503, 'Later'),
        (call: string) => json(500, JSON.stringify({ call_id: call })),
      )(id);
    },
    ...(random() < 0.3 ? { rejected: (id) => (random() < 0.2 ? followed(id) : undefined) } : {}),
    hungUp: ({ id, age, end }) => {
      const life =
        lives.get(id) ??
        (random() > oddHangUps
          ? 'honest'
          : pick('late', 'slow', 'lost', 'dead400', 'dead403', 'dead500', 'first', 'flaky'));
      lives.set(id, life);
      if (life === 'late') return age < 20_000 ? json(404) : undefined;
      if (life === 'slow') return age < 5_000 ? json(423) : undefined;
      if (life.startsWith('dead')) return json(Number(life.slice(4)));
      if (life === 'flaky') return random() < 0.5 ? reset() : undefined;
      if (life === 'honest') return undefined;
      end();
      lives.set(id, 'first');
      return life === 'lost' ? reset() : json(409);
    },
  };
}

/** Registers the proof for these seeds. */
export function proveNoCallIsLost(seeds: readonly number[]): void {
  test.each(seeds)('chaos %i leaves no call open and unnamed', async (seed) => {
    const { unnamed, verdict, possiblyOpen } = await callsLeft(chaos(seed));
    expect(unnamed).toBe(0);
    if (possiblyOpen.length > 0) expect(verdict).not.toBe('conformant');
  });
}
