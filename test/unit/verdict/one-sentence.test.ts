/** One sentence and one colour, in every artefact and on every screen, for twenty kinds of run. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { statementOf } from '../../../src/certificate/attestation.ts';
import { renderCertificate } from '../../../src/certificate/bundle.ts';
import { verificationOf } from '../../../src/certificate/verify.ts';
import { countersignedSentence, sentencesOf } from '../../../src/cli/commands/bundles.ts';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { OPTIONAL } from '../../../src/contract/settings.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderBadge, renderResults } from '../../../src/report/json-files.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import { COLOURS, type RunArtefacts } from '../../../src/report/model.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { madeWith, RESULTS } from '../report/made-run.ts';
import { textOf } from '../report-html/pages.ts';

const NOTHING = { without: [], unjudged: [], only: [], partial: false } as const;
const [isolation, revocation, answered] = [
  { ...OPTIONAL.PCS_OTHER_ORG_ACCESS_TOKEN, remedy: 'set it' },
  { ...OPTIONAL.PCS_REVOKED_ACCESS_TOKEN, remedy: 'set it' },
  { ...OPTIONAL.PCS_RINGING_CALL_ID, remedy: 'set it' },
];
const IN_FULL = ' (profile full)';
const RINGING = 'answered calls (no ringing call)';
const most = OPERATION_IDS.slice(1);
const half = OPERATION_IDS.slice(0, 6);
const seven = OPERATION_IDS.slice(0, 7);

/** Each kind of run: what makes it, its sentence and its colour. */
const KINDS: readonly (readonly [string, Partial<Results>, sentence: string, Results['colour']])[] = [
  ['whole', {}, `CONFORMANT${IN_FULL}`, 'green'],
  ['no ringing call', { unjudged: [answered] }, `CONFORMANT but for ${RINGING}${IN_FULL}`, 'olive'],
  [
    'one credential alone',
    { unjudged: [isolation, revocation] },
    `CONFORMANT but for isolation and revocation (no second organization, no revoked credential)${IN_FULL}`,
    'olive',
  ],
  ['one operation left out', { without: ['answerCall'] }, 'CONFORMANT (profile full without answerCall)', 'olive'],
  ['six left out', { without: half }, `CONFORMANT (profile full without ${half.join(', ')})`, 'olive'],
  ['twelve left out', { without: most }, `CONFORMANT (profile full without ${most.join(', ')})`, 'pale'],
  ['read-only', { profile: 'read-only' }, 'CONFORMANT (profile read-only)', 'pale'],
  ['partial', { only: ['LIST-STATUS'], partial: true }, 'CONFORMANT (profile full, partial)', 'pale'],
  ['the reference', { reference: true }, 'CONFORMANT (profile full, built-in reference service)', 'green'],
  ['non-conformant', { verdict: 'non-conformant' }, `NON-CONFORMANT${IN_FULL}`, 'red'],
  [
    'non-conformant and narrowed',
    { verdict: 'non-conformant', without: ['answerCall'], unjudged: [isolation] },
    'NON-CONFORMANT (profile full without answerCall)',
    'red',
  ],
  [
    'non-conformant and read-only',
    { verdict: 'non-conformant', profile: 'read-only' },
    'NON-CONFORMANT (profile read-only)',
    'red',
  ],
  [
    'non-conformant and partial',
    { verdict: 'non-conformant', only: ['LIST-STATUS'], partial: true },
    'NON-CONFORMANT (profile full, partial)',
    'red',
  ],
  ['seven left out', { without: seven }, `CONFORMANT (profile full without ${seven.join(', ')})`, 'pale'],
  [
    'read-only and narrowed',
    { profile: 'read-only', without: ['getTrunk'] },
    'CONFORMANT (profile read-only without getTrunk)',
    'pale',
  ],
  [
    'incomplete and narrowed',
    { verdict: 'incomplete', without: ['answerCall'], unjudged: [isolation] },
    'INCOMPLETE (profile full without answerCall)',
    'yellow',
  ],
  [
    'void and partial',
    { verdict: 'void', only: ['LIST-STATUS'], partial: true },
    'VOID (profile full, partial)',
    'grey',
  ],
  ['incomplete', { verdict: 'incomplete' }, `INCOMPLETE${IN_FULL}`, 'yellow'],
  ['void', { verdict: 'void' }, `VOID${IN_FULL}`, 'grey'],
  ['traffic without a breach', { verdict: 'no breach', profile: 'traffic' }, 'NO BREACH', 'pale'],
  ['traffic with a breach', { verdict: 'breach', profile: 'traffic' }, 'BREACH', 'red'],
];

const PARTICULARS = {
  ...{ suite: RESULTS.suite, catalogue: { version: '0.0.0', sha256: '0'.repeat(64) } },
  ...{
    implementation: { name: 'A', version: '1', vendor: 'V' },
    nonce: '0'.repeat(32),
    time: '2026-01-31T12:00:00.000Z',
  },
};
const signature = { keyid: '1'.repeat(64), checked: true };

/** What GitHub's action gives to the workflow for each run: one process runs its script for all of them. */
function outputsOf(runs: readonly RunArtefacts[]): readonly string[] {
  const script = new URL('../../../integrations/github-action/outputs.mjs', import.meta.url).href;
  const folders = runs.map(reportsOf);
  const lines = folders.map(
    (folder, at) =>
      `process.argv.splice(1, 4, '', ${JSON.stringify(folder)}, '0', ${JSON.stringify(join(folder, 'started'))});
       await import('${script}?${at}'); console.log('END');`,
  );
  const words = ['--input-type=module', '--eval', lines.join('\n')];
  return spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout.split('END\n');
}

/** A folder with the reports that the action reads. */
function reportsOf(run: RunArtefacts): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-outputs-'));
  for (const [name, text] of [
    ['started', ''],
    ['results.json', renderResults(run)],
    ['summary.md', renderSummary(run)],
  ] as const)
    writeFileSync(join(folder, name), text);
  return folder;
}

/** The words of a page, as a reader sees them. */
const wordsOf = (page: string): string => textOf(parse(page));

const RUNS = KINDS.map(([, changes]) =>
  madeWith({ verdict: 'conformant', ...NOTHING, reason: 'so it is', ...changes }),
);
const OUTPUTS = outputsOf(RUNS);
const ROWS = KINDS.map(([kind, , sentence, colour], at) => ({
  ...{ kind, sentence, colour },
  ...{ run: RUNS[at] as RunArtefacts, outputs: OUTPUTS[at] ?? '' },
}));

describe.each(ROWS)('a run that is $kind', ({ sentence, colour, run, outputs }) => {
  const { results } = run;
  const isAttested = results.verdict === 'conformant' || results.verdict === 'non-conformant';
  const { badge } = COLOURS[colour];

  test('has the same words everywhere', () => {
    expect(results.sentence).toBe(sentence);
    expect(results.summary.startsWith(sentence)).toBe(true);
    for (const detail of ['normal', 'quiet'] as const)
      expect(renderConsole(run, { color: false, detail })).toMatch(new RegExp(`^${escaped(sentence)}[: ]`, 'm'));
    for (const text of [wordsOf(renderHtml(run)), renderSummary(run).replaceAll('\\', ''), outputs])
      expect(text).toContain(sentence);
    expect(outputs).toContain(`summary=${results.summary}\n`);
    const shown = renderBadge(results);
    if (shown !== null) expect(JSON.parse(shown).message).toMatch(new RegExp(`^${escaped(sentence)}: `));
    if (!isAttested) return;
    const outcome = { kind: 'attested', outcome: results.verdict, reason: results.reason } as const;
    const { predicate } = statementOf(
      { format: 'pcs-conformance/bundle@1', ...PARTICULARS, files: [] },
      results,
      outcome,
      signature.keyid,
    );
    const bundle = {
      outcome,
      particulars: PARTICULARS,
      results,
      signer: signature,
      programme: null,
      manifest: '2'.repeat(64),
    };
    const verification = verificationOf('bundle', bundle);
    expect(predicate.sentence).toBe(sentence);
    expect(JSON.parse(JSON.stringify(verification)).verified.sentence).toBe(sentence);
    expect(sentencesOf(verification)[1]).toBe(`Verified: the recorded run is ${sentence}: so it is.`);
    expect(countersignedSentence(bundle, '3'.repeat(64))).toContain(`: ${sentence}. `);
    if (results.verdict === 'conformant')
      expect(wordsOf(renderCertificate(results, PARTICULARS))).toContain(`${sentence}.`);
    expect([predicate.colour, verification.verified.colour]).toEqual([colour, colour]);
    expect(predicate.conditions).toEqual(results.conditions);
  });

  test('has the same class of colour everywhere', () => {
    expect(results.colour).toBe(colour);
    expect(renderHtml(run)).toContain(`<span class="badge seal c-${colour}"`);
    expect(outputs).toContain(`\ncolour=${colour}\n`);
    expect(renderCertificate(results, PARTICULARS)).toContain(`<main class="certificate c-${colour}">`);
    const shown = renderBadge(results);
    if (shown !== null) expect(JSON.parse(shown).color).toBe(badge);
  });
});

const escaped = (text: string): string => text.replace(/[()]/g, '\\$&');

test('plain green is one colour to each reader, and no other has it', () => {
  for (const part of ['badge', 'tone'] as const)
    expect(Object.entries(COLOURS).filter(([, look]) => look[part] === COLOURS.green[part])).toHaveLength(1);
});
