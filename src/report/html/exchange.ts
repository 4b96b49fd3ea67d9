/** One exchange in full: the request, its response, the time it took, and a curl command that sends it again. */

import type { Exchange, RecordedBody, RecordedHeader, RecordedResponse } from '../../exchange/exchange.ts';
import type { Results } from '../../verdict/results.ts';
import { bodyFacts } from '../artefacts.ts';
import { curlLine } from '../replay.ts';
import { counted, cut } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { copyable, duration, phrase } from './words.ts';

const BODY_CHARACTERS = 4_000;
const HEADER_FIELDS = 40;
const MEMBERS = 14;

/** A longer command is not worth pasting. */
const CURL_CHARACTERS = 12_000;

function headerRows(headers: readonly RecordedHeader[], first: readonly Markup[]): Markup | null {
  if (headers.length === 0 && first.length === 0) return null;
  const rows = headers
    .slice(0, HEADER_FIELDS)
    .map(([name, value]) => html`<dt>${cut(name, 80)}</dt><dd>${phrase(value)}</dd>`);
  const rest = headers.length - HEADER_FIELDS;
  return html`<dl class="fields">${first}${rows}${rest > 0 ? html`<dt>…</dt><dd>${counted(rest, 'more field')}</dd>` : null}</dl>`;
}

/** A success body is recorded without values, so that no customer's data ends up in a report: only its members. */
function membersOf(body: RecordedBody): Markup | null {
  if (body.members.length === 0) return null;
  const shown = body.members.slice(0, MEMBERS).map(
    ({ pointer, type }) => html`<li>
    <code>${pointer === '' ? '(the body)' : cut(pointer, 120)}</code> ${type}</li>`,
  );
  const rest = body.members.length - MEMBERS;
  return html`<ul class="members">${shown}${rest > 0 ? html`<li>and ${rest} more</li>` : null}</ul>`;
}

function bodyBlock(body: RecordedBody | null): Markup {
  if (body === null) return html`<p class="aside">no body</p>`;
  const content =
    body.text === undefined ? membersOf(body) : html`<pre tabindex="0">${cut(body.text, BODY_CHARACTERS)}</pre>`;
  return html`${content}<p class="aside">${bodyFacts(body).join(', ')}</p>`;
}

function leaksOf({ leaks }: RecordedResponse): Markup | null {
  if (leaks.length === 0) return null;
  const items = leaks.map(({ secret, encoding, where }) => {
    return html`<li>The ${where} leaks the ${secret.replace('-', ' ')} (${encoding}).</li>`;
  });
  return html`<ul class="leaks">${items}</ul>`;
}

function requestPanel({ request, tag }: Exchange): Markup {
  const credential = html`<dt>Authorization</dt><dd class="made">credential: ${request.credential}</dd>`;
  return html`<div class="message"><h4>Request${tag.about === '' ? null : html` <span>${phrase(tag.about)}</span>`}</h4>
<p class="line"><b>${request.method}</b> ${phrase(request.path)}</p>
${headerRows(request.headers, request.credential === 'none' ? [] : [credential])}${bodyBlock(request.body)}</div>`;
}

function responsePanel({ response, failure, took, at }: Exchange): Markup {
  const time = html`<span>after ${duration(took)}, ${duration(at)} into the run</span>`;
  if (response === null) {
    const status = failure?.status === undefined ? '' : `, after status ${failure.status}`;
    return html`<div class="message"><h4>No complete response ${time}</h4>
<p class="line"><b>${failure?.kind ?? 'unknown'}</b> ${phrase(failure?.detail ?? '')}${status}</p></div>`;
  }
  return html`<div class="message"><h4>Response ${time}</h4><p class="line"><b>${response.status}</b></p>
${headerRows(response.headers, [])}${leaksOf(response)}${bodyBlock(response.body)}</div>`;
}

/** A request and its response side by side, and the curl command. `key` is unique on the page. */
export function exchangeView(exchange: Exchange, results: Results, key: string): Markup {
  const line = curlLine(exchange, results);
  const curl =
    line.length > CURL_CHARACTERS
      ? html`<p class="aside">The curl command has ${counted(line.length, 'character')} and is left out. The replay command sends the request.</p>`
      : copyable('curl', line, `curl-${key}`);
  return html`<div class="exchange">${requestPanel(exchange)}${responsePanel(exchange)}</div>${curl}`;
}
