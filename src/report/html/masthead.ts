/** The top of the page: the verdict, why in one sentence, and what it is about. */

import { durationOf, namedFacts, type RunArtefacts } from '../artefacts.ts';
import { profileOf } from '../cases.ts';
import type { Reasons } from '../causes.ts';
import { KIN } from '../looks.ts';
import { grouped } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { capitalized, duration, fact, phrase } from './words.ts';

function factsOf({ results, exchanges }: RunArtefacts): Markup {
  const { only, strict, seed, explore, counts, suite } = results;
  return html`<dl class="facts">
${fact('Profile', profileOf(results, ', without'))}
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', grouped(counts.calls))}
${fact('Time', duration(durationOf(exchanges)))}
${fact('Seed', String(seed))}
${explore === 0 ? null : fact('Exploration', `${explore} requests`)}
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

function sentence(text: string): string {
  const whole = phrase(text);
  return `${capitalized(whole)}${/[.!?…]$/.test(whole) ? '' : '.'}`;
}

/** Verdict, summary, target and the figures of the run. */
export function masthead(run: RunArtefacts, why: Reasons): Markup {
  const { results } = run;
  return html`<header class="masthead v-${KIN[results.verdict]}">
<p class="kicker">Programmable Communications Service · conformance report</p>
<div class="verdict">${badge(KIN[results.verdict])}<h1>${capitalized(results.verdict)}</h1></div>
<p class="summary">${sentence(why.sentence)}</p>
<p class="target"><span class="label">Target</span> <code>${phrase(results.target)}</code></p>
${factsOf(run)}
${runFacts(run)}
</header>`;
}
