/** The parts of report.html in their order: verdict, matrix, failures, warnings, what stayed open, choices, cost. */

import type { Choice } from '../../verdict/choices.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { failingCases, warningCases } from '../cases.ts';
import { replayCommand } from '../replay.ts';
import { durationOf } from '../timing.ts';
import { choiceTable } from './choices.ts';
import { copyable } from './copyable.ts';
import { differenceTables } from './difference.ts';
import { findingsWithinRoom } from './finding.ts';
import { findingCards } from './findings.ts';
import { latencyTable } from './latency.ts';
import { ledger } from './ledger.ts';
import { html, type Markup } from './markup.ts';
import { masthead } from './masthead.ts';
import { matrix } from './matrix.ts';
import { openCases } from './open-cases.ts';
import { operationsOf } from './page-cases.ts';
import { counted, duration } from './quantities.ts';
import { timeline } from './timeline.ts';
import { toolbar } from './toolbar.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** Count beside the title, where there is something to count. */
  readonly count?: number;
  readonly lead?: string;
  readonly content: Markup | readonly Markup[];
  /** `true` where the filter may leave nothing of it. */
  readonly filtered?: true;
}

function sectionOf({ id, title, count, lead, content, filtered }: Section): Markup {
  const number = count === undefined ? null : html` <span class="count">${count}</span>`;
  return html`<section id="${id}" aria-labelledby="${id}-title"${filtered === true ? html` data-section` : null}><h2 id="${id}-title">${title}${number}</h2>
${lead === undefined ? null : html`<p class="lead">${lead}</p>`}${content}</section>`;
}

function casesOf(run: RunArtefacts): readonly Section[] {
  const { results } = run;
  const failing = failingCases(results);
  const warnings = warningCases(results);
  const told = findingsWithinRoom([...failing, ...warnings], run);
  const sections: Section[] = [];
  if (failing.length > 0) {
    sections.push({
      id: 'failures',
      title: 'What fails',
      count: failing.length,
      lead: 'By requirement: what was expected, what came instead, and the smallest request that shows it.',
      content: findingCards(failing, { run, told, open: true }),
      filtered: true,
    });
  }
  if (warnings.length > 0) {
    sections.push({
      id: 'warnings',
      title: 'Warnings',
      count: warnings.length,
      lead: 'Recommendations that are not kept. They fail the run only where it is strict.',
      content: findingCards(warnings, { run, told, open: failing.length === 0 }),
      filtered: true,
    });
  }
  return sections;
}

function differenceSections({ difference }: RunArtefacts): readonly Section[] {
  if (difference === undefined) return [];
  const content = differenceTables(difference);
  return [{ id: 'difference', title: 'Since the baseline', lead: difference.summary, content }];
}

function openSections({ results }: RunArtefacts): readonly Section[] {
  const { inconclusive, 'not-exercised': idle } = results.counts.cases;
  if (inconclusive + idle === 0) return [];
  const lead = 'Neither kept nor broken: cases without a judgement, and what would bring one about.';
  const content = openCases(results);
  return [{ id: 'open', title: 'What was not judged', count: inconclusive + idle, lead, content, filtered: true }];
}

function choiceSections(choices: readonly Choice[]): readonly Section[] {
  if (choices.length === 0) return [];
  const lead = 'Where the specification says nothing, the target chose. This is recorded and never judged.';
  return [{ id: 'choices', title: 'Choices in the gaps', count: choices.length, lead, content: choiceTable(choices) }];
}

function costSection({ results, exchanges }: RunArtefacts): Section {
  const operations = operationsOf(results);
  const length = durationOf(exchanges);
  const { requests, calls } = results.counts;
  const again = html`<div class="run-again">${copyable('run again', replayCommand(results, results.only), 'run-again')}</div>`;
  const lead = `${counted(requests, 'request')} and ${counted(calls, 'call')} in ${duration(length)}.`;
  const content =
    exchanges.length === 0
      ? []
      : [
          html`<h3>The run as it went</h3>${timeline(exchanges, operations, length)}`,
          html`<h3>Latency by operation</h3>${latencyTable(
            exchanges,
            [...operations, 'undocumented'].filter((id, at, all) => all.indexOf(id) === at),
          )}`,
        ];
  return { id: 'cost', title: 'Time and cost', lead, content: [again, ...content] };
}

function ledgerSection({ results }: RunArtefacts): Section {
  const told = [...failingCases(results), ...warningCases(results)].map(({ one }) => one.id);
  return {
    id: 'cases',
    title: 'Every case',
    count: results.requirements.reduce((sum, { cases }) => sum + cases.length, 0),
    content: ledger(results, new Set(told)),
    filtered: true,
  };
}

function bar(sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title, count }) =>
      html`<li><a href="#${id}">${title}${count === undefined ? null : html` <span class="count">${count}</span>`}</a></li>`,
  );
  return html`<nav class="bar" aria-label="Parts of the report"><a class="brand" href="#top">pcs-conformance</a><ul>${links}</ul>
<button type="button" class="appearance needs-script" id="theme" aria-label="Dark appearance" aria-pressed="false">
<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z"/></svg></button></nav>`;
}

/** Everything within the body of the page. */
export function page(run: RunArtefacts): Markup {
  const picture: Section = {
    id: 'matrix',
    title: 'Requirements and operations',
    content: html`${toolbar(run.results)}${matrix(run.results)}`,
  };
  const sections = [
    picture,
    ...differenceSections(run),
    ...casesOf(run),
    ...openSections(run),
    ...choiceSections(run.choices ?? []),
    costSection(run),
    ledgerSection(run),
  ];
  const { suite } = run.results;
  return html`<a class="skip" href="#matrix">Skip to the matrix</a>${sections.some(({ id }) => id === 'failures') ? html`<a class="skip" href="#failures">Skip to what fails</a>` : null}
${bar(sections)}<main id="top">${masthead(run)}${sections.map(sectionOf)}<p class="nothing" id="nothing" hidden>Nothing matches the filter.</p><p class="unseen" id="told" role="status"></p></main>
<footer><p>${suite.name} ${suite.version}. The record beside this page, results.json, is what counts; credentials and secrets are in neither.</p></footer>`;
}
