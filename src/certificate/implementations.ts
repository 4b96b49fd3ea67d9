/**
 * Implementations side by side: what their bundles verify, by requirement family and by gap, and matrix.html, which loads
 * nothing and runs nothing. Pure.
 */

import { ANSWERS } from '../../suites/answers.ts';
import { AUTHENTICATION } from '../../suites/authentication.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { CREATE_CALL } from '../../suites/create-call.ts';
import { gapById } from '../../suites/observations/index.ts';
import { ORGANIZATIONS } from '../../suites/organizations.ts';
import { VALID_REQUESTS } from '../../suites/valid-requests.ts';
import { groupBy } from '../contract/lists.ts';
import { operationNames } from '../report/html/lists.ts';
import {
  BASE,
  badge,
  fact,
  html,
  inlineAsset,
  type Markup,
  page,
  phrase,
  REPORT_STYLES,
  sectionView,
} from '../report/html/markup.ts';
import {
  choicesIn,
  type GapChoice,
  LOOKS,
  profileOf,
  readingSentence,
  STYLE_OF_RUN,
  WORST_FIRST,
} from '../report/model.ts';
import { capitalized, counted, grouped } from '../report/text.ts';
import type { RequirementResult } from '../verdict/results.ts';
import { fold, type Verdict } from '../verdict/verdict.ts';
import { readingsOf } from './certification.ts';
import type { Opened, Verification, Verified, VerifiedBundle } from './verify.ts';

/** Binding requirements by the family that defines them; the other binding ones share a family, and so does the advice. */
const FAMILIES = {
  'Valid requests': VALID_REQUESTS,
  Authentication: AUTHENTICATION,
  'Other organizations': ORGANIZATIONS,
  'Create call': CREATE_CALL,
  'Every response': ANSWERS,
} as const;
const REMAINING = 'Other requirements';
const ADVICE = 'Recommendations';

/** A requirement and its verdict for each verified implementation; `null` where its bundle has no case of it. */
export interface RequirementRow extends Pick<RequirementResult, 'id' | 'level' | 'statement'> {
  readonly verdicts: readonly (Verdict | null)[];
}

/** A family, and for each verified implementation how many of its cases passed. */
export interface FamilyRows {
  readonly name: string;
  readonly requirements: readonly RequirementRow[];
  readonly cases: readonly { readonly verdict: Verdict | null; readonly passed: number; readonly total: number }[];
}

/** A gap and the choices of each verified implementation. */
export interface GapRow {
  readonly gap: string;
  readonly question: string | null;
  /** Whether all of them choose alike. */
  readonly alike: boolean;
  readonly choices: readonly (readonly GapChoice[])[];
}

/** matrix.json: columns of families and choices are the bundles that are verified, in this order. */
export interface Implementations {
  readonly format: 'pcs-conformance/matrix@1';
  readonly suite: string;
  readonly bundles: readonly Verification[];
  readonly families: readonly FamilyRows[];
  readonly choices: readonly GapRow[];
  /** Readings that any of them was judged by. */
  readonly readings: readonly string[];
}

function familyOf({ id, level }: Pick<RequirementResult, 'id' | 'level'>): string {
  if (level === 'should') return ADVICE;
  return Object.entries(FAMILIES).find(([, family]) => family.some((one) => one.id === id))?.[0] ?? REMAINING;
}

function familyRows(columns: readonly Verified[]): readonly FamilyRows[] {
  const found = groupBy(REQUIREMENTS, familyOf);
  return [...Object.keys(FAMILIES), REMAINING, ADVICE].flatMap((name) => {
    const own = found.get(name);
    if (own === undefined) return [];
    const judged = columns.map(({ results }) => new Map(results.requirements.map((one) => [one.id, one])));
    const requirements = own.map(({ id, level, statement }) => {
      return { id, level, statement, verdicts: judged.map((known) => known.get(id)?.verdict ?? null) };
    });
    const cases = judged.map((known) => {
      const verdicts = own.flatMap(({ id }) => known.get(id)?.cases.map(({ verdict }) => verdict) ?? []);
      const passed = verdicts.filter((verdict) => verdict === 'pass').length;
      return { verdict: verdicts.length === 0 ? null : fold(verdicts), passed, total: verdicts.length };
    });
    return [{ name, requirements, cases }];
  });
}

function gapRows(columns: readonly Verified[]): readonly GapRow[] {
  const gaps = [...new Set(columns.flatMap(({ choices }) => choices.map(({ gap }) => gap)))].sort();
  return gaps.map((gap) => {
    const choices = columns.map((one) => choicesIn(gap, one.choices));
    const alike = new Set(choices.map((one) => JSON.stringify(one))).size <= 1;
    return { gap, question: gapById(gap)?.question ?? null, alike, choices };
  });
}

/** Puts opened bundles side by side. */
export function compareImplementations(opened: readonly Opened[], version: string): Implementations {
  const columns = opened.flatMap(({ verified }) => verified ?? []);
  const readings = new Set(columns.flatMap(({ results }) => readingsOf(results)));
  return {
    format: 'pcs-conformance/matrix@1',
    suite: `pcs-conformance ${version}`,
    bundles: opened.map(({ verification }) => verification),
    families: familyRows(columns),
    choices: gapRows(columns),
    readings: [...readings].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  };
}

const STYLES = inlineAsset(BASE, REPORT_STYLES, new URL('./implementations.css', import.meta.url));

/** The letter under which the tables name a bundle: A to Z, then A1. */
function letter(at: number): Markup {
  const round = at < 26 ? null : Math.floor(at / 26);
  return html`<b class="letter">${String.fromCharCode(65 + (at % 26))}${round}</b>`;
}

function unverifiable({ bundle, problem }: Verification & { readonly problem: string }): Markup {
  return html`<article class="card bundle broken"><header>${badge('error')}<div><h3>${phrase(bundle)}</h3>
<p class="outcome">Not verifiable</p></div></header><p class="problem">${phrase(problem)}</p>
<p class="aside">Nothing that this bundle says is shown.</p></article>`;
}

function signatures({ verified: { signer, programme } }: VerifiedBundle): Markup {
  const code = (keyid: string): Markup => html`<code>${keyid}</code>`;
  const countersigned =
    programme === null ? 'no' : html`${code(programme.keyid)}${programme.checked ? null : ' (not checked)'}`;
  return html`<dl class="keys">${fact('Signed with the key', code(signer.keyid))}
${fact('Countersigned with the key', countersigned)}</dl>`;
}

/** What the register of the programme says. */
function standing({ standing: known }: VerifiedBundle): Markup | null {
  if (known?.problem !== undefined)
    return html`<p class="problem"><strong>Not in force:</strong> ${phrase(known.problem)}</p>`;
  return known?.expires === undefined ? null : html`<p class="aside">In force until ${known.expires}</p>`;
}

function bundleCard(one: VerifiedBundle, at: number): Markup {
  const { outcome, verified, stated } = one;
  const { name, version, vendor } = stated.implementation;
  const { conditions, reason, cases, requests, calls, strict } = verified;
  return html`<article class="card bundle"><header>${badge(STYLE_OF_RUN[outcome])}<div><h3>${letter(at)} ${name} ${version}</h3>
<p class="outcome">${capitalized(outcome)}</p></div></header>
<p class="reason">${phrase(reason)}</p>${standing(one)}
<dl class="facts">${fact('Profile', profileOf(verified, ', without'))}${strict ? fact('Strict', 'yes') : null}${fact('Passed', grouped(cases.pass))}${fact('Warnings', grouped(cases.warning))}${fact('Not exercised', grouped(cases['not-exercised']))}${fact('Requests', grouped(requests))}${fact('Calls', grouped(calls))}${fact('Suite', verified.suite)}${conditions.length === 0 ? null : fact('Conditions', phrase(conditions.join('; ')))}</dl>
<dl class="stated">${fact('Stated by the signer', vendor)}${fact('Target', html`<code>${phrase(stated.target)}</code>`)}${fact('Date', stated.time.slice(0, 10))}</dl>
${signatures(one)}</article>`;
}

function heads(shown: readonly VerifiedBundle[]): readonly Markup[] {
  return shown.map(({ stated }, at) => {
    const { name, version } = stated.implementation;
    return html`<th scope="col">${letter(at)}<span class="named"> ${name} ${version}</span></th>`;
  });
}

function cell(verdict: Verdict | null): Markup {
  if (verdict === null) return html`<td class="none"></td>`;
  return html`<td>${badge(verdict)}<span class="unseen">${verdict}</span></td>`;
}

function familyBody({ name, requirements, cases }: FamilyRows): Markup {
  const sums = cases.map(({ passed, total }) => html`<td class="sum">${total === 0 ? '' : `${passed}/${total}`}</td>`);
  const rows = requirements.map(
    ({ id, statement, verdicts }) =>
      html`<tr><th scope="row" title="${statement}"><code>${id}</code></th>${verdicts.map(cell)}</tr>`,
  );
  return html`<tbody><tr class="theme"><th scope="rowgroup">${name}</th>${sums}</tr>${rows}</tbody>`;
}

function legend(): Markup {
  const items = WORST_FIRST.map((verdict) => html`<li>${badge(verdict)} ${verdict}: ${LOOKS[verdict].meaning}</li>`);
  return html`<ul class="legend">${items}</ul>`;
}

function requirementTable(families: readonly FamilyRows[], shown: readonly VerifiedBundle[]): Markup {
  return html`<div class="scroll" role="region" aria-label="Requirements" tabindex="0"><table class="matrix compared">
<caption class="unseen">Verdict of each requirement for each implementation; for a family, the cases that passed</caption>
<thead><tr><th scope="col" class="corner">Requirement</th>${heads(shown)}</tr></thead>${families.map(familyBody)}</table></div>${legend()}`;
}

function choiceCell(choices: readonly GapChoice[]): Markup {
  if (choices.length === 0) return html`<td class="quiet">not observed</td>`;
  const items = choices.map(
    ({ choice, operations }) =>
      html`<li>${phrase(choice)} <span class="operations">${operationNames(operations)}</span></li>`,
  );
  return html`<td><ul>${items}</ul></td>`;
}

function gapTable(rows: readonly GapRow[], shown: readonly VerifiedBundle[], label: string): Markup {
  const bodies = rows.map(
    ({ gap, question, choices }) =>
      html`<tr><th scope="row">${question}<code>${gap}</code></th>${choices.map(choiceCell)}</tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="plain choices side-by-side"><caption class="unseen">${label}</caption>
<thead><tr><th scope="col">Gap</th>${heads(shown)}</tr></thead><tbody>${bodies}</tbody></table></div>`;
}

function gapTables(rows: readonly GapRow[], shown: readonly VerifiedBundle[]): Markup {
  const [different, alike] = [rows.filter((one) => !one.alike), rows.filter((one) => one.alike)];
  const folded = html`<details class="fold"><summary>Show ${counted(alike.length, 'gap')} in which all choose alike</summary>${gapTable(alike, shown, 'Choices that are alike')}</details>`;
  return html`${different.length === 0 ? null : gapTable(different, shown, 'Choices that differ')}${alike.length === 0 ? null : folded}`;
}

function summaryOf(bundles: readonly Verification[]): string {
  const count = (outcome: Verification['outcome']): number => bundles.filter((one) => one.outcome === outcome).length;
  const found = (['conformant', 'non-conformant', 'not verifiable'] as const).filter((one) => count(one) > 0);
  return `${counted(bundles.length, 'bundle')}: ${found.map((one) => `${count(one)} ${one}`).join(', ')}.`;
}

function tables({ families, choices, readings }: Implementations, shown: readonly VerifiedBundle[]): Markup {
  const items = readings.map((id) => html`<li>${readingSentence(id)}</li>`);
  const lead = 'The verdict of each requirement; beside a family, how many of its cases passed.';
  const silent = 'What each implementation does where the interface is silent. None of it is right or wrong.';
  const applied = 'Where the interface can be read in two ways, this reading was applied.';
  return html`${sectionView({ id: 'requirements', title: 'Requirements by family', lead, content: requirementTable(families, shown) })}${sectionView({ id: 'choices', title: 'Choices in the gaps', lead: silent, content: gapTables(choices, shown) })}${sectionView({ id: 'readings', title: 'Readings', lead: applied, content: html`<ul class="readings">${items}</ul>` })}`;
}

/** The page of implementations. Pure: equal bundles give equal bytes. */
export function renderImplementations(compared: Implementations): string {
  const { bundles, suite } = compared;
  const shown = bundles.filter((one) => one.outcome !== 'not verifiable');
  const cards = bundles.map((one) =>
    one.outcome === 'not verifiable' ? unverifiable(one) : bundleCard(one, shown.indexOf(one)),
  );
  const lead =
    'Each was run again from its record. Names, targets and dates are the word of the signer; everything else was verified.';
  const body = html`<main><header class="masthead">
<p class="kicker">Programmable Communications Service · conformance of implementations</p>
<div class="verdict"><h1>Implementations</h1></div>
<p class="summary">${summaryOf(bundles)}</p></header>
${sectionView({ id: 'bundles', title: 'Bundles', lead, content: html`<div class="bundles">${cards}</div>` })}
${shown.length === 0 ? null : tables(compared, shown)}
</main><footer><p>Made by ${suite}. Verify a bundle yourself: <code>pcs-conformance verify BUNDLE --key KEY.pub.pem</code></p></footer>`;
  return page('Conformance of implementations', STYLES, null, body);
}
