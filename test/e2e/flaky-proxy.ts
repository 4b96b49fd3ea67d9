/** What a bad network makes of a service: some answers, chosen by a seed, are lost or replaced after the deed was done. */

import { createHash } from 'node:crypto';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';

/** What becomes of an answer. */
const FLAKES = ['502', '504', 'reset', 'stall'] as const;

/** One of the ways to lose an answer. */
export type Flake = (typeof FLAKES)[number];

const gateway = (status: number): ServiceReply => ({
  status,
  headers: [['Content-Type', 'text/html']],
  body: `<html><h1>${status} from the gateway</h1></html>`,
});

function flaked(flake: Flake, reply: ServiceReply): ServiceReply {
  if (flake === 'reset') return { ...reply, fate: 'reset' };
  return flake === 'stall' ? { ...reply, fate: 'hang' } : gateway(Number(flake));
}

/** Numbers from 0 up to 1 that depend on the seed and on how many came before. */
function numbers(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** The service behind such a network; `share` of the answers (0 to 1) is replaced, and `seen` hears of each. */
export function behindFlakyProxy(
  service: Service,
  options: { readonly seed: number; readonly share: number; readonly seen?: (flake: Flake) => void },
): Service {
  const next = numbers(options.seed);
  return async (request) => {
    const reply = await service(request);
    const [isLost, kind] = [next() < options.share, next()];
    const flake = FLAKES[Math.floor(kind * FLAKES.length)];
    if (!isLost || flake === undefined) return reply;
    options.seen?.(flake);
    return flaked(flake, reply);
  };
}
