/** Judges a service behind a real socket: the same proof, with a parser and a client between judge and judged. */

import { listen } from '../../fixtures/service/serve.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { Clock } from '../client/pacing.ts';
import { undiciTransport } from '../client/transport.ts';
import type { RunOptions } from '../run/options.ts';
import { judge } from './harness.ts';

/** A reply that never comes costs a whole timeout; a closed connection breaks the same rule. */
const neverHanging: (service: Service) => Service = (service) => async (request) => {
  const reply = await service(request);
  return reply.fate === 'hang' ? { ...reply, fate: 'reset' } : reply;
};

/** Like `judge`, over a loopback socket; pauses are skipped all the same. */
export async function judgeOverSocket(service: Service, options: RunOptions, clock: Clock): ReturnType<typeof judge> {
  const { url, close } = await listen(neverHanging(service));
  const { transport, close: hangUp } = undiciTransport({ origin: url });
  try {
    return await judge(service, { ...options, baseUrl: url }, clock, transport);
  } finally {
    await hangUp();
    await close();
  }
}
