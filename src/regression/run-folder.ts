/** A report folder as a later run reads it: results, and choices where it has them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import type { Choice } from '../verdict/choices.ts';
import type { Results } from '../verdict/results.ts';
import { schemaProblem } from './schemas.ts';

/** A run to compare with. */
export interface JudgedRun {
  readonly results: Results;
  /** Absent where the folder has no choices.json. */
  readonly choices?: readonly Choice[];
}

/** The text of a file, or `undefined` where there is none. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The JSON value of a text; throws `UsageError` naming the file. */
export function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is no JSON: give a file that this suite wrote.`);
  }
}

function isChoice(value: unknown): value is Choice {
  if (typeof value !== 'object' || value === null) return false;
  const members: Readonly<Record<string, unknown>> = { ...value };
  return ['gap', 'operation', 'choice'].every((name) => typeof members[name] === 'string');
}

/** Reads a report folder. Throws `UsageError` where it holds no results, or results of another format. */
export function readRunFolder(folder: string): JudgedRun {
  const path = join(folder, 'results.json');
  const text = textAt(path);
  if (text === undefined) throw new UsageError(`${path} cannot be read: name the report folder of a finished run.`);
  const value = jsonIn(text, path);
  const problem = schemaProblem('results', value);
  if (problem !== null) throw new UsageError(`${path} does not keep to the schema of results: ${problem}.`);
  const results = value as Results;
  const noted = textAt(join(folder, 'choices.json'));
  if (noted === undefined) return { results };
  const choices = jsonIn(noted, join(folder, 'choices.json'));
  if (!Array.isArray(choices) || !choices.every(isChoice)) {
    throw new UsageError(
      `${join(folder, 'choices.json')} holds no list of choices: give a folder that this suite wrote.`,
    );
  }
  return { results, choices };
}

/** Reads a report folder to compare with; `pinChoices`: its choices too. Throws `UsageError` where it lacks them. */
export function readToCompare(folder: string, pinChoices: boolean): JudgedRun {
  const run = readRunFolder(folder);
  if (!pinChoices || run.choices !== undefined) return run;
  const path = join(folder, 'choices.json');
  throw new UsageError(
    `${path} cannot be read, and --pin-choices compares it: name the report folder of a finished run, or leave --pin-choices out.`,
  );
}
