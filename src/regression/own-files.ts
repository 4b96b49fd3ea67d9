/** The JSON files of this suite and its users, checked against `schemas/`; and an earlier run's report folder. */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { counted } from '../contract/lists.ts';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { type SchemaError, schemaErrors } from '../contract/validators.ts';
import { parseJson } from '../exchange/json-text.ts';
import type { RunArtefacts } from '../report/model.ts';
import type { Choice } from '../run/choices.ts';
import { readTextFile } from '../run/disk.ts';
import type { RunFacts } from '../run/facts.ts';
import { countVerdicts } from '../verdict/evaluate.ts';
import type { Results, RunVerdict } from '../verdict/results.ts';

/** The kinds of files and their parts; the last row has those beside a certificate. */
export type FileKind =
  | ('results' | 'choices' | 'exchange' | 'record' | 'samples' | 'expectations' | 'implementation' | 'verification')
  | ('certifiedRecord' | 'manifest' | 'signatureFile' | 'statement');

/** The first way in which a value breaks its schema. */
export const schemaFault = (kind: FileKind, value: unknown): SchemaError | undefined =>
  schemaErrors('files', kind, value)[0];

/** The first way in which a value breaks its schema, as a phrase, or `null`. */
export function schemaProblem(kind: FileKind, value: unknown): string | null {
  const fault = schemaFault(kind, value);
  if (fault === undefined) return null;
  const extra = fault.params['additionalProperty'];
  return `${fault.instancePath || 'it'} ${fault.message}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`;
}

/** The text of a file, or `undefined` if there is none. Throws `UsageError`. */
export const fileText = (path: string): string | undefined =>
  existsSync(path) ? readText(path, 'name another file') : undefined;

/** The text of a file. Throws `UsageError` with the given name of the file; `remedy` says which file to give. */
export const readText = (path: string, remedy: string, name = path): string =>
  withUsageError(() => readTextFile(path, name), `${name} cannot be read`, remedy);

/** Throws `UsageError` naming the file unless its value matches the schema. */
export function demandSchema(kind: FileKind, value: unknown, path: string): void {
  const problem = schemaProblem(kind, value);
  if (problem !== null)
    throw new UsageError(`${path} does not match the schema of ${kind}: ${problem}`, 'name another file, or repair it');
}

/** Throws `UsageError` naming the version of a file if it is one of ours in another format. */
export function demandFormat(value: unknown, path: string, format: string, remedy: string): void {
  const { format: given } = Object(value);
  if (typeof given !== 'string' || given === format || !given.startsWith('pcs-conformance/')) return;
  throw new UsageError(`${path} has the format ${JSON.stringify(given)}, and this version reads ${format}`, remedy);
}

/** A run to compare; without choices if the folder has no choices.json. */
export type JudgedRun = Pick<RunArtefacts, 'results' | 'choices'>;

const RESULTS: Results['format'] = 'pcs-conformance/results@2';

/** What to name where a report folder is of no use. */
export const FINISHED = 'name the report folder of a finished run';

/** The report folder, which may be named by its results.json. */
export const folderOf = (given: string): string => (basename(given) === 'results.json' ? dirname(given) : given);

/**
 * How results contradict themselves, as a phrase, or `null`. (Results edited to be conformant made `report` print
 * "CONFORMANT: 47 cases fail", exit 0, with a bright green badge.)
 */
function contradictionIn({ verdict, sentence, counts, requirements, strict, intermittent }: Results): string | null {
  const cases = countVerdicts(requirements.flatMap(({ cases }) => cases));
  if (!isDeepStrictEqual(cases, counts.cases)) return 'its counts are not those of its cases';
  const said = verdict.toUpperCase();
  if (!sentence.startsWith(said)) return `its verdict is ${verdict}, and its sentence ${JSON.stringify(sentence)}`;
  const failed = cases.fail + cases.error + (strict ? cases.warning : 0);
  const isBad = BAD.includes(verdict);
  if (failed > 0 && !isBad) return `its verdict is ${verdict}, and ${counted(failed, 'case fails', 'cases fail')}`;
  const isFaultless = failed === 0 && intermittent.length === 0;
  return isFaultless && isBad && verdict !== 'void' ? `its verdict is ${verdict}, and no case fails` : null;
}

const BAD: readonly RunVerdict[] = ['non-conformant', 'breach', 'void'];

/** The results.json of a report folder. Throws `UsageError`; `remedy` says what to do with an earlier version's. */
export function readResults(
  folder: string,
  remedy = 'judge that target again with this version, and name the new report folder',
): Results & Pick<RunArtefacts, 'gate'> & { readonly run?: RunFacts } {
  const file = join(folder, 'results.json');
  const results = parseJson(readText(file, FINISHED), file);
  demandFormat(results, file, RESULTS, remedy);
  demandSchema('results', results, file);
  const read = results as ReturnType<typeof readResults>;
  const contradiction = contradictionIn(read);
  if (contradiction === null) return read;
  throw new UsageError(`${file} contradicts itself: ${contradiction}`, FINISHED);
}

/** Reads a report folder, given directly or by its results.json. Throws `UsageError`. */
export function readRunFolder(given: string): JudgedRun {
  const folder = folderOf(given);
  const results = readResults(folder);
  const path = join(folder, 'choices.json');
  const text = fileText(path);
  if (text === undefined) return { results };
  const choices = parseJson(text, path) as readonly Choice[];
  if (schemaProblem('choices', choices) === null) return { results, choices };
  throw new UsageError(`${path} is not a list of choices`, FINISHED);
}
