/** A report folder belongs to one run at a time. */

import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { isLocked, LOCK_FILE, lockFolder, type Processes, REAL_PROCESSES } from '../../../src/run/lock.ts';

const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'pcs-conformance-lock-'));

/** A machine on which processes 1, which is ours, and 7 run. */
const MACHINE: Processes = { owner: { pid: 1, host: 'here' }, isRunning: (pid) => pid === 1 || pid === 7 };

/** What comes of locking a folder in which this lock lies. */
function locked(lock: object | string): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, LOCK_FILE), typeof lock === 'string' ? lock : JSON.stringify(lock));
  try {
    lockFolder(folder, REAL_DISK, MACHINE)();
    return readdirSync(folder).length === 0 ? 'locked' : 'left';
  } catch (error) {
    return String(error).replaceAll(folder, 'DIR');
  }
}

test('is locked by the first run, and unlocked by it', () => {
  const folder = emptyFolder();
  const unlock = lockFolder(folder, REAL_DISK, REAL_PROCESSES);
  expect(() => lockFolder(folder, REAL_DISK, REAL_PROCESSES)).toThrow(`Another run (process ${process.pid} on `);
  unlock();
  lockFolder(folder, REAL_DISK, REAL_PROCESSES)();
  expect(readdirSync(folder)).toEqual([]);
});

const ENDED = 'works in DIR: wait for it, or choose another --report-dir; if it has ended, remove DIR/run.lock.';

test.each([
  ['a running process', { pid: 7, host: 'here' }, `Another run (process 7 on "here") ${ENDED}`],
  ['a process that has ended', { pid: 8, host: 'here' }, 'locked'],
  ['another machine', { pid: 8, host: 'there' }, `Another run (process 8 on "there") ${ENDED}`],
  ['an owner that it does not name', '{', `Another run ${ENDED}`],
  ['a process that it does not name', { host: 'here' }, `Another run ${ENDED}`],
])('is not taken from %s that is alive, and is taken over otherwise', (_, lock, outcome) => {
  expect(locked(lock)).toContain(outcome);
});

test('is locked as long as the owner of its lock is alive', () => {
  const isLockedBy = (lock: object): boolean =>
    isLocked('DIR', { ...REAL_DISK, read: () => JSON.stringify(lock) }, MACHINE);
  expect([7, 8].map((pid) => isLockedBy({ pid, host: 'here' }))).toEqual([true, false]);
});

test('stays locked by the run that came after its folder was removed', () => {
  const folder = emptyFolder();
  const unlock = lockFolder(folder, REAL_DISK, REAL_PROCESSES);
  REAL_DISK.remove(join(folder, LOCK_FILE));
  lockFolder(folder, REAL_DISK, MACHINE);
  unlock();
  expect(readdirSync(folder)).toEqual([LOCK_FILE]);
});
