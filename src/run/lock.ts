/** The lock of a report folder: one run at a time works in it. */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { codeOf, type Disk } from './disk.ts';

/** Name of the lock in the report folder. */
export const LOCK_FILE = 'run.lock';

/** A process: `started` tells it from a later one with the same number, where the system shows that. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly started: string | null;
}

/** The processes of a machine. */
export interface Processes {
  readonly own: Owner;
  /** The start of a process of this machine, `null` where the system does not show it, `undefined` if it has ended. */
  readonly startOf: (pid: number) => string | null | undefined;
}

/** The processes of this machine. */
export const REAL_PROCESSES: Processes = {
  own: { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? null },
  startOf,
};

function startOf(pid: number): string | null | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process exists as well.
    if (codeOf(error) !== 'EPERM') return undefined;
  }
  try {
    // Linux: the 22nd field; the second one may hold spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/**
 * Locks the folder for this process; returns what unlocks it. A lock that a killed process of this machine left is
 * taken over. Throws `UsageError` where another run works in the folder, and the error of the file system.
 */
export function lockFolder(folder: string, disk: Disk, { own, startOf: startedAt }: Processes): () => void {
  const path = join(folder, LOCK_FILE);
  const ours = `${JSON.stringify(own)}\n`;
  // Twice: a lock that was left may be taken over by another run first.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (disk.create(path, ours)) {
      return () => {
        // If the folder was replaced meanwhile, the lock there is that of another run.
        if (disk.read(path) === ours) disk.remove(path);
      };
    }
    const owner = ownerIn(disk.read(path));
    if (owner === null || isAlive(owner, own, startedAt)) throw inUse(folder, path, owner, own);
    disk.remove(path);
  }
  throw inUse(folder, path, null, own);
}

/** Whether a process that has not ended works in the folder. */
export function isLocked(folder: string, disk: Disk, { own, startOf: startedAt }: Processes): boolean {
  const owner = ownerIn(disk.read(join(folder, LOCK_FILE)));
  return owner !== null && isAlive(owner, own, startedAt);
}

function ownerIn(text: string | null): Owner | null {
  const { pid, host, started = null }: Partial<Owner> = Object(parsedJson(text ?? ''));
  return typeof pid === 'number' && typeof host === 'string' ? { pid, host, started } : null;
}

/** Of another machine one cannot know. */
function isAlive({ pid, host, started }: Owner, own: Owner, startedAt: Processes['startOf']): boolean {
  if (host !== own.host) return true;
  const now = startedAt(pid);
  return now !== undefined && (now === null || started === null || now === started);
}

function inUse(folder: string, path: string, owner: Owner | null, own: Owner): UsageError {
  if (owner?.host === own.host) {
    return new UsageError(
      `Another run (process ${owner.pid}) works in ${folder}`,
      'wait for it, or choose another --report-dir',
    );
  }
  const where = owner === null ? '' : ` on ${JSON.stringify(owner.host)}`;
  return new UsageError(
    `Another run${where} works in ${folder}`,
    `wait for it, or choose another --report-dir; if it has ended, remove ${path}`,
  );
}
