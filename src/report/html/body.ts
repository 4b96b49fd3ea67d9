/** The body of report.html: verdict, matrix, failures, warnings, open cases, choices, time and cost, all cases. */

import { durationOf, type RunArtefacts } from '../artefacts.ts';
import { failingCases, warningCases } from '../cases.ts';
import { runCommand } from '../replay.ts';
import { counted } from '../text.ts';
import { findingCards, findingsWithinRoom } from './findings.ts';
import { choiceTable, differenceTables, everyCase, openCases } from './lists.ts';
import { html, type Markup } from './markup.ts';
import { masthead } from './masthead.ts';
import { matrix, toolbar } from './matrix.ts';
import { latencyTable, timeline } from './time.ts';
import { copyable, duration, operationsOf } from './words.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** The number beside the title, if there is something to count. */
  readonly count?: number;
  readonly lead?: string;
  readonly content: Markup | readonly Markup[];
  /** `true` if the filter may hide the whole section. */
  readonly filtered?: true;
}

function sectionView({ id, title, count, lead, content, filtered }: Section): Markup {
  const number = count === undefined ? null : html` <span class="count">${count}</span>`;
  return html`<section id="${id}" aria-labelledby="${id}-title"${filtered === true ? html` data-section` : null}><h2 id="${id}-title">${title}${number}</h2>
${lead === undefined ? null : html`<p class="lead">${lead}</p>`}${content}</section>`;
}

function findingSections(run: RunArtefacts): readonly Section[] {
  const failing = failingCases(run.results);
  const warnings = warningCases(run.results);
  const rendered = findingsWithinRoom([...failing, ...warnings], run);
  const sections: readonly Section[] = [
    {
      id: 'failures',
      title: 'Failures',
      count: failing.length,
      lead: 'By requirement: what was expected, what came instead, and the smallest request that shows it.',
      content: findingCards(failing, { run, rendered, open: true }),
      filtered: true,
    },
    {
      id: 'warnings',
      title: 'Warnings',
      count: warnings.length,
      lead: 'Recommendations that the target does not follow. They fail the run only under --strict.',
      content: findingCards(warnings, { run, rendered, open: failing.length === 0 }),
      filtered: true,
    },
  ];
  return sections.filter(({ count = 0 }) => count > 0);
}

function differenceSections({ difference }: RunArtefacts): readonly Section[] {
  if (difference === undefined) return [];
  const content = differenceTables(difference);
  return [{ id: 'difference', title: 'Changes since the baseline', lead: difference.summary, content }];
}

function openSections({ results }: RunArtefacts): readonly Section[] {
  const { inconclusive, 'not-exercised': idle } = results.counts.cases;
  if (inconclusive + idle === 0) return [];
  const lead = 'Cases that neither passed nor failed: why, and what would resolve them.';
  const content = openCases(results);
  return [{ id: 'open', title: 'Open cases', count: inconclusive + idle, lead, content, filtered: true }];
}

function choiceSections({ choices = [] }: RunArtefacts): readonly Section[] {
  if (choices.length === 0) return [];
  const lead = 'What the target does where the specification is silent. This is recorded and never judged.';
  return [
    { id: 'choices', title: 'Unspecified behaviour', count: choices.length, lead, content: choiceTable(choices) },
  ];
}

function costSection({ results, exchanges }: RunArtefacts): Section {
  const operations = operationsOf(results);
  const length = durationOf(exchanges);
  const { requests, calls } = results.counts;
  const called = [...new Set([...operations, 'undocumented'])];
  const content = [
    html`<div class="run-again">${copyable('run again', runCommand(results, results.only), 'run-again')}</div>`,
    ...(exchanges.length === 0
      ? []
      : [
          html`<h3>Timeline</h3>${timeline(exchanges, operations, length)}`,
          html`<h3>Latency by operation</h3>${latencyTable(exchanges, called)}`,
        ]),
  ];
  const lead = `${counted(requests, 'request')} and ${counted(calls, 'call')} in ${duration(length)}.`;
  return { id: 'cost', title: 'Time and cost', lead, content };
}

function caseSection({ results }: RunArtefacts): Section {
  const shownAbove = [...failingCases(results), ...warningCases(results)].map(({ one }) => one.id);
  const count = results.requirements.reduce((sum, { cases }) => sum + cases.length, 0);
  const lead = 'Every requirement and its cases, in the order of the plan.';
  const content = everyCase(results, new Set(shownAbove));
  return { id: 'cases', title: 'All cases', count, lead, content, filtered: true };
}

function bar(sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title, count }) =>
      html`<li><a href="#${id}">${title}${count === undefined ? null : html` <span class="count">${count}</span>`}</a></li>`,
  );
  return html`<nav class="bar" aria-label="Parts of the report"><a class="brand" href="#top">pcs-conformance</a><ul>${links}</ul>
<button type="button" class="appearance needs-script" id="theme" aria-label="Dark theme" aria-pressed="false">
<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z"/></svg></button></nav>`;
}

/** Everything within the body of the page. */
export function body(run: RunArtefacts): Markup {
  const { results } = run;
  const { suite } = results;
  const picture = html`${toolbar(results)}${matrix(results)}`;
  const sections = [
    { id: 'matrix', title: 'Requirements and operations', content: picture },
    ...differenceSections(run),
    ...findingSections(run),
    ...openSections(run),
    ...choiceSections(run),
    costSection(run),
    caseSection(run),
  ];
  const hasFailures = sections.some(({ id }) => id === 'failures');
  return html`<a class="skip" href="#matrix">Skip to the matrix</a>${hasFailures ? html`<a class="skip" href="#failures">Skip to the failures</a>` : null}
${bar(sections)}<main id="top">${masthead(run)}${sections.map(sectionView)}<p class="nothing" id="nothing" hidden>No case matches the filter.</p><p class="unseen" id="announcement" role="status"></p></main>
<footer><p>${suite.name} ${suite.version}. The authoritative record is results.json beside this page. Neither file holds credentials or secrets.</p></footer>`;
}
