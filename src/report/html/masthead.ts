/** The top of the page: the verdict, what it is about, and what a reader must not overlook. */

import type { Results } from '../../verdict/results.ts';
import { durationOf, namedFacts, type RunArtefacts } from '../artefacts.ts';
import { type Notice, noticesOf, openCallNotice, profileOf } from '../cases.ts';
import { KIN } from '../looks.ts';
import { grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { capitalized, duration, fact, phrase } from './words.ts';

const SENTENCES = 50;

function factsOf({ results, exchanges }: RunArtefacts): Markup {
  const { only, strict, seed, runs, counts, suite } = results;
  return html`<dl class="facts">
${fact('Profile', profileOf(results, ', without'))}
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', grouped(counts.calls))}
${fact('Time', duration(durationOf(exchanges)))}
${fact('Seed', String(seed))}
${runs === 0 ? null : fact('Random runs', String(runs))}
${strict ? fact('Strict', 'warnings count as failures') : null}
${only.length === 0 ? null : fact('Only', phrase(only.join(', ')))}
${fact('Suite', `${suite.name} ${suite.version}`)}
</dl>`;
}

/** When, where and against which version; short, since the verdict matters more. */
function runFacts(run: RunArtefacts): Markup | null {
  const facts = namedFacts(run).map(([name, value]) => fact(capitalized(name), phrase(value)));
  return facts.length === 0 ? null : html`<dl class="facts run">${facts}</dl>`;
}

function noticeBox({ title, sentences }: Notice, kind: 'grave' | 'plain'): Markup | null {
  if (sentences.length === 0) return null;
  const items = sentences.slice(0, SENTENCES).map((one) => html`<li>${phrase(one)}</li>`);
  return html`<div class="notice ${kind}"><h2>${title}</h2><ul>${items}</ul></div>`;
}

function notices(results: Results): readonly (Markup | null)[] {
  const { endedEarly, partial } = results;
  return [
    noticeBox(openCallNotice(results), 'grave'),
    noticeBox({ title: 'The run ended early', sentences: endedEarly === null ? [] : [endedEarly] }, 'grave'),
    noticeBox({ title: 'Partial run', sentences: partial ? ['A filter left cases out.'] : [] }, 'plain'),
    ...noticesOf(results).map((notice) => noticeBox(notice, 'plain')),
  ];
}

function sentence(text: string): string {
  const whole = phrase(text);
  return `${capitalized(whole)}${/[.!?…]$/.test(whole) ? '' : '.'}`;
}

/** Verdict, summary, target and the figures of the run. */
export function masthead(run: RunArtefacts): Markup {
  const { results } = run;
  return html`<header class="masthead v-${KIN[results.verdict]}">
<p class="kicker">Programmable Communications Service · conformance report</p>
<div class="verdict">${badge(KIN[results.verdict])}<h1>${capitalized(results.verdict)}</h1></div>
<p class="summary">${sentence(results.summary)}</p>
<p class="target"><span class="label">Target</span> <code>${phrase(results.target)}</code></p>
${factsOf(run)}
${runFacts(run)}
${notices(results)}
</header>`;
}
