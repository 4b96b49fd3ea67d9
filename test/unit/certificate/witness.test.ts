/** A witness: what its log accepts, and what a run is compared with. */

import { expect, test } from 'vitest';
import { Disagreement } from '../../../src/certificate/bundle-files.ts';
import { ANSWERS_AT_ONCE, demandWitnessed, Witnessing, WitnessLog } from '../../../src/certificate/witness.ts';
import { type Exchange, endOf } from '../../../src/exchange/exchange.ts';
import { allBut, certification, NONCE } from './certified.ts';

const { record } = await certification(NONCE, { without: allBut('listTrunks', 'getTrunk') });
const SALT = 'ab'.repeat(32);
const DRAW = 'cd'.repeat(32);
const START = Date.parse('2026-01-31T12:00:00Z');
/** A request a second, as in a run that takes its time. */
const exchanges: readonly Exchange[] = record.exchanges.map((one, at) => ({ ...one, at: at * 1000, took: 100 }));
const last = exchanges.at(-1) as Exchange;

/** The log of a witness that saw these exchanges, and the log before it. */
async function logOf(seen: readonly Exchange[], before = '', late = 0): Promise<string> {
  let text = before;
  let now = START;
  const log = new WitnessLog(
    before,
    (line) => {
      text += line;
    },
    () => now,
  );
  const witnessing = new Witnessing(SALT, DRAW, async (testimony) => log.note(testimony));
  await witnessing.begin();
  for (const one of seen) {
    now = START + endOf(one) + late;
    witnessing.note(one);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const own = await witnessing.end();
  expect(text.endsWith(own)).toBe(true);
  return text;
}

const compared =
  (log: string, seen: readonly Exchange[] = exchanges, startedAt = START) =>
  () =>
    demandWitnessed(log, { salt: SALT, draw: DRAW, exchanges: seen, startedAt });

const log = await logOf(exchanges);

test('a run is told at its start, every 25 answers, and at its end', () => {
  const entries = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries).toHaveLength(Math.floor(exchanges.length / ANSWERS_AT_ONCE) + 2);
  expect(entries[0]).toMatchObject({ answers: [], time: '2026-01-31T12:00:00.000Z' });
  expect(entries.flatMap(({ answers }) => answers)).toHaveLength(exchanges.length);
  expect(entries.map(({ end }) => end === true)).toEqual(entries.map((_, at) => at === entries.length - 1));
  for (const { request } of exchanges.slice(0, 20)) expect(log).not.toContain(request.path);
});

test('the answers as they came are those that the witness saw, whatever else its log holds', async () => {
  const other = await logOf(exchanges.slice(0, 30)).then((text) =>
    text.replaceAll(JSON.parse(text.split('\n')[0] ?? '').run, 'e'.repeat(64)),
  );
  for (const text of [log, other + log, log + other]) {
    expect(compared(text)()).toMatchObject({
      from: '2026-01-31T12:00:00.000Z',
      to: expect.stringContaining('2026-01-31T12'),
    });
  }
});

const replaced = (at: number, change: (one: Exchange) => Exchange): readonly Exchange[] =>
  exchanges.map((one, place) => (place === at ? change(one) : one));
const second = exchanges[1] as Exchange;

test.each<[string, readonly Exchange[], string]>([
  [
    'another status',
    replaced(40, (one) => ({ ...one, response: one.response && { ...one.response, status: 299 } })),
    'request 41 and its answer',
  ],
  ['another answer', replaced(40, (one) => ({ ...one, response: second.response })), 'request 41 and its answer'],
  ['another time', replaced(2, (one) => ({ ...one, took: 99 })), 'request 3 and its answer'],
  [
    'two edits, the first',
    replaced(7, (one) => ({ ...one, at: one.at + 1 })).map((one) => (one.seq === 50 ? { ...one, took: 0 } : one)),
    'request 8 and its answer',
  ],
  ['one left out at the end', exchanges.slice(0, -1), `an answer to request ${last.seq}, and the record has none`],
  ['one more at the end', [...exchanges, { ...last, seq: last.seq + 1 }], `saw no answer to request ${last.seq + 1}`],
])('a record with %s is rejected, by name', (_, edited, phrase) => {
  expect(compared(log, edited)).toThrow(phrase);
});

test('a run that began at another time, or was told late, or under another salt, is rejected', async () => {
  expect(compared(log, exchanges, START - 86_400_000)).toThrow('the run began at 2026-01-30T12:00:00.000Z, it says');
  expect(compared(await logOf(exchanges, '', 700_000))).toThrow('which is not when it was answered');
  expect(compared(await logOf(exchanges, '', -5_000))).toThrow('which is not when it was answered');
  const run = { salt: '00'.repeat(32), draw: DRAW, exchanges, startedAt: START };
  expect(() => demandWitnessed(log, run)).toThrow('the log of the witness has no run');
});

test('a log with a line left out, moved or changed is rejected', () => {
  const lines = log.split(/(?<=\n)/);
  const without = (at: number): string => lines.filter((_, place) => place !== at).join('');
  for (const at of [1, 2, lines.length - 1]) expect(compared(without(at))).toThrow('the log of the witness has gaps');
  expect(
    compared([...lines.slice(0, 1), ...lines.slice(2, 3), ...lines.slice(1, 2), ...lines.slice(3)].join('')),
  ).toThrow('gaps');
  expect(compared(log.replace(/"sha256":"[0-9a-f]{8}/, '"sha256":"00000000'))).toThrow('gaps');
  expect(compared(log.replace('"end":true', '"end":null'))).toThrow('does not match its schema');
});

test('a log grows by what continues it, once, and by nothing else', async () => {
  const text: string[] = [];
  const own = new WitnessLog(
    '',
    (line) => text.push(line),
    () => START,
  );
  const [start, next, ...rest] = log
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { time: _, ...testimony } = JSON.parse(line);
      return testimony;
    });
  expect(() => own.note(next)).toThrow('does not continue');
  expect(own.note(start)).toBe(own.note(start));
  expect(() => own.note({ ...next, head: start.head })).toThrow('does not continue');
  own.note(next);
  expect(() => own.note(start)).toThrow('does not continue');
  for (const one of rest) own.note(one);
  expect(() => own.note({ ...next, answers: [] })).toThrow('has ended');
  for (const value of [
    null,
    'x',
    {},
    { ...start, more: 1 },
    { ...start, answers: Array(26).fill({ seq: 1, sha256: SALT }) },
  ]) {
    expect(() => own.note(value)).toThrow(Disagreement);
  }
  expect(text).toHaveLength(rest.length + 2);
  // Opened again, it knows where each run stands.
  expect(() => new WitnessLog(text.join(''), () => undefined).note({ ...next, answers: [] })).toThrow('has ended');
  expect(() => new WitnessLog('no log\n', () => undefined)).toThrow(Disagreement);
});

test('a witness that fails in between is told later, and one that fails at the end is an error', async () => {
  let isDown = false;
  const text: string[] = [];
  const own = new WitnessLog(
    '',
    (line) => text.push(line),
    () => START,
  );
  const witnessing = new Witnessing(SALT, DRAW, async (testimony) => {
    if (isDown) throw new Error('unreachable');
    return own.note(testimony);
  });
  expect((await witnessing.begin()).run).toBe(witnessing.run);
  isDown = true;
  for (const one of exchanges.slice(0, 60)) witnessing.note(one);
  await new Promise((resolve) => setImmediate(resolve));
  expect(text).toHaveLength(1);
  isDown = false;
  expect((await witnessing.end()).trimEnd().split('\n')).toHaveLength(4);
  isDown = true;
  await expect(new Witnessing(SALT, `${DRAW}0`, async () => Promise.reject(new Error('gone'))).begin()).rejects.toThrow(
    'gone',
  );
});
