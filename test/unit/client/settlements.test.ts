/** What is believed of symptoms: requests, each with all its answers, and what settled them. */

import { expect, test } from 'vitest';
import { EXHAUSTED, type Sent, unavailableKey } from '../../../src/client/reasons.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import { Settlements } from '../../../src/client/settlements.ts';
import { PLAIN_REQUEST } from '../../../src/exchange/exchange.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const PLACE = { sequence: 's', attempt: 0, isOfLedger: true };
const request = (operation: SuiteRequest['operation'], path: string): SuiteRequest =>
  ({ operation, method: 'POST', path, credential: 'valid', body: Buffer.from('{"to":"1"}'), role: 'probe' }) as never;
const SENT: Readonly<Record<string, SuiteRequest>> = {
  read: request('getTrunk', '/v1/trunks/a'),
  list: request('listTrunks', '/v1/trunks/'),
  update: request('updateTrunk', '/v1/trunks/a'),
  call: request('createCall', '/v1/calls/'),
  'end-a': request('hangUpCall', '/v1/calls/a/hangup'),
  'end-A': request('hangUpCall', '/v1/calls/A/hangup/'),
  'end-b': request('hangUpCall', '/v1/calls/b/hangup'),
  'end-c': request('hangUpCall', '/v1/calls/c/hangup'),
};
const READ = SENT['read'] as SuiteRequest;

/** The kind of each request: `read@x 500 200, call lost`, where `500!` is a page, `fell` was lost with the target, `garbled` is not HTTP and `x` was sent; and what the record keeps. */
function settled(sent: string, settlements = new Settlements()): readonly [kinds: string, facts: object] {
  let seq = 0;
  const kinds = sent.split(', ').map((words) => {
    const [sent = '', ...answers] = words.split(' ');
    const [name = '', about = PLAIN_REQUEST] = sent.split('@');
    const request = SENT[name] as SuiteRequest;
    const sendings = answers.map((answer) => {
      const status = Number.parseInt(answer, 10) || null;
      const said = {
        status,
        tag: { operation: request.operation, about },
        ...(answer.endsWith('!') && { body: null }),
      };
      const exchange = exchangeOf(said, seq++);
      const failure = answer === 'garbled' ? { kind: 'malformed' as const, detail: 'not HTTP' } : exchange.failure;
      return settlements.learn(request, { ...exchange, failure });
    });
    if (answers[0] === 'fell') sendings[0] = { ...sendings[0], fell: true } as Sent;
    return settlements.settle(sendings as never, { request, place: PLACE }).kind;
  });
  return [kinds.join(', '), settlements.facts];
}

const fourTimes = (answer: string, between = 'list 200'): string =>
  Array(4).fill(`read ${answer}`).join(`, ${between}, `);
const FIVE = 'read 500 500 500 500 500';
const five = (name: string): string => `${name} 500! 500! 500! 500! 500!`;

test.each<readonly [string, string, RegExp, readonly number[]]>([
  ['shown by every sending', FIVE, /^confirmed$/, [5]],
  ['shown once', 'read 500', /^unsettled$/, []],
  ['that went away', 'read 500 200', /^flaky$/, []],
  ['known for its operation', `${FIVE}, read 500`, / confirmed$/, [5, 6]],
  ['known for another operation', `${FIVE}, list 500`, / unsettled$/, [5]],
  ['known for what is sent', `${five('read@x')}, ${five('list@x')}, update@x 500!`, / confirmed$/, [5, 10, 11]],
  ['known for it on one operation', `${five('read@x')}, list@x 500!`, / unsettled$/, [5]],
  [
    'known for operations that break anyway',
    `${five('read@y')}, ${five('list@y')}, read@x 500!, list@x 500!, update@x 500!`,
    / unsettled$/,
    [5, 10, 11, 12],
  ],
  ['known for something else', `${five('read@x')}, ${five('list@x')}, update@y 500!`, / unsettled$/, [5, 10]],
  ['that not all show', `${five('read@x')}, update@x 400, ${five('list@x')}, call@x 500!`, / unsettled$/, [5, 11]],
  ['of valid requests', `${five('read')}, ${five('list')}, update 500!`, / unsettled$/, [5, 10]],
  ['of four pages, with answers between', fourTimes('404!'), /confirmed$/, [1, 3, 5, 7]],
  ['of four pages that a lock-out may write', fourTimes('403!'), /unsettled$/, []],
  ['of four pages of a gateway', fourTimes('502!'), /unsettled$/, []],
  ['of four pages, without an answer between', fourTimes('404!', 'list 404!'), /unsettled$/, []],
  ['of four errors of the service', fourTimes('500'), /confirmed$/, [1, 3, 5, 7]],
  ['of four answers that are not HTTP', fourTimes('garbled'), /confirmed$/, [1, 3, 5, 7]],
  ['of four answers that are lost', fourTimes('lost'), /unsettled$/, []],
  ['of a call, twice', 'call 500 500', /^confirmed$/, [2]],
  ['of calls, once each', 'call 500, call 502', /^unsettled, unsettled$/, [1, 2]],
  ['of calls, where another was answered', 'call 500, call 502, call 201', /answered$/, []],
  ['of a single call', 'call 500', /^unsettled$/, []],
  ['of a call without an answer', 'call lost lost', /^unsettled$/, [1, 2]],
  ['of such a call, where answers get lost', 'call lost lost, read lost 200', /flaky$/, []],
  ['of such a call, where the target fell', 'call lost lost, read fell 200', /flaky$/, [1, 2]],
  ['of the first hang-ups of calls', 'end-a 500, end-b 500', /^unsettled, unsettled$/, [1, 2]],
  ['of hang-ups of the same call', 'end-a 500, end-A 500', /^unsettled, unsettled$/, []],
  ['of hang-ups, another of which was accepted', 'end-a 500, end-b 500, end-c 200', /answered$/, []],
  ['of hang-ups, another of which found no call', 'end-a 500, end-b 500, end-c 404', /answered$/, [1, 2]],
  ['of an answer that asks for later', 'read 503, read 503!, call 503, call 429!', /^(?:put off(?:, |$)){4}$/, []],
  ['of a call that a gateway puts off', 'call 503!', /^unsettled$/, []],
  ['of no answer that came', 'read 200, read 404', /^answered, answered$/, []],
])('a symptom %s', (_, sent, kinds, confirmed) => {
  expect(settled(sent)).toEqual([expect.stringMatching(kinds), confirmed.length === 0 ? {} : { confirmed }]);
});

test('what takes the target down is a crash of that request alone', () => {
  const settlements = new Settlements();
  const crash = settlements.learn(READ, exchangeOf({ status: null, tag: { operation: 'getTrunk' } }, 0));
  settlements.confirm([crash.exchange], true);
  expect(settlements.settle([crash], { request: READ, place: PLACE }).kind).toBe('crashed');
  expect([settlements.isBelieved(crash), settlements.isBelieved({ ...crash, symptom: null })]).toEqual([false, true]);
  expect(settlements.facts).toEqual({ confirmed: [1], crashes: [1] });
});

test('outages that meet are one', () => {
  const settlements = new Settlements();
  for (const from of [1, 4, 2, 9]) settlements.outage(from, from + 3);
  expect(JSON.stringify(settlements.facts)).toBe('{"outages":[[1,7],[9,12]]}');
});

test.each([
  ['503', [unavailableKey(READ), EXHAUSTED]],
  ['429', [EXHAUSTED]],
  ['404', []],
  ['lost', [unavailableKey(READ), EXHAUSTED]],
])('after %s this is still given up: %j', (answer, left) => {
  const settlements = new Settlements();
  for (const key of [unavailableKey(READ), EXHAUSTED]) settlements.gaveUp.add(key);
  settled(`read ${answer}`, settlements);
  expect([...settlements.gaveUp]).toEqual(left);
});
