/** A certification: a full run in an order that a nonce decides, and its outcome. Pure. */

import { SUITE } from '../../suites/index.ts';
import { settingOf } from '../client/credential.ts';
import { firstOf } from '../contract/lists.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import { OPTIONAL_SETTINGS } from '../contract/settings.ts';
import { UsageError } from '../contract/usage-error.ts';
import { CREDENTIAL_FORMS } from '../exchange/credential-forms.ts';
import type { Header } from '../exchange/message.ts';
import { Redactor } from '../exchange/redaction.ts';
import { allCases } from '../report/model.ts';
import { DEFAULTS, headerOf, inputsOf, type RunOptions } from '../run/options.ts';
import { secretsOf } from '../run/run-client.ts';
import { remediesOf } from '../verdict/evaluate.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { canonicalJson, type Particulars, sha256 } from './bundle-files.ts';

/** The outcome of a certification; only a run that was judged completely is attested. */
export type Outcome =
  | { readonly kind: 'attested'; readonly outcome: 'conformant' | 'non-conformant'; readonly reason: string }
  | { readonly kind: 'incomplete' | 'void'; readonly reason: string };

/** An outcome that is signed. */
export type Attested = Extract<Outcome, { readonly kind: 'attested' }>;

/** The names of the cases with a verdict. */
export function namesOf(results: Results, verdict: Verdict): readonly string[] {
  return allCases(results).flatMap(({ one }) => (one.verdict === verdict ? [one.id] : []));
}

/** The ids of the readings that were taken. */
export function readingsOf({ requirements }: Results): readonly string[] {
  return [...new Set(requirements.flatMap(({ reading }) => reading ?? []))].sort();
}

/** The recorded settings that narrowed a run or made it easier, as phrases. */
export function conditionsOf({ header, inputs }: Pick<RunRecord, 'header' | 'inputs'>): readonly string[] {
  const given = (what: string, by: object): readonly string[] =>
    Object.keys(by).length === 0 ? [] : [`${what} given for ${Object.keys(by).sort().join(', ')}`];
  const timeout = (what: string, most: number, usual: number): readonly string[] =>
    most === usual ? [] : [`${what} waited for up to ${most / 1000} s instead of ${usual / 1000} s`];
  // A secret of digits has no other letter case, and one without a prefix no other prefix.
  const lacking = CREDENTIAL_FORMS.filter((form) => settingOf(form) === undefined && !inputs.forms.includes(form));
  return [
    ...header.without.map((operation) => `without ${operation}`),
    ...OPTIONAL_SETTINGS.filter((name) => !header.settings.includes(name)).map((name) => `${name} not set`),
    ...lacking.map((form) => `no form "${form}" of the credential, which has no such variation`),
    ...(inputs.callIdPointer === undefined ? [] : [`the id of a call read from ${inputs.callIdPointer}`]),
    ...(inputs.voiceUrl === undefined ? [] : ['a voice URL given']),
    ...given('a sample body', inputs.samples),
    ...given('a query', inputs.queries),
    ...inputs.gatewayHeaders.map((name) => `the header field ${name} added to each request`),
    ...(inputs.rate === 0 ? [] : [`at most ${inputs.rate} requests a second`]),
    ...timeout('responses', inputs.timeout, DEFAULTS.timeout),
    ...timeout('create call', inputs.callTimeout, DEFAULTS.callTimeout),
  ];
}

/** The outcome of results: flaky symptoms are failures, and every case must be judged. */
export function outcomeOf(results: Results): Outcome {
  const { verdict, summary, intermittent } = results;
  const open = allCases(results).filter(({ one }) => one.verdict === 'inconclusive');
  const remedies = remediesOf(open.map(({ one }) => one));
  const withRemedies = (reason: string): string => {
    const more = remedies.filter((one) => !reason.includes(one));
    return `${reason}${more.length === 0 ? '' : `; remedy: ${firstOf(more, 3)}`}`;
  };
  if (verdict === 'void') return { kind: verdict, reason: summary };
  if (verdict === 'incomplete') return { kind: verdict, reason: withRemedies(summary) };
  if (verdict === 'non-conformant') return { kind: 'attested', outcome: verdict, reason: summary };
  if (intermittent.length > 0) {
    const symptoms = intermittent.map(({ symptom }) => symptom).join(', ');
    return { kind: 'attested', outcome: 'non-conformant', reason: `flaky: ${symptoms}` };
  }
  if (open.length === 0) return { kind: 'attested', outcome: 'conformant', reason: summary };
  const names = open.map(({ one }) => `${one.id} (${one.reason})`);
  return { kind: 'incomplete', reason: withRemedies(`not every case of the profile was judged: ${firstOf(names, 3)}`) };
}

/** A nonce from the command line: 16 to 128 hexadecimal digits. Throws `UsageError`. */
export function readNonce(text: string): string {
  const nonce = text.toLowerCase();
  if (/^[0-9a-f]{16,128}$/.test(nonce)) return nonce;
  throw new UsageError(`--nonce (${JSON.stringify(text)}) is not a nonce`, 'write 16 to 128 hexadecimal digits');
}

/**
 * The text from which seed and order are drawn. It depends on the nonce, so that no one can rehearse the run, and on
 * everything that was settled before the first request, so that no one can say afterwards that it was otherwise.
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
  // A shorter wait would excuse requests that were not sent again.
  const maxWait = Math.max(options.maxWait, DEFAULTS.maxWait);
  const whole: RunOptions = { ...options, explore: DEFAULTS.explore, profile: 'full', maxWait, caseHeader: false };
  // As the record will show them: without the secrets in sample bodies, queries and URLs.
  const redactor = new Redactor(secretsOf(whole, '', { extraHeaders }));
  const names = extraHeaders.map(([name]) => name);
  const inputs = inputsOf(whole, (text) => redactor.redact(text).text, names);
  const draw = drawOf(order, { header: headerOf(whole, version), inputs });
  return { ...whole, seed: seedOf(draw), drawnOrder: draw };
}

let digest: string | undefined;

/** Version and digest of the requirements, operations and readings of the suite. */
export function catalogueOf(version: string): Particulars['catalogue'] {
  const data = { requirements: SUITE.requirements, operations: OPERATIONS, readings: READINGS };
  digest ??= sha256(canonicalJson(JSON.parse(JSON.stringify(data))));
  return { version, sha256: digest };
}
