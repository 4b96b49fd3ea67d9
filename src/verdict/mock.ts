/** Whether a target looks like a mock server: its answers do not depend on the request. */

import { groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { statusOf } from './answer.ts';

/** The reference service gives some 60 % of its answers with the commonest status of their operation. */
const MOCK_SHARE = 0.9;
/** A run that ended after a few reads shows nothing. */
const FEWEST = 100;

/** `; this looks like a mock: 97 % of the answers do not depend on the request`; empty for anything else. */
export function mockPhrase(exchanges: readonly Exchange[]): string {
  const answered = exchanges.filter(({ tag, response }) => tag.documented && response !== null);
  if (answered.length < FEWEST) return '';
  const alike = [...groupBy(answered, ({ tag }) => tag.operation).values()].map((own) =>
    Math.max(...[...groupBy(own, statusOf).values()].map((same) => same.length)),
  );
  const share = alike.reduce((sum, count) => sum + count, 0) / answered.length;
  if (share < MOCK_SHARE) return '';
  return `; this looks like a mock: ${Math.floor(share * 100)} % of the answers do not depend on the request`;
}
