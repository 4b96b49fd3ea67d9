/** The exchanges of the run: each in full, the list of them, and links to them. */

import { SHOWN } from '../../contract/limits.ts';
import { counted } from '../../contract/lists.ts';
import { describedIn, type Exchange } from '../../exchange/exchange.ts';
import { operationOf } from '../../verdict/answer.ts';
import { outcomeLine, requestLines, responseLines } from '../messages.ts';
import { operationName } from '../model.ts';
import { cut } from '../text.ts';
import { duration, html, type Markup, panel } from './markup.ts';

/** A link to an exchange; `page` reduces it to its text if nothing shows the exchange. */
export const exchangeLink = (seq: number, text = `exchange ${seq}`): Markup =>
  html`<a href="#exchange-${seq}">${text}</a>`;

const MENTIONS = /(\b(?:exchanges?|requests?):? \d+(?:, \d+)*)/;

/** A sentence in which each number of an exchange is a link. */
export function linked(sentence: string): Markup {
  const link = (piece: string): string | Markup => (/^\d+$/.test(piece) ? exchangeLink(Number(piece), piece) : piece);
  // Every other piece is a mention.
  const pieces = cut(sentence, SHOWN.paragraph).split(MENTIONS);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : piece.split(/(\d+)/).map(link)))}`;
}

/** A request and its response side by side. */
export function exchangeView(exchange: Exchange): Markup {
  const request = panel('Request', requestLines(exchange, 'long').join('\n'));
  const title = `Response after ${duration(exchange.took)}, ${duration(exchange.at)} into the run`;
  return html`<div class="pair">${request}${panel(title, responseLines(exchange, 'long').join('\n'))}</div>`;
}

function exchangeRow(exchange: Exchange, number: Markup | number): Markup {
  const { request, tag, took } = exchange;
  const credential = request.credential === 'valid' ? '' : ` · credential: ${request.credential}`;
  return html`<span>${number}</span><code>${request.method} ${cut(request.path, SHOWN.word)}</code>
<span class="aside">${operationName(operationOf(exchange))} · ${cut(describedIn(tag), SHOWN.word)}${credential} · ${cut(outcomeLine(exchange), SHOWN.word)}, ${duration(took)}</span>`;
}

/**
 * The list of the first exchanges and of those that the page mentions, in sending order. Those that the page `shows` in
 * full get a link; those that it only mentions are shown here in full as long as `view` has room.
 */
export function exchangeList(
  exchanges: readonly Exchange[],
  mentioned: ReadonlySet<number>,
  shows: ReadonlySet<number>,
  view: (exchange: Exchange) => Markup | null,
): Markup {
  const listed = exchanges.filter(({ seq }, at) => at < SHOWN.exchanges || mentioned.has(seq));
  const sent = listed.toSorted((a, b) => a.seq - b.seq);
  const items = sent.map((exchange) => {
    const { seq } = exchange;
    if (shows.has(seq)) return html`<li class="sent">${exchangeRow(exchange, exchangeLink(seq, String(seq)))}</li>`;
    const whole = mentioned.has(seq) ? view(exchange) : null;
    if (whole === null) return html`<li class="sent" id="exchange-${seq}">${exchangeRow(exchange, seq)}</li>`;
    return html`<li><details id="exchange-${seq}"><summary class="sent">${exchangeRow(exchange, seq)}</summary>${whole}</details></li>`;
  });
  const rest = exchanges.length - sent.length;
  const more = rest > 0 ? html`<p class="aside">And ${counted(rest, 'more exchange')} in evidence.har.</p>` : null;
  return html`<details><summary>Show the list of ${counted(sent.length, 'exchange')}</summary><ul class="exchanges">${items}</ul>${more}</details>`;
}
