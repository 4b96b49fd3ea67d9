/** One exchange laid open: the request, its answer, the time it took, and how to send it again. */

import type { Exchange, RecordedBody, RecordedHeader, RecordedResponse } from '../../exchange/exchange.ts';
import type { Results } from '../../verdict/results.ts';
import { curlLine } from '../replay.ts';
import { copyable } from './copyable.ts';
import { BODY_CHARACTERS, CURL_CHARACTERS, HEADER_FIELDS, MEMBERS, PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { duration } from './quantities.ts';

function headerRows(headers: readonly RecordedHeader[], first: readonly Markup[]): Markup | null {
  if (headers.length === 0 && first.length === 0) return null;
  const rows = headers
    .slice(0, HEADER_FIELDS)
    .map(([name, value]) => html`<dt>${shortened(name, 80)}</dt><dd>${shortened(value, PHRASE_CHARACTERS)}</dd>`);
  const rest = headers.length - HEADER_FIELDS;
  return html`<dl class="fields">${first}${rows}${rest > 0 ? html`<dt>…</dt><dd>${rest} more fields</dd>` : null}</dl>`;
}

function factsOf(body: RecordedBody): string {
  const facts = [
    `${body.length} bytes`,
    body.json === 'valid' ? 'JSON' : `no JSON${body.reason === undefined ? '' : `: ${body.reason}`}`,
    ...(body.utf8 ? [] : ['not UTF-8']),
    ...(body.byteOrderMark ? ['byte order mark'] : []),
    ...(body.pruned === true ? ['long strings shortened in the record'] : []),
    ...(body.cut === true ? ['longer than was read'] : []),
  ];
  return facts.join(', ');
}

/** A success body is recorded as facts, so that no customer's data ends up in a report: its members are all there is. */
function membersOf(body: RecordedBody): Markup | null {
  if (body.members.length === 0) return null;
  const shown = body.members.slice(0, MEMBERS).map(
    ({ pointer, type }) => html`<li>
    <code>${pointer === '' ? '(the body)' : shortened(pointer, 120)}</code> ${type}</li>`,
  );
  const rest = body.members.length - MEMBERS;
  return html`<ul class="members">${shown}${rest > 0 ? html`<li>and ${rest} more</li>` : null}</ul>`;
}

function bodyBlock(body: RecordedBody | null): Markup {
  if (body === null) return html`<p class="aside">no body</p>`;
  const content =
    body.text === undefined ? membersOf(body) : html`<pre tabindex="0">${shortened(body.text, BODY_CHARACTERS)}</pre>`;
  return html`${content}<p class="aside">${factsOf(body)}</p>`;
}

function leaksOf(response: RecordedResponse): Markup | null {
  if (response.leaks.length === 0) return null;
  const told = response.leaks.map(({ secret, encoding, where }) => {
    return html`<li>The ${where} shows the ${secret === 'credential' ? 'credential' : 'inbound secret'} (${encoding}).</li>`;
  });
  return html`<ul class="leaks">${told}</ul>`;
}

function requestPanel({ request, tag }: Exchange): Markup {
  const credential = html`<dt>Authorization</dt><dd class="made">credential: ${request.credential}</dd>`;
  return html`<div class="message"><h4>Request${tag.about === '' ? null : html` <span>${shortened(tag.about, PHRASE_CHARACTERS)}</span>`}</h4>
<p class="line"><b>${request.method}</b> ${shortened(request.path, PHRASE_CHARACTERS)}</p>
${headerRows(request.headers, request.credential === 'none' ? [] : [credential])}${bodyBlock(request.body)}</div>`;
}

function answerPanel({ response, failure, took, at }: Exchange): Markup {
  const time = html`<span>after ${duration(took)}, ${duration(at)} into the run</span>`;
  if (response === null) {
    const status = failure?.status === undefined ? '' : `; the status line said ${failure.status}`;
    return html`<div class="message"><h4>No complete answer ${time}</h4>
<p class="line"><b>${failure?.kind ?? 'unknown'}</b> ${shortened(failure?.detail ?? '', PHRASE_CHARACTERS)}${status}</p></div>`;
  }
  return html`<div class="message"><h4>Answer ${time}</h4><p class="line"><b>${response.status}</b></p>
${headerRows(response.headers, [])}${leaksOf(response)}${bodyBlock(response.body)}</div>`;
}

/** A request and what came of it, side by side, and its curl line. `key` is unique on the page. */
export function exhibit(exchange: Exchange, results: Results, key: string): Markup {
  const line = curlLine(exchange, results);
  const curl =
    line.length > CURL_CHARACTERS
      ? html`<p class="aside">As a curl line the request has ${line.length} characters; the replay command sends it.</p>`
      : copyable('curl', line, `curl-${key}`);
  return html`<div class="exchange">${requestPanel(exchange)}${answerPanel(exchange)}</div>${curl}`;
}
