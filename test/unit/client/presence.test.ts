/** Whether the target is there: what reads in a row show of it. */

import { expect, test } from 'vitest';
import { Budget } from '../../../src/client/budget.ts';
import { NO_TIME } from '../../../src/client/client-options.ts';
import { Presence } from '../../../src/client/presence.ts';
import type { Sent } from '../../../src/client/reasons.ts';
import type { PlacedRequest, SuiteRequest } from '../../../src/client/request.ts';
import { Settlements } from '../../../src/client/settlements.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const READ = { operation: 'getTrunk', method: 'GET', path: '/v1/trunks/a', credential: 'valid' } as SuiteRequest;
const PLACED: PlacedRequest = { request: READ, place: { sequence: 's', attempt: 0 } };

/** What looks at a target whose reads get these answers, the last one for good. */
function looking(answers: string) {
  const all = answers.split(' ');
  const settlements = new Settlements();
  let seq = 0;
  const presence = new Presence({
    budget: new Budget({ clock: NO_TIME, maxWait: 300_000, callTimeout: 1, timeout: 1 }, () => false),
    settlements,
    check: () => READ,
    send: async () => {
      const answer = all[seq] ?? all.at(-1) ?? '';
      const exchange = exchangeOf({ status: Number(answer) || null, tag: { operation: 'getTrunk' } }, seq++);
      const failure = answer === 'refused' ? { kind: 'refused' as const, detail: '' } : exchange.failure;
      return { exchange: { ...exchange, failure } };
    },
  });
  return { presence, settlements };
}

/** What is found, and the outages that are noted. */
async function found(answers: string): Promise<string> {
  const { presence, settlements } = looking(answers);
  const is = await presence.of(PLACED);
  return [is, ...(settlements.facts.outages ?? []).flat()].join(' ');
}

test.each([
  ['200', 'present'],
  ['404', 'present'],
  ['lost 200', 'present'],
  ['lost 502 200', 'present 1 3'],
  ['502 504 lost 200', 'back 1 4'],
  ['500 500 500 200', 'present 1 4'],
  ['lost lost 500 200', 'present 1 4'],
  ['refused 200', 'back'],
  ['lost', 'gone 1 8'],
])('after reads that get %s, the target is %s', async (answers, is) => {
  expect(await found(answers)).toBe(is);
});

test.each([
  [500, 'refused 200', false],
  [null, 'refused 200', true],
  [null, '200', false],
])('a request that got %s, and the reads after it %s, took the target down: %s', async (status, answers, fell) => {
  const sent: Sent[] = [{ exchange: exchangeOf({ status }, 0), isLockedOut: false, symptom: 'a symptom' }];
  expect(await looking(answers).presence.isBack(PLACED, sent)).toBe(true);
  expect(sent[0]?.fell ?? false).toBe(fell);
});
