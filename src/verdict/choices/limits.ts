/** Choices about limits (section 8): header fields that tell of a rate, and answers that took long. */

import type { Exchange } from '../../exchange/exchange.ts';
import { statusOf } from '../answer.ts';
import { byOperation, type Reader } from './choice.ts';

const RATE = /rate-?limit|^retry-after$/;
/** Milliseconds. A bound so wide that only what a caller would notice passes it. */
const LATE = 10_000;

function rates(own: readonly Exchange[]): readonly string[] {
  const names = own.flatMap(({ response }) => response?.headers.map(([name]) => name.toLowerCase()) ?? []);
  const telling = [...new Set(names)].filter((name) => RATE.test(name)).sort();
  const enforced = own.some((exchange) => statusOf(exchange) === 429) ? ['429 seen'] : [];
  return [telling.length === 0 ? 'no header field' : `header fields: ${telling.join(', ')}`, ...enforced];
}

/** Choices about limits; a time itself is never one. */
export const limitChoices: Reader = (exchanges) =>
  [...byOperation(exchanges)].flatMap(([operation, own]) => [
    ...rates(own).map((choice) => ({ gap: 'GAP-RATE-LIMITS', operation, choice })),
    {
      gap: 'GAP-LATENESS',
      operation,
      choice: own.some(({ took }) => took > LATE) ? 'over 10 s' : 'within 10 s',
    },
  ]);
