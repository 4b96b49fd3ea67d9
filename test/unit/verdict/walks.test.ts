import { expect, test } from 'vitest';
import type { ExchangeTag } from '../../../src/exchange/exchange.ts';
import { foldFindings } from '../../../src/verdict/folded.ts';
import { found, PASS } from '../../../src/verdict/opinion.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const FAILS = found('the status', 'no 5xx', 'status 500');
const [READ, CHANGE] = ['getTrunk', 'updateTrunk'] as const;

/** A request of the plan; or of the walk with that path, to which a random body was drawn with that number. */
const sent = (operation: string, about: string, path?: string, body?: number) => ({ operation, about, path, body });
type Sent = ReturnType<typeof sent>;

/** What is told of requests that fail, with others before them that don't. */
function told(all: readonly (Sent | readonly [Sent, typeof PASS])[]) {
  const opinions = all.map((one, at) => {
    const [{ operation, about, path, body }, opinion] = 'about' in one ? [one, FAILS] : [one[0], one[1]];
    const origin = path && { seed: 1, path, commands: path.split(':').length - 1, ...(body && { body }) };
    const tag = { operation, about, asks: [], sequence: path ?? `plan ${at}`, ...(origin && { origin }) };
    return { id: 'X/getTrunk', variation: '', opinion, exchange: exchangeOf({ tag: tag as Partial<ExchangeTag> }, at) };
  });
  const exchanges = opinions.map(({ exchange }) => exchange);
  const own = opinions.filter(({ opinion, exchange }) => opinion === FAILS || exchange.tag.origin === undefined);
  return foldFindings(own, READ, exchanges).findings.map((one) => [one.stimulus, one.exchanges]);
}

const plain = sent(READ, 'a valid request');
const passes = [sent(READ, 'another request'), PASS] as const;
const quiet = (one: Sent) => [one, PASS] as const;

test('a walk whose failing request fails alone as well is a view of that finding', () => {
  const walk = [quiet(sent(CHANGE, 'a valid request', '0:1:2')), sent(READ, 'a valid request', '0:1:2')];
  expect(told([plain, passes, ...walk])).toEqual([['a valid request', [1, 4]]]);
});

test('a walk is told beside it if its failing request is another, by its commands without equal ones', () => {
  const walk = [1, 1, 2].map((_, at) => quiet(sent(CHANGE, at < 2 ? 'a valid request' : 'an empty body', '0:1:2:3')));
  const last = sent(READ, 'an unknown id', '0:1:2:3');
  const commands = 'updateTrunk (a valid request), updateTrunk (an empty body), getTrunk (an unknown id)';
  expect(told([plain, passes, ...walk, last])).toEqual([
    ['a valid request', [1]],
    [commands, [6]],
  ]);
});

test('it is a view where nothing that was sent meets the requirement', () => {
  expect(told([plain, sent(READ, 'an unknown id', '0:1')])).toEqual([['a valid request', [1, 2]]]);
});

test('a walk with the commands of a smaller one among its own is a view of that', () => {
  const [first, between, last] = [
    sent(CHANGE, 'a valid request'),
    sent(CHANGE, 'a body that is cut short'),
    sent(READ, 'a valid request'),
  ];
  const on = (path: string) => (one: Sent) => ({ ...one, path });
  const longer = [first, between, last].map(on('0:1:2:3'));
  const smaller = [first, last].map(on('0:1:3'));
  const other = [between, last].map(on('1:0:5'));
  const onward = [first, last, sent(READ, 'an unknown id')].map(on('2:1:3:4'));
  const walks = [longer, smaller, other, onward].map((walk) =>
    walk.map((one, at) => (at < walk.length - 1 ? quiet(one) : one)),
  );
  expect(told([passes, ...walks.flat()])).toEqual([
    ['updateTrunk (a valid request), getTrunk (a valid request)', [4, 6]],
    ['updateTrunk (a body that is cut short), getTrunk (a valid request)', [8]],
    ['updateTrunk (a valid request), getTrunk (a valid request), getTrunk (an unknown id)', [11]],
  ]);
});

test('a random body is named by its draw, unless the same request without it fails as well', () => {
  const drawn = [sent(READ, 'a valid request', '0:1', 71), sent(READ, 'a valid request', '1:1', 72)];
  expect(told([passes, ...drawn]).map(([stimulus]) => stimulus)).toEqual([
    'getTrunk (a valid request, random body 71)',
  ]);
  expect(told([passes, ...drawn, sent(READ, 'a valid request', '2:1')]).map(([stimulus]) => stimulus)).toEqual([
    'getTrunk (a valid request)',
  ]);
});
