/** The report folder of an earlier run: its results and the target's choices. */

import { join } from 'node:path';
import { shardName } from '../contract/shard.ts';
import { UsageError } from '../contract/usage-error.ts';
import { isObject } from '../exchange/json-text.ts';
import type { Choice } from '../run/choices.ts';
import type { Results } from '../verdict/results.ts';
import { parseJson, readOwnFile, textAt } from './own-files.ts';

/** A run to compare. */
export interface JudgedRun {
  readonly results: Results;
  /** Absent if the folder has no choices.json. */
  readonly choices?: readonly Choice[];
}

const FINISHED = 'name the report folder of a finished run';

function isChoice(value: unknown): value is Choice {
  return isObject(value) && ['gap', 'operation', 'choice'].every((name) => typeof value[name] === 'string');
}

/** Reads a report folder; `needsChoices` if --pin-choices compares its choices. Throws `UsageError`. */
export function readRunFolder(folder: string, needsChoices = false): JudgedRun {
  const results = readOwnFile('results', join(folder, 'results.json'), FINISHED) as Results;
  if (results.shard !== undefined) {
    throw new UsageError(`${folder} holds ${shardName(results.shard)}`, 'name the folder of the merged shards');
  }
  const path = join(folder, 'choices.json');
  const text = textAt(path);
  if (text === undefined) {
    if (!needsChoices) return { results };
    throw new UsageError(`${path} cannot be read, but --pin-choices needs it`, `${FINISHED}, or omit --pin-choices`);
  }
  const choices = parseJson(text, path);
  if (Array.isArray(choices) && choices.every(isChoice)) return { results, choices };
  throw new UsageError(`${path} is not a list of choices`, FINISHED);
}
