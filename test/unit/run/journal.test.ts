/** What reaches the disk of a run, and what is read of it again. */

import { describe, expect, test } from 'vitest';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { exchangesIn, Journal, type JournalEntry, readJournal, startIn } from '../../../src/run/journal.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const SECRET = 'pcs_org_5ecret';
const full = (): never => {
  throw Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' });
};

/** A journal on a disk that takes these texts one after the other, and fails where `takes` is false. */
function journalOn(takes: readonly boolean[] = [], how: 'new' | 'more' = 'new', close: () => void = () => undefined) {
  let [text, at] = ['', 0];
  const append = (more: string): void => {
    if (takes[at++] === false) full();
    text += more;
  };
  const disk = { ...REAL_DISK, makeFolder: () => undefined, open: () => ({ append, close }) };
  const journal = new Journal(disk, 'nowhere', (line) => line.includes(SECRET), how);
  return { journal, text: () => text };
}

const create = (seq: number): JournalEntry => ({ kind: 'create', seq });
const exchange = (seq: number, path = '/v1/trunks/1'): JournalEntry => ({
  kind: 'exchange',
  exchange: exchangeOf({ request: { path } }, seq - 1),
});
const line = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;

describe('an entry', () => {
  test('that holds a secret never reaches the disk, and the run is told; the same entry without it does', () => {
    const { journal, text } = journalOn();
    journal.write(exchange(1, `/v1/trunks/${SECRET}`));
    expect([text(), journal.heldBack]).toEqual(['', true]);
    const clean = journalOn();
    clean.journal.write(exchange(1));
    expect([clean.text(), clean.journal.heldBack]).toEqual([line(exchange(1)), false]);
  });

  test.each<readonly [string, readonly boolean[], 'new' | 'more', string, string | null]>([
    ['stands on a line of its own', [], 'new', line(create(1)) + line(create(2)), null],
    ['follows a line that a crash cut short', [], 'more', `\n${line(create(1))}${line(create(2))}`, null],
    ['follows one that the disk took in part', [false], 'new', `\n${line(create(2))}`, 'the disk is full'],
    ['is lost at the end', [true, false], 'new', line(create(1)), 'the disk is full'],
  ])('%s', (_, takes, how, written, lost) => {
    const { journal, text } = journalOn(takes, how);
    for (const seq of [1, 2]) journal.write(create(seq));
    expect([text(), journal.lost]).toEqual([written, lost]);
  });

  test('counts towards the limit of the record only with an exchange', () => {
    const { journal } = journalOn();
    journal.write(create(1));
    expect(journal.recorded).toBe(0);
    journal.write(exchange(1));
    expect(journal.recorded).toBe(line(exchange(1)).length - 1);
  });
});

test('a disk that reports an error only when the journal is closed costs no verdict', () => {
  const { journal } = journalOn([], 'new', full);
  expect(() => journal.close()).not.toThrow();
  expect(journal.lost).toBe('the disk is full');
});

test.each<readonly [string, string, number, number]>([
  ['whole', line(create(1)) + line(create(2)), 2, 0],
  ['with a byte order mark', `\ufeff${line(create(1))}`, 1, 0],
  ['with an empty line', `${line(create(1))}\n${line(create(2))}`, 2, 0],
  ['cut short at its end', `${line(create(1))}{"kind":"cre`, 1, 0],
  ['with JSON at its end that is not an entry', `${line(create(1))}{"kind":"create"}`, 1, 1],
  ['cut short in the middle', `{"kind":"cre\n${line(create(2))}`, 1, 1],
  ['with JSON that is no entry', `{"kind":"create"}\n${line(create(2))}`, 1, 1],
])('a journal that is %s is read', (_, text, entries, odd) => {
  const read = readJournal(text);
  expect([read.entries.length, read.odd]).toEqual([entries, odd]);
});

test('a journal tells its target, and its exchanges as they were sent', () => {
  const start = { kind: 'start', target: 'http://a.invalid', seed: 1 } as const;
  expect([startIn([create(1)]), startIn([create(1), start])]).toEqual([{}, start]);
  expect(exchangesIn([exchange(2), create(1), exchange(1)]).map(({ seq }) => seq)).toEqual([1, 2]);
});
