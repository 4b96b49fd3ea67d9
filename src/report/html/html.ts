/** report.html: one file that opens from disk, loads nothing and runs nothing that a target sent. */

import { SHOWN } from '../../contract/limits.ts';
import { firstOf } from '../../contract/lists.ts';
import { casesSentence, waitsSentence } from '../../verdict/sentence.ts';
import { gonePhrase, type Reasons, reasonsOf, runCommand } from '../causes.ts';
import { knownPhrase } from '../gate.ts';
import {
  allCases,
  callsSentence,
  durationOf,
  failingCases,
  headlineOf,
  lookOf,
  namedFacts,
  newFirst,
  type OpenGroup,
  questionGroups,
  type RunArtefacts,
  warningCases,
} from '../model.ts';
import { capitalized, counted, grouped } from '../text.ts';
import { exchangeList, mentioned } from './exchanges.ts';
import { action, findingCards, findingsWithinRoom, why } from './findings.ts';
import { choiceTable, differenceTable, everyCase, matrix, openCases, toolbar } from './lists.ts';
import {
  anchorOf,
  BASE,
  badge,
  copyable,
  duration,
  fact,
  html,
  inlineAsset,
  type Markup,
  page,
  phrase,
  type Section,
  sectionView,
} from './markup.ts';

const STYLES = inlineAsset(BASE, new URL('./page.css', import.meta.url));
const SCRIPT = inlineAsset(new URL('./page.js', import.meta.url));

/** The page of a run. Pure: equal runs give equal bytes. */
export function renderHtml(run: RunArtefacts): string {
  const { target } = run.results;
  const title = `${capitalized(headlineOf(run))} · ${target} · conformance report`;
  return page(title, STYLES, SCRIPT, body(run));
}

function sectionsOf(run: RunArtefacts, reasons: Reasons): readonly Section[] {
  const { results, exchanges, choices = [], difference, gate } = run;
  const { cases } = results.counts;
  const [failing, warnings] = [newFirst(failingCases(results), run), warningCases(results)];
  const found = [...failing, ...warnings];
  const named = mentioned(run, found, reasons.lastRequests);
  const source = { run, ...findingsWithinRoom(found, run) };
  const shownAbove = new Set(found.map(({ one }) => one.id));
  const open = cases.inconclusive + cases['not-exercised'];
  const unanswered = questionGroups(results);
  const [because, needed] = [why(run, reasons), action(run, reasons)];
  const sections: readonly (Section | false)[] = [
    gate !== undefined && { id: 'gate', title: 'New, known and gone', short: 'Gate', content: gateContent(run) },
    because !== null && { id: 'why', ...because },
    needed !== null && { id: 'action', ...needed },
    {
      id: 'matrix',
      title: 'Requirements and operations',
      short: 'Matrix',
      content: html`${toolbar(results)}${matrix(results)}`,
    },
    difference !== undefined && {
      id: 'difference',
      title: 'Changes since the baseline',
      short: 'Changes',
      lead: difference.summary,
      content: difference.groups.map(differenceTable),
    },
    failing.length > 0 && {
      id: 'failures',
      title: 'Failures',
      count: failing.length,
      lead: 'By requirement: what was expected, what came instead, and the smallest request that shows it.',
      content: findingCards(failing, { ...source, open: true }),
      filtered: true,
    },
    warnings.length > 0 && {
      id: 'warnings',
      title: 'Warnings',
      count: warnings.length,
      lead: 'Recommendations that the target does not follow. They fail the run only under --strict.',
      content: findingCards(warnings, { ...source, open: failing.length === 0 }),
      filtered: true,
    },
    open > 0 && {
      id: 'open',
      title: 'Open cases',
      count: open,
      lead: 'Cases that neither passed nor failed: why, and what would resolve them.',
      content: openCases(results),
      filtered: true,
    },
    unanswered.length > 0 && {
      id: 'questions',
      title: 'Questions without an answer',
      short: 'Questions',
      count: results.questions.planned - results.questions.answered,
      lead: 'What the plan asks and no response answered, with what would resolve it.',
      content: html`<ul class="rows">${unanswered.map(questionRow)}</ul>`,
    },
    choices.length > 0 && {
      id: 'choices',
      title: 'Unspecified behaviour',
      short: 'Unspecified',
      count: choices.length,
      lead: 'What the target does where the specification is silent. This is recorded and never judged.',
      content: choiceTable(choices),
    },
    {
      id: 'cases',
      title: 'All cases',
      count: allCases(results).length,
      lead: 'Every requirement and its cases, in the order of the plan.',
      content: everyCase(results, shownAbove),
      filtered: true,
    },
    exchanges.length > 0 && {
      id: 'exchanges',
      title: 'Exchanges',
      count: exchanges.length,
      lead: 'Requests in the order in which they were sent, and what came back. evidence.har holds them in full.',
      content: exchangeList(run, named, source.placed),
    },
  ];
  return sections.filter((section) => section !== false);
}

function questionRow({ title, reason, remedy, cases }: OpenGroup): Markup {
  const helps = remedy === undefined ? null : html` To resolve: ${phrase(remedy)}.`;
  return html`<li><b>${title}</b> of ${firstOf(cases, SHOWN.named)}: ${phrase(reason)}.${helps}</li>`;
}

/** What is new, what is known, folded, with its owner and a link to the issue, and what is gone. */
function gateContent(run: RunArtefacts): readonly (Markup | null)[] {
  const { gate = { new: [], known: [], gone: [] }, difference } = run;
  const planned = new Set(allCases(run.results).map(({ one }) => one.id));
  const name = (id: string): Markup =>
    planned.has(id) ? html`<a href="#${anchorOf(id)}"><code>${id}</code></a>` : html`<code>${id}</code>`;
  const fresh = gate.new.map((one) => html`<li><b>NEW</b> ${name(one.case)} ${one.kind}: ${phrase(one.detail)}</li>`);
  const known = gate.known.map(({ issue, ...one }) => {
    const link =
      issue === undefined ? null : html` <a href="${new URL(issue).href}" rel="noreferrer">${phrase(issue)}</a>`;
    return html`<li>KNOWN ${name(one.case)} ${phrase(knownPhrase(one))}${link}</li>`;
  });
  const gone = gate.gone.map((one) => html`<li>GONE ${name(one.case)} ${phrase(gonePhrase(one, run))}</li>`);
  return [
    fresh.length === 0 ? null : html`<ul>${fresh}</ul>`,
    known.length === 0
      ? null
      : html`<details class="known"><summary>${counted(known.length, 'known failure')}</summary><ul>${known}</ul></details>`,
    gone.length === 0 ? null : html`<ul>${gone}</ul>`,
    difference === undefined
      ? null
      : html`<p>Since the baseline: <a href="#difference">${phrase(difference.summary)}</a></p>`,
  ];
}

function navigation(sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title, short = title, count }) =>
      html`<li><a href="#${id}">${short}</a>${count === undefined ? null : html` <span class="count">${count}</span>`}</li>`,
  );
  return html`<nav aria-label="Parts of the report"><ul>${links}</ul></nav>`;
}

/** How the run was made, and the command that makes it again. */
function aboutRun(run: RunArtefacts): Markup {
  const { only, strict, seed, explore, counts, suite, waits = [] } = run.results;
  const named = namedFacts(run).map(([name, value]) => fact(capitalized(name), phrase(value)));
  return html`<details><summary>About this run</summary><dl class="facts">
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', callsSentence(counts))}
${fact('Time', duration(durationOf(run.exchanges)))}
${waits.length === 0 ? null : fact('Waiting', waitsSentence(waits))}
${fact('Seed', String(seed))}
${explore === 0 ? null : fact('Exploration', `${explore} requests`)}
${strict ? fact('Strict', 'warnings count as failures') : null}
${only.length === 0 ? null : fact('Only', phrase(only.join(', ')))}
${named}
${fact('Suite', `${suite.name} ${suite.version}`)}
</dl>${copyable('Again', runCommand(run.results, only), 'run-again')}</details>`;
}

function sentence(text: string): string {
  const whole = phrase(text);
  return `${capitalized(whole)}${/[.!?…]$/.test(whole) ? '' : '.'}`;
}

/** The top of the page: the outcome, why in one sentence, the cases and the target. */
function masthead(run: RunArtefacts, reasons: Reasons): Markup {
  const { results, gate } = run;
  const look = lookOf(run);
  const cases = casesSentence(results.counts.cases, results.strict);
  const ofGate = gate?.sentences.map((one) => html`<p class="summary">${sentence(one)}</p>`);
  const said =
    gate === undefined
      ? html`<p class="summary">${sentence(reasons.sentence)}</p>`
      : html`${ofGate}<p><span class="label">Verdict</span> ${results.verdict}: ${sentence(reasons.sentence)}</p>`;
  return html`<header class="masthead v-${look}">
<p class="kicker">Programmable Communications Service · conformance report</p>
<div class="verdict">${badge(look)}<h1>${capitalized(headlineOf(run))}</h1></div>
${said}
<dl class="facts">${cases === reasons.sentence ? null : fact('Cases', cases)}${fact('Target', html`<code>${phrase(results.target)}</code>`)}</dl>
${aboutRun(run)}
</header>`;
}

/** Everything within the body of the page. */
function body(run: RunArtefacts): Markup {
  const { results } = run;
  const { suite } = results;
  const reasons = reasonsOf(run);
  const sections = sectionsOf(run, reasons);
  const hasFailures = sections.some(({ id }) => id === 'failures');
  return html`<a class="skip" href="#matrix">Skip to the matrix</a>${hasFailures ? html`<a class="skip" href="#failures">Skip to the failures</a>` : null}
${navigation(sections)}<main id="top">${masthead(run, reasons)}${sections.map(sectionView)}<p class="nothing" id="nothing" hidden>No case matches the filter.</p><p class="unseen" id="announcement" role="status"></p></main>
<footer><p>${suite.name} ${suite.version}. The authoritative record is results.json beside this page. Neither file holds credentials or secrets.</p></footer>`;
}
