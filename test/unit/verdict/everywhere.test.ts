/** What is wrong with the content of every answer of a kind is one defect; what stimuli are answered with is as many as they are. */

import { expect, test } from 'vitest';
import { PLAIN_REQUEST } from '../../../src/exchange/exchange.ts';
import { byExample, failureOf, foldFindings } from '../../../src/verdict/folded.ts';
import { found, foundLeak, type Opinion, PASS } from '../../../src/verdict/opinion.ts';
import { bodyOf, exchangeOf } from '../rules/exchanges.ts';

type Row = readonly [status: number, about: string, opinion: Opinion, but?: 'without the secret' | 'uncredentialed'];

const SENT = bodyOf({ secret: '⟦inbound secret⟧' });

function foldedOf(rows: readonly Row[]) {
  const opinions = rows.map(([status, about, opinion, but], at) => {
    const request = {
      body: but === 'without the secret' ? bodyOf({ method: 'digest' }) : SENT,
      credential: but === 'uncredentialed' ? 'none' : 'valid',
    } as const;
    const tag = { about, role: at === 0 ? 'alone' : 'control', control: about === PLAIN_REQUEST } as const;
    const exchange = exchangeOf({ status, request, tag }, at);
    return { id: 'X/updateTrunk', variation: '', opinion, exchange };
  });
  const folded = foldFindings(
    opinions,
    'updateTrunk',
    opinions.map(({ exchange }) => exchange),
  );
  const said = failureOf({ level: 'must' }, folded.findings, folded);
  return { ...folded, reason: said?.reason };
}

const LEAK = foundLeak('the body of the response', 'no secret', 'the secret');
const LEAKS: readonly Row[] = [
  [200, 'a tab', LEAK],
  [200, PLAIN_REQUEST, LEAK],
];
const REJECTION: Row = [400, 'a number', PASS];

test('a leak in every accepted response is one defect, shown by the plain request, though rejections and requests without it show none', () => {
  const { everywhere, findings, reason } = foldedOf([
    ...LEAKS,
    REJECTION,
    [200, 'no secret', PASS, 'without the secret'],
  ]);
  expect([everywhere, findings[0]?.stimulus]).toEqual([true, PLAIN_REQUEST]);
  expect(reason).toContain(`(whatever was sent, such as ${PLAIN_REQUEST})`);
});

const CRASH = found('the status', 'no 5xx', 'status 500');
const UNKNOWN: Row = [401, 'no credential', PASS, 'uncredentialed'];
const CRASHES: readonly Row[] = [[500, 'a tab', CRASH], [500, PLAIN_REQUEST, CRASH], UNKNOWN];

test('an operation that fails for each request, with a credential and without one, has one defect', () => {
  const all: readonly Row[] = [...CRASHES.slice(0, 2), [500, 'no credential', CRASH, 'uncredentialed']];
  expect(foldedOf(all).everywhere).toBe(true);
});

test.each<readonly [string, readonly Row[]]>([
  ['a rejection without a credential', CRASHES],
  ['a valid request that succeeds', [...CRASHES, [200, 'another', PASS]]],
  ['no valid request among them', [[500, 'a blank', CRASH], [500, 'a tab', CRASH], UNKNOWN]],
  ['a rejection beside a failure without a credential', [...CRASHES, [500, 'another', CRASH, 'uncredentialed']]],
])('%s leaves as many', (_, rows) => {
  expect(foldedOf(rows).everywhere).toBeUndefined();
});

const LIST = found('/error/message', 'a string', 'a list');
const OF_400: readonly Row[] = [
  [400, 'no body', LIST],
  [400, 'a number', LIST],
  [404, 'another id', PASS],
];

test('what is wrong with each rejection of a status is one defect', () => {
  expect(foldedOf(OF_400).everywhere).toBe(true);
  expect(foldedOf(OF_400.slice(1)).everywhere).toBeUndefined();
  expect(foldedOf([...OF_400.slice(1), [400, 'a number', LIST]]).everywhere).toBeUndefined();
});

test.each<readonly [string, readonly Row[]]>([
  ['a right answer of that status', [...OF_400, [400, 'an object', PASS]]],
  ['an accepted response without it', [...LEAKS, [200, 'another', PASS]]],
  ['a leak of another kind beside it', [...LEAKS, REJECTION, [400, 'another', LEAK]]],
  [
    'another deviation beside it',
    [...LEAKS, REJECTION, [200, 'another', found('the body of the 200', 'JSON', 'text')]],
  ],
  [
    'a deviation beside it that is none of content',
    [...OF_400, [400, 'a list', found('the status', 'a string', 'a list')]],
  ],
  [
    'several statuses, each a defect of its own',
    [REJECTION, ...LEAKS.map(([, about]): Row => [500, about, found('the status', 'no 5xx', 'status 500')])],
  ],
])('%s leaves as many defects as there are stimuli', (_, rows) => {
  const { everywhere, findings, reason } = foldedOf(rows);
  expect(everywhere).toBeUndefined();
  expect(findings.filter(({ stimulus }) => !reason?.includes(stimulus))).toEqual([]);
});

test.each(['before', 'after', 'restore', 'compared', 'between', 'beside', 'health-check'] as const)(
  'a request that asks explains a finding better than a shorter one with the role %s',
  (role) => {
    const supporting = exchangeOf({ tag: { role, about: 'long' } }, 0);
    const long = exchangeOf({ tag: { role: 'probe', about: 'long' }, request: { path: '/v1/a-longer-path' } }, 0);
    expect(byExample(supporting, long)).toBeGreaterThan(0);
  },
);
