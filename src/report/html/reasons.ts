/** The first screen: the likely causes of the verdict, or what an incomplete run lacks, and what needs action. */

import type { Exchange } from '../../exchange/exchange.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { actionsOf, type Notice, noticesOf, type OpenGroup } from '../cases.ts';
import { type Cause, MOST_TELLING, outcomeLine, type Reasons, requestLine } from '../causes.ts';
import { capitalized, counted } from '../text.ts';
import { CURL_CHARACTERS, exchangeLink, linked, type OnPage, remedyNote } from './exchanges.ts';
import { html, type Markup } from './markup.ts';
import { badge } from './verdicts.ts';
import { anchorOf, copyable, phrase } from './words.ts';

const SENTENCES = 50;

function causeCard({ first, places, what, example, extent }: Cause, shown: OnPage): Markup {
  const { requirement, one } = first;
  const row = (term: string, text: string | Markup): Markup =>
    html`<div><dt>${capitalized(term)}</dt><dd${term === 'got' ? html` class="actual"` : null}>${text}</dd></div>`;
  const request =
    example === undefined
      ? null
      : html`${row('request', html`<code>${phrase(example.request)}</code><span class="where">${phrase(example.about)}</span>`)}${row('response', html`<code>${phrase(example.response)}</code>`)}`;
  const link = example === undefined ? null : html` · ${exchangeLink(example.exchange.seq, shown)}`;
  const curl =
    example === undefined || example.curl.length > CURL_CHARACTERS
      ? null
      : html`<details><summary>Send it again</summary>${copyable('curl', example.curl, `cause-${anchorOf(one.id)}`)}</details>`;
  return html`<article class="cause v-${one.verdict}"><h3>${badge(one.verdict)}<span><a href="#${anchorOf(one.id)}"><code>${requirement.id}</code></a>
<span class="places">${places}</span></span></h3>
<p class="statement">${requirement.statement}</p><dl class="contrast">${what.map(([term, text]) => row(term, phrase(text)))}${request}</dl>
<p class="aside">${capitalized(extent)}${link}</p>${curl}</article>`;
}

/** The requests around the moment at which the target stopped responding. */
function crash(last: readonly Exchange[], shown: OnPage): Markup | null {
  if (last.length === 0) return null;
  const items = last.map((exchange) => {
    return html`<li>${exchangeLink(exchange.seq, shown, String(exchange.seq))} <code>${phrase(requestLine(exchange))}</code> <span class="outcome">${phrase(outcomeLine(exchange))}</span></li>`;
  });
  return html`<div class="notice grave"><h3>The target stopped responding</h3>
<p>The last requests that it answered, and the first that it did not:</p><ol class="last">${items}</ol></div>`;
}

function lackCard({ verdict, reason, remedy, cases }: OpenGroup, shown: OnPage): Markup {
  return html`<article class="cause v-${verdict}"><h3>${badge(verdict)}<span><a href="#open">${counted(cases.length, 'case')}</a></span></h3>
<p class="statement">${linked(reason, shown)}</p>${remedyNote(remedy, shown)}</article>`;
}

/** Title of the first section after the verdict, how many causes there are, and the most telling of them. */
export function why(
  run: RunArtefacts,
  { causes, open, lastRequests }: Reasons,
  shown: OnPage,
): { readonly title: string; readonly count?: number; readonly content: Markup } | null {
  const total = causes.length + open.length;
  if (total + lastRequests.length === 0) return null;
  const isFailing = causes.some(({ first }) => first.one.verdict !== 'warning') || run.results.strict;
  const cards = [
    ...causes.map((cause) => causeCard(cause, shown)),
    ...open.map((group) => lackCard(group, shown)),
  ].slice(0, MOST_TELLING);
  const rest = total - cards.length;
  const [list, title, noun] =
    causes.length === 0
      ? ['open', 'What is missing', 'more reason']
      : isFailing
        ? ['failures', 'Likely causes', 'more cause']
        : ['warnings', 'Warnings by cause', 'more cause'];
  const more = rest > 0 ? html`<p class="more"><a href="#${list}">${counted(rest, noun)}</a></p>` : null;
  return {
    title: lastRequests.length > 0 ? 'What happened' : title,
    ...(lastRequests.length > 0 ? {} : { count: total }),
    content: html`${crash(lastRequests, shown)}<div class="causes">${cards}</div>${more}`,
  };
}

function noticeBox({ title, sentences }: Notice, kind: 'grave' | 'plain', shown: OnPage): Markup | null {
  if (sentences.length === 0) return null;
  const items = sentences.slice(0, SENTENCES).map((one) => html`<li>${linked(one, shown)}</li>`);
  return html`<div class="notice ${kind}"><h3>${title}</h3><ul>${items}</ul></div>`;
}

/** What a person has to do (open calls, changes that were not restored), and what else to know of the run. */
export function action(
  { results }: RunArtefacts,
  { lastRequests }: Reasons,
  shown: OnPage,
): { readonly title: string; readonly content: readonly Markup[] } | null {
  const { endedEarly, only } = results;
  const early = endedEarly === null || lastRequests.length > 0 ? [] : [endedEarly];
  const grave = [...actionsOf(results), { title: 'The run ended early', sentences: early }];
  const plain = [
    { title: 'Partial run', sentences: only.length > 0 ? ['A filter left cases out.'] : [] },
    ...noticesOf(results),
  ];
  const [graveBoxes, plainBoxes] = [
    grave.flatMap((notice) => noticeBox(notice, 'grave', shown) ?? []),
    plain.flatMap((notice) => noticeBox(notice, 'plain', shown) ?? []),
  ];
  const content = [...graveBoxes, ...plainBoxes];
  return content.length === 0 ? null : { title: graveBoxes.length > 0 ? 'Needs action' : 'Notes', content };
}
