/** The top of the page: the verdict, what it is about, and what must not be overlooked. */

import type { Results } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { cutSentences } from '../cut-answers.ts';
import { durationOf } from '../timing.ts';
import { PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { counted, duration, grouped } from './quantities.ts';
import { badge, KIN, RUN_WORDS } from './verdicts.ts';

function fact(name: string, value: string | Markup): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function factsOf({ results, exchanges }: RunArtefacts): Markup {
  const { profile, without, only, strict, seed, runs, counts, suite } = results;
  return html`<dl class="facts">
${fact('Profile', without.length === 0 ? profile : `${profile}, without ${without.join(', ')}`)}
${fact('Requests', grouped(counts.requests))}
${fact('Calls placed', grouped(counts.calls))}
${fact('Time', duration(durationOf(exchanges)))}
${fact('Seed', String(seed))}
${runs === 0 ? null : fact('Random runs', String(runs))}
${strict ? fact('Strict', 'a warning counts as a failure') : null}
${only.length === 0 ? null : fact('Only', shortened(only.join(', '), PHRASE_CHARACTERS))}
${fact('Suite', `${suite.name} ${suite.version}`)}
</dl>`;
}

function sentences(title: string, list: readonly string[], kind: string): Markup | null {
  if (list.length === 0) return null;
  const items = list.slice(0, 50).map((one) => html`<li>${shortened(one, PHRASE_CHARACTERS)}</li>`);
  return html`<div class="notice ${kind}"><h2>${title}</h2><ul>${items}</ul></div>`;
}

function notices(results: Results): Markup {
  const { possiblyOpen, changed, endedEarly, intermittent, partial } = results;
  const flickers = intermittent.map(({ symptom, exchanges }) => {
    const at = exchanges.slice(0, 12).join(', ');
    return `${symptom}: ${counted(exchanges.length, 'exchange')} (${at}${exchanges.length > 12 ? ' …' : ''})`;
  });
  return html`${sentences('Possibly still open', possiblyOpen, 'grave')}
${sentences('The run ended early', endedEarly === null ? [] : [endedEarly], 'grave')}
${sentences('Partial', partial ? ['A filter was set: cases that it left out were not judged.'] : [], 'plain')}
${sentences('Not read to the end', cutSentences(results), 'plain')}
${sentences('Changed on the target and not put back', changed, 'plain')}
${sentences('Intermittent: seen, and not seen again', flickers, 'plain')}`;
}

function sentence(text: string): string {
  const whole = shortened(text, PHRASE_CHARACTERS);
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[.!?…]$/.test(whole) ? '' : '.'}`;
}

/** Verdict, summary, target and the figures of the run. */
export function masthead(run: RunArtefacts): Markup {
  const { results } = run;
  return html`<header class="masthead v-${KIN[results.verdict]}">
<p class="kicker">Programmable Communications Service · conformance report</p>
<div class="verdict">${badge(KIN[results.verdict])}<h1>${RUN_WORDS[results.verdict]}</h1></div>
<p class="summary">${sentence(results.summary)}</p>
<p class="target"><span class="label">Target</span> <code>${shortened(results.target, PHRASE_CHARACTERS)}</code></p>
${factsOf(run)}
${notices(results)}
</header>`;
}
