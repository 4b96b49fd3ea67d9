/** The lock of a report folder: one run at a time works in it. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { codeOf, type Disk } from './disk.ts';

/** Name of the lock in the report folder. */
export const LOCK_FILE = 'run.lock';

/** A process, and the machine on which it runs. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** The processes of a machine. */
export interface Processes {
  readonly owner: Owner;
  /** Whether a process of this machine is running. */
  readonly isRunning: (pid: number) => boolean;
}

/** The processes of this machine. */
export const REAL_PROCESSES: Processes = {
  owner: { pid: process.pid, host: hostname() },
  isRunning: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      // Another user's process exists as well.
      return codeOf(error) === 'EPERM';
    }
  },
};

/**
 * Locks the folder for this process; returns the function that unlocks it. A lock that a killed process of this machine
 * left is taken over. Throws `UsageError` where another run works in the folder, and the error of the file system.
 */
export function lockFolder(folder: string, disk: Disk, processes: Processes): () => void {
  const path = join(folder, LOCK_FILE);
  const ours = `${JSON.stringify(processes.owner)}\n`;
  // Twice: another run may take over the leftover lock first.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (disk.create(path, ours)) {
      return () => {
        // If the folder was replaced meanwhile, its lock belongs to another run.
        if (disk.read(path) === ours) disk.remove(path);
      };
    }
    const owner = ownerIn(disk.read(path));
    if (owner === null || isAlive(owner, processes)) throw inUse(folder, path, owner);
    disk.remove(path);
  }
  throw inUse(folder, path, null);
}

/** Whether a running process works in the folder. */
export function isLocked(folder: string, disk: Disk, processes: Processes): boolean {
  const owner = ownerIn(disk.read(join(folder, LOCK_FILE)));
  return owner !== null && isAlive(owner, processes);
}

function ownerIn(text: string | null): Owner | null {
  const { pid, host }: Partial<Owner> = Object(parsedJson(text ?? ''));
  return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
}

/** Processes of another machine cannot be checked. */
const isAlive = ({ pid, host }: Owner, { owner, isRunning }: Processes): boolean =>
  host !== owner.host || isRunning(pid);

/** A process id may be reused: in a container it is always the same. */
function inUse(folder: string, path: string, owner: Owner | null): UsageError {
  const who = owner === null ? '' : ` (process ${owner.pid} on ${JSON.stringify(owner.host)})`;
  const remedy = `wait for it, or choose another --report-dir; if it has ended, remove ${path}`;
  return new UsageError(`Another run${who} works in ${folder}`, remedy);
}
