/** What a verdict rests on, in words. */

import { MOCK, SHOWN } from '../contract/limits.ts';
import { counted, groupBy, grouped, listed } from '../contract/lists.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Waited } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { statusOf } from './answer.ts';
import type { Colour, QuestionTotals, Results, RunVerdict, Told, Unjudged } from './results.ts';

/** `2,400 of 2,431 questions answered; 31 need PCS_TRUNK_ID`. */
export function questionsSentence({ planned, answered, lacking }: QuestionTotals): string {
  const rest = planned - answered - lacking.questions;
  const parts = [
    `${grouped(answered)} of ${grouped(planned)} questions answered`,
    ...(lacking.questions === 0 ? [] : [`${counted(lacking.questions, 'needs', 'need')} ${listed(lacking.settings)}`]),
    ...(rest === 0 ? [] : [`${grouped(rest)} without an answer`]),
  ];
  return parts.join('; ');
}

/** The cases of a run: `342 passed, 1 failed, 2 warnings, 15 not judged`; under `--strict` a warning is a failure. */
export function casesSentence(cases: Results['counts']['cases'], strict: boolean): string {
  const failed = cases.fail + cases.error + (strict ? cases.warning : 0);
  const warnings = strict || cases.warning === 0 ? [] : [counted(cases.warning, 'warning')];
  const notJudged = cases.inconclusive + cases['not-exercised'];
  return [
    `${grouped(cases.pass)} passed`,
    `${grouped(failed)} failed`,
    ...warnings,
    `${grouped(notJudged)} not judged`,
  ].join(', ');
}

/** `95 s of waiting (rate limit 60 s, lock-out 35 s), 2 waits beyond --max-wait`; empty if there was no waiting. */
export function waitsSentence(waits: readonly Waited[]): string {
  const seconds = (lines: readonly Waited[]): string =>
    `${grouped(Math.round(lines.reduce((sum, line) => sum + line.seconds, 0)))} s`;
  const short = waits.reduce((sum, line) => sum + (line.short ?? 0), 0);
  const reasons = [...groupBy(waits, ({ reason }) => reason)].map(
    ([reason, lines]) => `${reason === 'symptom' ? 'sending failed requests again' : reason} ${seconds(lines)}`,
  );
  const beyond = short === 0 ? '' : `, ${counted(short, 'wait')} beyond --max-wait`;
  return waits.length === 0 ? '' : `${seconds(waits)} of waiting (${reasons.join(', ')})${beyond}`;
}

/** What the words and the colour of a verdict depend on, besides the verdict itself. */
export type Extent = Pick<Results, 'profile' | 'without' | 'only' | 'unjudged' | 'reference'>;

/** ` but for isolation and revocation (no second organization, no revoked credential)`; empty if all was judged. */
function butFor(unjudged: readonly Unjudged[]): string {
  if (unjudged.length === 0) return '';
  return ` but for ${listed([...new Set(unjudged.map(({ family }) => family))])} (${unjudged.map(({ lack }) => lack).join(', ')})`;
}

/** The profile, what was left out, and whether no target was judged: `profile full without listTrunks, partial`. */
const scopeOf = ({ profile, without, only, reference }: Extent): string =>
  [
    `profile ${profile}${without.length === 0 ? '' : ` without ${without.join(', ')}`}`,
    ...(only.length === 0 ? [] : ['partial']),
    ...(reference === true ? ['built-in reference service'] : []),
  ].join(', ');

/** Whether the whole interface was judged: 13 operations, each with all its questions, and every family. */
const isWhole = ({ profile, without, only, unjudged = [] }: Extent): boolean =>
  profile === 'full' && [without, only, unjudged].every(({ length }) => length === 0);

/** `; to resolve: (1) set PCS_TRUNK_ID to … (2) …`: a sentence with only one remedy hid the others. */
export function toResolve(remedies: readonly string[]): string {
  const shown = remedies
    .slice(0, SHOWN.first)
    .map((remedy, at) => (remedies.length === 1 ? remedy : `(${at + 1}) ${remedy}`));
  return shown.length === 0 ? '' : `; to resolve: ${shown.join(' ')}`;
}

/** What `--require-complete` of run, certify and verify rejects, with remedies: every run that is not plain green. */
export function lessThanAll(extent: Extent): { readonly what: string; readonly remedies: readonly string[] } | null {
  if (isWhole(extent)) return null;
  const { unjudged = [], ...narrowing } = extent;
  const isNarrow = !isWhole(narrowing);
  return {
    what: 'not the whole interface was judged',
    remedies: [
      ...unjudged.map(({ remedy }) => remedy),
      ...(isNarrow ? ['run profile full without --without and --only'] : []),
    ],
  };
}

const COLOUR_OF_VERDICT = {
  'non-conformant': 'red',
  incomplete: 'yellow',
  void: 'grey',
  'no breach': 'pale',
  breach: 'red',
} as const satisfies Partial<Record<RunVerdict, Colour>>;

/** With 12 of 13 operations left out a badge was bright green: only the whole interface is; below half it is pale. */
function verdictColour(verdict: RunVerdict, extent: Extent): Colour {
  if (verdict !== 'conformant') return COLOUR_OF_VERDICT[verdict];
  if (isWhole(extent)) return 'green';
  const { profile, without, only } = extent;
  const asked = OPERATIONS.filter(
    ({ id, method }) => !without.includes(id) && (profile === 'full' || method === 'GET'),
  );
  return only.length === 0 && 2 * asked.length >= OPERATIONS.length ? 'olive' : 'pale';
}

/** The words and the colour of a verdict; a verdict on recorded traffic has no scope. */
export function toldOf(verdict: RunVerdict, reason: string, extent: Extent): Told {
  const limits = verdict === 'conformant' ? butFor(extent.unjudged ?? []) : '';
  const scope = extent.profile === 'traffic' ? '' : ` (${scopeOf(extent)})`;
  const sentence = `${verdict.toUpperCase()}${limits}${scope}`;
  const summary = `${sentence}${verdict === 'no breach' ? '' : ':'} ${reason}`;
  return { verdict, sentence, reason, summary, colour: verdictColour(verdict, extent) };
}

/** `; this looks like a mock: 97 % of the answers do not depend on the request`; empty for anything else. */
export function mockPhrase(exchanges: readonly Exchange[]): string {
  // A gateway whose service was down answered 97 % with 502.
  const answered = exchanges.filter(
    ({ tag, response }) => tag.documented && response !== null && response.status < 500,
  );
  if (answered.length < MOCK.answers) return '';
  const alike = [...groupBy(answered, ({ tag }) => tag.operation).values()].map((sent) =>
    Math.max(...[...groupBy(sent, statusOf).values()].map((same) => same.length)),
  );
  const share = alike.reduce((sum, count) => sum + count, 0) / answered.length;
  if (share < MOCK.share) return '';
  return `; this looks like a mock: ${Math.floor(share * 100)} % of the answers do not depend on the request`;
}
