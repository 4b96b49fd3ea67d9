/** A report folder belongs to one run at a time. */

import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { LOCK_FILE, lockFolder, type Processes, REAL_PROCESSES } from '../../../src/run/lock.ts';

const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'pcs-conformance-lock-'));

/** Process 1 of a machine on which these processes run, each with its start. */
const machine = (started: string | null, running: Readonly<Record<number, string | null>>): Processes => ({
  own: { pid: 1, host: 'here', started },
  startOf: (pid) => running[pid],
});

/** What comes of locking a folder in which this lock lies. */
function locked(lock: object | string, processes: Processes): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, LOCK_FILE), typeof lock === 'string' ? lock : JSON.stringify(lock));
  try {
    lockFolder(folder, REAL_DISK, processes)();
    return readdirSync(folder).length === 0 ? 'locked' : 'left';
  } catch (error) {
    return String(error).replaceAll(folder, 'DIR');
  }
}

test('is locked by the first run, and unlocked by it', () => {
  const folder = emptyFolder();
  const unlock = lockFolder(folder, REAL_DISK, REAL_PROCESSES);
  expect(() => lockFolder(folder, REAL_DISK, REAL_PROCESSES)).toThrow(`Another run (process ${process.pid}) works in`);
  unlock();
  lockFolder(folder, REAL_DISK, REAL_PROCESSES)();
  expect(readdirSync(folder)).toEqual([]);
});

const MINE = machine('100', { 1: '100', 7: '50' });

test.each([
  ['a running process', { pid: 7, host: 'here', started: '50' }, MINE, 'Error: Another run (process 7) works in DIR'],
  ['a process that has ended', { pid: 8, host: 'here', started: '50' }, MINE, 'locked'],
  ['an earlier process of the same number', { pid: 7, host: 'here', started: '49' }, MINE, 'locked'],
  ['an earlier process of our own number', { pid: 1, host: 'here', started: '99' }, MINE, 'locked'],
  [
    'a process whose start is unknown',
    { pid: 7, host: 'here', started: null },
    machine(null, { 7: null }),
    'Error: Another run (process 7) works in DIR',
  ],
  [
    'another machine',
    { pid: 8, host: 'there', started: '50' },
    MINE,
    'Another run on "there" works in DIR: wait for it, or choose another --report-dir; if it has ended, remove DIR/run.lock.',
  ],
  ['nobody that it names', '{', MINE, 'if it has ended, remove DIR/run.lock.'],
])('is not taken from %s that is alive, and is taken over otherwise', (_, lock, processes, outcome) => {
  expect(locked(lock, processes)).toContain(outcome.replace('Error: ', ''));
});

test('stays locked by the run that came after its folder was removed', () => {
  const folder = emptyFolder();
  const unlock = lockFolder(folder, REAL_DISK, REAL_PROCESSES);
  REAL_DISK.remove(join(folder, LOCK_FILE));
  lockFolder(folder, REAL_DISK, machine('1', {}));
  unlock();
  expect(readdirSync(folder)).toEqual([LOCK_FILE]);
});
