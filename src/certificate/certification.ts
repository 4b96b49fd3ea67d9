/** A certification: a full run in an order that a nonce decides, and its outcome. Pure. */

import { SUITE } from '../../suites/index.ts';
import { SHOWN } from '../contract/limits.ts';
import { firstOf, groupBy, picked } from '../contract/lists.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { canonicalJson, sha256 } from '../exchange/digest.ts';
import type { Header } from '../exchange/message.ts';
import { Redactor } from '../exchange/redaction.ts';
import { allCases } from '../report/model.ts';
import { cut, visible } from '../report/text.ts';
import { DEFAULTS, inputsOf, type RunOptions, runHeader } from '../run/options.ts';
import { secretsOf } from '../run/run-client.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results, Verdict } from '../verdict/results.ts';
import type { Particulars } from './bundle-files.ts';

/** The outcome of a certification; only a run that was judged completely is attested. */
export type Outcome =
  | { readonly kind: 'attested'; readonly outcome: 'conformant' | 'non-conformant'; readonly reason: string }
  | { readonly kind: 'incomplete' | 'void'; readonly reason: string };

/** An outcome that is signed. */
export type Attested = Extract<Outcome, { readonly kind: 'attested' }>;

/** The names of the cases with a verdict. */
export const caseNames = (results: Results, verdict: Verdict): readonly string[] =>
  allCases(results).flatMap(({ result }) => (result.verdict === verdict ? [result.id] : []));

/** The names of cases in a sentence: `AUTH-ALIAS (4 operations), CALL-CREATE-503/createCall`. */
export const namedBriefly = (names: readonly string[]): string =>
  [...groupBy(names, (name) => name.slice(0, name.indexOf('/')))]
    .map(([id, cases]) => (cases.length > 1 ? `${id} (${cases.length} operations)` : cases.join()))
    .join(', ');

/** Alphabets with letters that look like plain Latin ones, and phonetic letters. */
const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u0250-\u02af]/u;

/** Also plain letters and digits in other forms, such as full-width ones; not letters with marks, as in names. */
const isLookAlike = (letter: string): boolean =>
  LOOK_ALIKE.test(letter) || (letter > '\x7f' && /^[\dA-Za-z]+$/.test(letter.normalize('NFKC')));

const hexOfLetter = (letter: string): string =>
  `${letter} U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

/** A text of the signer in quotes; letters and digits that could be mistaken for plain ones are named. */
export function statedName(text: string): string {
  const letters = [...new Set(text)].filter(isLookAlike).map(hexOfLetter);
  const beside = letters.length === 0 ? '' : ` (not the plain letters: ${firstOf(letters, SHOWN.first)})`;
  return `"${cut(visible(text), SHOWN.paragraph)}"${beside}`;
}

/** The ids of the chosen readings. */
export const readingIds = ({ requirements }: Results): readonly string[] =>
  READINGS.map(({ id }) => id).filter((id) => requirements.some(({ reading }) => reading === id));

/** What both the statement and a verification say about the results. */
export function saidOf(results: Results) {
  const said = picked(results, ['sentence', 'reason', 'colour', 'profile', 'without', 'strict', 'seed', 'conditions']);
  return { ...said, notExercised: caseNames(results, 'not-exercised'), readings: readingIds(results) };
}

/** The outcome of results: judged ones are attested, others not, nor is a run that failed and then ended early. */
export function certificationOutcome({ verdict, reason, endedEarly }: Results): Outcome {
  if (verdict === 'non-conformant' && endedEarly !== null)
    return { kind: 'incomplete', reason: `the run ended early: ${endedEarly}` };
  if (verdict === 'conformant' || verdict === 'non-conformant') return { kind: 'attested', outcome: verdict, reason };
  return { kind: verdict === 'void' ? verdict : 'incomplete', reason };
}

/** A nonce from the command line: 16 to 128 hexadecimal digits. Throws `UsageError`. */
export function readNonce(text: string): string {
  const nonce = text.toLowerCase();
  if (/^[0-9a-f]{16,128}$/.test(nonce)) return nonce;
  throw new UsageError(`--nonce (${JSON.stringify(text)}) is not a nonce`, 'write 16 to 128 hexadecimal digits');
}

/**
 * The text from which seed and order are drawn. It depends on the nonce, so that the run cannot be rehearsed, and on
 * everything settled before the first request, so that none of it can be changed afterwards.
 */
export function drawOf(
  { nonce, implementation }: Pick<Particulars, 'nonce' | 'implementation'>,
  { header, inputs }: Pick<RunRecord, 'header' | 'inputs'>,
): string {
  const { seed: _, ...settled } = header;
  const { drawnOrder: __, ...given } = inputs;
  return sha256(canonicalJson({ nonce, implementation, header: settled, inputs: given }));
}

/** The seed of a certification: 31 bits of its draw. */
export const seedOf = (draw: string): number => Number.parseInt(draw.slice(0, 8), 16) >>> 1;

/** The options of a certification: in full, one sequence after the other, seed and order drawn. */
export function certifyingOptions(
  options: RunOptions,
  order: Pick<Particulars, 'nonce' | 'implementation'>,
  version: string,
  extraHeaders: readonly Header[] = [],
): RunOptions {
  const whole: RunOptions = { ...options, explore: DEFAULTS.explore, profile: 'full', caseHeader: false };
  // As the record will show them: without the secrets in sample bodies, queries and URLs.
  const redactor = new Redactor(secretsOf(whole, '', { extraHeaders }));
  const names = extraHeaders.map(([name]) => name);
  const inputs = inputsOf(whole, (text) => redactor.redact(text).text, names);
  const draw = drawOf(order, { header: runHeader(whole, version), inputs });
  return { ...whole, seed: seedOf(draw), drawnOrder: draw };
}

let catalogueDigest: string | undefined;

/** Version and digest of the requirements, operations and readings of the suite. */
export function catalogueOf(version: string): Particulars['catalogue'] {
  const data = { requirements: SUITE.requirements, operations: OPERATIONS, readings: READINGS };
  catalogueDigest ??= sha256(canonicalJson(JSON.parse(JSON.stringify(data))));
  return { version, sha256: catalogueDigest };
}
