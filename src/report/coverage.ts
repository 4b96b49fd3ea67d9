/** What of the interface some traffic exercised, and the command of the suite for what it did not. */

import { OPERATIONS } from '../contract/operations.ts';
import { documentedMembers } from '../contract/schemas.ts';
import type { RequirementResult, Results } from '../verdict/results.ts';
import { runCommand } from './causes.ts';
import { matrix } from './html/lists.ts';
import { BASE, html, inlineAsset, type Markup, page, REPORT_STYLES } from './html/markup.ts';
import { grouped } from './text.ts';

/** coverage.json: operations, and requirements by operation; a `command` exercises what was not. */
export type Coverage = ReturnType<typeof coverageOf>;

function requirementRow({ id, level, cases }: RequirementResult, results: Results) {
  const exercised = cases.filter(({ judged }) => judged > 0);
  const never = cases.filter(({ judged }) => judged === 0).map(({ operation }) => operation);
  // All of its cases in one command, or those that are missing.
  const only = exercised.length === 0 ? [id] : never.map((operation) => `${id}/${operation}`);
  return {
    requirement: id,
    level,
    /** Exchanges that were judged, by operation. */
    exercised: Object.fromEntries(exercised.map(({ operation, judged }) => [operation, judged])),
    never,
    command: never.length === 0 ? undefined : runCommand(results, only),
  };
}

/**
 * The coverage of the interface, in the order of the specification. `counts`: exchanges by operation, by operation and
 * status (`listTrunks 200`; 0 for no response), and by operation and member of the request body (`createCall /to`).
 */
export function coverageOf(results: Results, counts: ReadonlyMap<string, number>) {
  return {
    format: 'pcs-conformance/coverage@1' as const,
    operations: OPERATIONS.map(({ id, body }) => {
      const statuses = [...counts].filter(([key]) => key.startsWith(`${id} `) && !key.includes('/'));
      return {
        operation: id,
        exchanges: counts.get(id) ?? 0,
        statuses: Object.fromEntries(statuses.map(([key, count]) => [key.slice(id.length + 1), count])),
        members: Object.fromEntries(documentedMembers(body).map((name) => [name, counts.get(`${id} /${name}`) ?? 0])),
      };
    }),
    requirements: results.requirements.map((one) => requirementRow(one, results)),
  };
}

/** Names of the files of a coverage. */
export const COVERAGE_FILES = ['coverage.json', 'coverage.html'] as const;

const STYLES = inlineAsset(BASE, REPORT_STYLES);

function counts(of: Readonly<Record<string, number>>): Markup {
  const cells = Object.entries(of).map(([name, count]) => {
    const shown = count === 0 ? html`<b>never</b>` : grouped(count);
    return html`<code>${name === '0' ? 'no response' : name}</code> ${shown}`;
  });
  return html`${cells.map((cell, at) => html`${at === 0 ? '' : ', '}${cell}`)}`;
}

/** coverage.html: the matrix of the verdicts, what was called how, and what was never exercised. */
export function renderCoverage({ operations, requirements }: Coverage, results: Results): string {
  const called = operations.map((one) => {
    const extent = one.exchanges === 0 ? html`<b>never</b>` : grouped(one.exchanges);
    return html`<tr><th scope="row"><code>${one.operation}</code></th><td>${extent}</td><td>${counts(one.statuses)}</td><td>${counts(one.members)}</td></tr>`;
  });
  const missing = requirements.filter(({ never }) => never.length > 0);
  const rows = missing.map(({ requirement, never, exercised, command = '' }) => {
    const where = Object.keys(exercised).length === 0 ? 'every operation' : never.join(', ');
    return html`<tr><th scope="row"><code>${requirement}</code></th><td>${where}</td><td><code>${command}</code></td></tr>`;
  });
  const table = (label: string, heads: readonly string[], body: readonly Markup[]): Markup =>
    html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="plain"><caption class="unseen">${label}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${body}</tbody></table></div>`;
  const title = 'Coverage of the interface by recorded traffic';
  const content = html`<main id="top"><h1>${title}</h1><p>${results.verdict.toUpperCase()} ${results.summary}.</p>
<h2>Operations</h2>${table('Operations', ['Operation', 'Exchanges', 'Statuses', 'Members sent'], called)}
<h2>Requirements and operations</h2>${matrix(results)}
<h2>Never exercised</h2>${table('Never exercised', ['Requirement', 'On', 'The suite asks it with'], rows)}</main>`;
  return page(title, STYLES, null, content);
}
