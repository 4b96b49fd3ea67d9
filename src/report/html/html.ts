/** report.html: one file that opens from disk, loads nothing and runs nothing that a target sent. */

import { firstOf } from '../../contract/lists.ts';
import { operationOf } from '../../verdict/answer.ts';
import { questionsSentence } from '../../verdict/sentence.ts';
import { type Reasons, reasonsOf, runCommand } from '../causes.ts';
import {
  allCases,
  type CaseOfRequirement,
  callsSentence,
  type Difference,
  durationOf,
  failingCases,
  type KnownFailure,
  knownPhrase,
  lookOf,
  namedFacts,
  type OpenGroup,
  operationName,
  outcomeOf,
  profileOf,
  questionGroups,
  type RunArtefacts,
  warningCases,
} from '../model.ts';
import { capitalized, counted, cut, grouped } from '../text.ts';
import { exchangeList, lanesOf, latencyTable, mentioned, timeline } from './exchanges.ts';
import { action, findingCards, findingsWithinRoom, why } from './findings.ts';
import { choiceTable, differenceTable, everyCase, matrix, openCases, toolbar } from './lists.ts';
import {
  anchorOf,
  BASE,
  badge,
  basisOf,
  copyable,
  duration,
  fact,
  html,
  inlineAsset,
  jsonIsland,
  type Markup,
  operationsOf,
  page,
  phrase,
  REPORT_STYLES,
  type Section,
  sectionView,
  spelledOut,
} from './markup.ts';

const STYLES = inlineAsset(BASE, REPORT_STYLES, new URL('./reasons.css', import.meta.url));
const SCRIPT = inlineAsset(new URL('./page.js', import.meta.url), new URL('./filter.js', import.meta.url));

const SEARCH_CHARACTERS = 800;
const READOUT_CHARACTERS = 200;

type CaseTuple = readonly [id: string, verdict: string, operation: string, search: string, readout: string];

/** An exchange for the timeline; the status is 0 if no complete response came. */
type ExchangeTuple = readonly [lane: number, at: number, took: number, status: number, seq: number];

function searchText({ requirement, one }: CaseOfRequirement): string {
  const findings = one.findings.flatMap(({ expected, actual, where, about }) => [expected, actual, where, about]);
  const parts = [one.id, requirement.level, requirement.statement, one.reason ?? '', one.remedy ?? '', ...findings];
  return parts.join(' ').toLowerCase().slice(0, SEARCH_CHARACTERS);
}

function caseTuple(item: CaseOfRequirement): CaseTuple {
  const { id, verdict, operation, reason } = item.one;
  const readout = reason === undefined ? basisOf(item.one) : spelledOut(cut(reason, READOUT_CHARACTERS));
  return [id, verdict, operation, searchText(item), readout];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** What the script reads: cases in the order of the plan, exchanges in the order of the record, milliseconds. */
function pageData({ results, exchanges }: RunArtefacts): object {
  const lanes = lanesOf(exchanges, operationsOf(results));
  return {
    cases: allCases(results).map(caseTuple),
    lanes: lanes.map(operationName),
    length: tenth(durationOf(exchanges)),
    exchanges: exchanges.map((exchange): ExchangeTuple => {
      const { at, took, response, seq } = exchange;
      return [lanes.indexOf(operationOf(exchange)), tenth(at), tenth(took), response?.status ?? 0, seq];
    }),
  };
}

/** The page of a run. Pure: equal runs give equal bytes. */
export function renderHtml(run: RunArtefacts): string {
  const { target } = run.results;
  const title = `${capitalized(outcomeOf(run))} · ${target} · conformance report`;
  return page(title, STYLES, SCRIPT, html`${body(run)}\n${jsonIsland('data', pageData(run))}`);
}

function sectionsOf(run: RunArtefacts, reasons: Reasons): readonly Section[] {
  const { results, exchanges, choices = [], difference, gate: { known = [] } = {} } = run;
  const { requests, calls, cases } = results.counts;
  const [failing, warnings] = [failingCases(results), warningCases(results)];
  const found = [...failing, ...warnings];
  const named = mentioned(run, found, reasons.lastRequests);
  const source = { run, ...findingsWithinRoom(found, run) };
  const shownAbove = new Set(found.map(({ one }) => one.id));
  const open = cases.inconclusive + cases['not-exercised'];
  const unanswered = questionGroups(results);
  const [because, needed] = [why(run, reasons), action(run, reasons)];
  const sections: readonly (Section | false)[] = [
    (known.length > 0 || difference !== undefined) && {
      id: 'gate',
      title: known.length > 0 ? 'Known failures' : 'Since the baseline',
      ...(known.length > 0 ? { count: known.length } : {}),
      content: gateContent(known, difference),
    },
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
      id: 'cost',
      title: 'Time and cost',
      short: 'Cost',
      lead: `${counted(requests, 'request')} and ${counted(calls, 'call')} in ${duration(durationOf(exchanges))}.`,
      content: costs(run),
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
  return html`<li><b>${title}</b> of ${firstOf(cases, 4)}: ${phrase(reason)}.${helps}</li>`;
}

function gateContent(known: readonly KnownFailure[], difference: Difference | undefined): readonly Markup[] {
  const items = known.map((one) => {
    return html`<li><a href="#${anchorOf(one.case)}"><code>${one.case}</code></a> ${phrase(knownPhrase(one))}</li>`;
  });
  const list = items.length === 0 ? [] : [html`<ul class="known">${items}</ul>`];
  if (difference === undefined) return list;
  return [...list, html`<p>Since the baseline: <a href="#difference">${phrase(difference.summary)}</a></p>`];
}

function costs({ results, exchanges }: RunArtefacts): readonly Markup[] {
  const operations = operationsOf(results);
  const called = [...new Set([...operations, 'undocumented'])];
  const again = html`<div class="run-again">${copyable('run again', runCommand(results, results.only), 'run-again')}</div>`;
  if (exchanges.length === 0) return [again];
  return [
    again,
    html`<h3>Timeline</h3>${timeline(exchanges, operations, durationOf(exchanges))}`,
    html`<h3>Latency by operation</h3>${latencyTable(exchanges, called)}`,
  ];
}

function bar(sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title, short = title, count }) =>
      html`<li><a href="#${id}">${short}${count === undefined ? null : html` <span class="count">${count}</span>`}</a></li>`,
  );
  return html`<nav class="bar" aria-label="Parts of the report"><a class="brand" href="#top">pcs-conformance</a><ul>${links}</ul>
<button type="button" class="appearance needs-script" id="theme" aria-label="Dark theme" aria-pressed="false">
<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z"/></svg></button></nav>`;
}

function factsOf({ results, exchanges }: RunArtefacts): Markup {
  const { only, strict, seed, explore, counts, suite } = results;
  return html`<dl class="facts">
${fact('Profile', profileOf(results, ', without'))}
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', callsSentence(counts))}
${fact('Time', duration(durationOf(exchanges)))}
${fact('Seed', String(seed))}
${explore === 0 ? null : fact('Exploration', `${explore} requests`)}
${strict ? fact('Strict', 'warnings count as failures') : null}
${only.length === 0 ? null : fact('Only', phrase(only.join(', ')))}
${fact('Suite', `${suite.name} ${suite.version}`)}
</dl>`;
}

function sentence(text: string): string {
  const whole = phrase(text);
  return `${capitalized(whole)}${/[.!?…]$/.test(whole) ? '' : '.'}`;
}

/** The top of the page: the outcome, why in one sentence, target and the figures of the run. */
function masthead(run: RunArtefacts, reasons: Reasons): Markup {
  const { results, gate } = run;
  const look = lookOf(run);
  // When, where and against which version; short, since the verdict matters more.
  const facts = namedFacts(run).map(([name, value]) => fact(capitalized(name), phrase(value)));
  const title = gate === undefined ? results.verdict : `the gate ${gate.code === 0 ? 'passes' : 'fails'}`;
  const ofGate = gate?.sentences.map((one) => html`<p class="summary">${sentence(one)}</p>`);
  const said =
    gate === undefined
      ? html`<p class="summary">${sentence(reasons.sentence)}</p>`
      : html`${ofGate}<p class="target"><span class="label">Verdict</span> ${results.verdict}: ${sentence(reasons.sentence)}</p>`;
  return html`<header class="masthead v-${look}">
<p class="kicker">Programmable Communications Service · conformance report</p>
<div class="verdict">${badge(look)}<h1>${capitalized(title)}</h1></div>
${said}
${results.verdict === 'conformant' || results.traffic !== undefined ? null : html`<p class="summary">${sentence(questionsSentence(results.questions))}</p>`}
<p class="target"><span class="label">Target</span> <code>${phrase(results.target)}</code></p>
${factsOf(run)}
${facts.length === 0 ? null : html`<dl class="facts run">${facts}</dl>`}
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
${bar(sections)}<main id="top">${masthead(run, reasons)}${sections.map(sectionView)}<p class="nothing" id="nothing" hidden>No case matches the filter.</p><p class="unseen" id="announcement" role="status"></p></main>
<footer><p>${suite.name} ${suite.version}. The authoritative record is results.json beside this page. Neither file holds credentials or secrets.</p></footer>`;
}
