/** The way to a witness: a log on a disk, or an endpoint of the programme. */

import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Disagreement } from '../certificate/bundle-files.ts';
import { MOST_OF_LOG, type Witness, WitnessLog } from '../certificate/witness.ts';
import { UsageError } from '../contract/usage-error.ts';
import { cut, visible } from '../report/text.ts';
import { codeOf } from '../run/disk.ts';

const NO_LOG = 'name the log that the witness writes';

/** The text of a log; that of a file that is not there is empty. Throws `UsageError`. */
function textOfLog(path: string, flag: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MOST_OF_LOG) return readFileSync(path, 'utf8');
    throw new UsageError(
      `${flag} ${path} has ${size} bytes, and at most ${MOST_OF_LOG} are read`,
      'copy the lines of this run to a file of their own',
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === 'ENOENT') return '';
    throw new UsageError(`${flag} ${path} cannot be read (${codeOf(error)})`, NO_LOG);
  }
}

/** The text of a log that is there. Throws `UsageError`. */
export function witnessLogAt(path: string): string {
  const text = textOfLog(path, '--witness');
  if (text === '') throw new UsageError(`--witness ${path} is empty or missing`, NO_LOG);
  return text;
}

/** Opens a log for writing; what it holds stays. Throws `UsageError`. */
export function openWitnessLog(path: string, flag: string): WitnessLog {
  const append = (line: string): void => {
    const file = openSync(path, 'a', 0o644);
    try {
      writeSync(file, line);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  };
  try {
    const log = new WitnessLog(textOfLog(path, flag), append);
    append('');
    return log;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Disagreement ? 'is not the log of a witness' : `cannot be written (${codeOf(error)})`;
    throw new UsageError(`${flag} ${path} ${why}`, 'name another file');
  }
}

/** Milliseconds that a witness has for its answer, and pauses after which it is asked again. */
const PATIENCE = 10_000;
const PAUSES = [1_000, 3_000];

/** The witness at an address, or a log of our own on another volume. Throws `UsageError` for a file. */
export function witnessAt(place: string, pauses: readonly number[] = PAUSES): Witness {
  if (!/^https?:\/\//i.test(place)) {
    const log = openWitnessLog(place, '--witness');
    return async (testimony) => log.note(testimony);
  }
  return async (testimony) => {
    const body = JSON.stringify(testimony);
    for (let tries = 0; ; tries += 1) {
      try {
        return await post(place, body);
      } catch (error) {
        const pause = error instanceof Disagreement ? undefined : pauses[tries];
        if (pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };
}

async function post(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { method: 'POST', body, headers, redirect: 'error', signal });
  const text = await response.text();
  // What it rejects it will reject again.
  if (response.status === 409) throw new Disagreement(`the witness rejects it: ${text.trim()}`);
  if (response.status === 200) return text;
  throw new Error(`the witness answered ${response.status}: ${cut(visible(text.trim()), 200)}`);
}
