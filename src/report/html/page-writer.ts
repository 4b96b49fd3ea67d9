/** The page as a writer: one file that opens from disk, loads nothing and runs nothing that a target sent. */

import { SHOWN } from '../../contract/limits.ts';
import { counted } from '../../contract/lists.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { RequirementResult } from '../../verdict/results.ts';
import type { Block, Entry, Fact, FindingView, FoundCase, Part, Span, Text } from '../document.ts';
import { operationName, type RunArtefacts } from '../model.ts';
import { documentOf } from '../run-document.ts';
import { capitalized, cut } from '../text.ts';
import { exchangeLink, exchangeList, exchangeView, linked } from './exchanges.ts';
import { anchorOf, badge, html, inlineAsset, type Markup, page, panel, seal, sectionName } from './markup.ts';
import { map, matrix, readingNote, requirementEntry, toolbar } from './matrix.ts';

const SCRIPT = inlineAsset('page.js');

function spanView(span: Span): Markup | string {
  if (typeof span === 'string') return span;
  switch (span.kind) {
    case 'value':
      return linked(span.text);
    case 'code':
      return html`<code>${cut(span.text, SHOWN.paragraph)}</code>`;
    case 'command':
      return html`<code>${span.line}</code>`;
    case 'toned':
      return html`<b class="${span.tone}">${span.text}</b>`;
    case 'case':
      return html`<a href="#${anchorOf(span.id)}"><code>${span.text ?? span.id}</code></a>`;
    case 'exchange':
      return exchangeLink(span.seq);
    case 'part':
      return html`<a href="#${span.id}">${span.text}</a>`;
    case 'address':
      return html`<a href="${new URL(span.url).href}" rel="noreferrer">${span.url}</a>`;
  }
}

const inlineMarkup = (text: Text): Markup => html`${text.map(spanView)}`;

/** The commands among facts, each with what it may do to the target beside its name. */
const commandsIn = (facts: readonly Fact[]): readonly (readonly [title: string, line: string])[] =>
  facts.flatMap(([name, first, note]) => {
    const span = first?.[0];
    if (typeof span !== 'object' || span.kind !== 'command') return [];
    return [[note === undefined ? name : `${name}: ${note.join('')}`, span.line]];
  });

const commandView = ([title, line]: readonly [string, string]): Markup =>
  line.length > SHOWN.curl
    ? html`<p class="aside">The ${title} command has ${counted(line.length, 'character')} and is left out.</p>`
    : panel(capitalized(title), line, 'command');

/** Facts side by side, and the commands among them below. */
function factsView(facts: readonly Fact[]): Markup {
  const rows = facts.flatMap((fact) => {
    const [name, ...lines] = fact;
    if (commandsIn([fact]).length > 0) return [];
    const shown = lines.map((line, at) =>
      at === 0 ? inlineMarkup(line) : html`<span class="aside">${inlineMarkup(line)}</span>`,
    );
    return [html`<div><dt>${capitalized(name)}</dt><dd class="${name}">${shown}</dd></div>`];
  });
  return html`${rows.length > 0 && html`<dl>${rows}</dl>`}${commandsIn(facts).map(commandView)}`;
}

/** A button for each command; the lists below show the same lines to those who run no script. */
function copyButtons(commands: readonly Fact[]): Markup {
  const short = commandsIn(commands).filter(([, line]) => line.length <= SHOWN.curl);
  const buttons = short.map(([title, line]) => html`<button type="button" data-copy="${line}">Copy ${title}</button> `);
  return html`<p class="needs-script">${buttons}<span class="aside" aria-live="polite"></span></p>`;
}

/** Writes one page: what it has shown so far decides where links lead, and how much room is left. */
class PageWriter {
  #room: number = SHOWN.exchangesMarkup;
  #mentions = '';
  readonly #shown = new Set<number>();

  /** The exchange in full if there is room; the first view of an exchange is where links to it lead. */
  #exchange(exchange: Exchange): Markup | null {
    const view = exchangeView(exchange);
    if (view.text.length > this.#room) return null;
    this.#room -= view.text.length;
    this.#shown.add(exchange.seq);
    return view;
  }

  #entry({ verdict, isNew, title, statement, facts, commands = [], cases, note }: Entry): Markup {
    const items = cases.map((id) => html`<li data-case="${id}"><a href="#${anchorOf(id)}"><code>${id}</code></a></li>`);
    const names =
      cases.length > 0 &&
      html`<details><summary>${counted(cases.length, 'case')}</summary><ul class="columns">${items}</ul></details>`;
    return html`<article class="entry"${cases.length === 0 ? null : html` data-group`}><h3>${verdict === undefined ? null : badge(verdict)}<span>${isNew ? 'NEW ' : ''}${inlineMarkup(title)}</span></h3>
<p>${inlineMarkup(statement)}</p>${factsView(facts)}${names}${commands.length > 0 && copyButtons(commands)}
${note.length === 0 ? null : html`<p class="aside">${inlineMarkup(note)}</p>`}</article>`;
  }

  #finding({ contrast, seq, exchange, commands }: FindingView, at: number): Markup {
    // Further exchanges of a case are seldom worth the room: a link leads to the list of exchanges.
    const isFirst = at === 0 && exchange !== undefined && !this.#shown.has(seq);
    const view = isFirst ? this.#exchange(exchange) : null;
    const instead = isFirst ? 'Left out to keep the page small:' : 'Shown by';
    const note = exchange === undefined ? 'The record does not hold' : instead;
    const shown =
      view === null
        ? html`<p class="aside">${note} ${exchangeLink(seq)}.</p>`
        : html`<div id="exchange-${seq}">${view}</div>`;
    return html`<div>${factsView(contrast)}${shown}${factsView(commands)}</div>`;
  }

  #case({ result, mark, known, findings, also, alike, rerun }: FoundCase, isOpen: boolean): Markup {
    const [first] = result.findings;
    const headline = cut(first === undefined ? result.reason : `got ${first.actual}`, SHOWN.line);
    const view = html`<details class="case" id="${anchorOf(result.id)}" data-case="${result.id}"${isOpen ? html` open` : null}>
<summary>${badge(result.verdict, result.verdict)}${mark}<b>${operationName(result.operation)}</b> <span class="aside">${headline}</span></summary>
${factsView(known)}${first === undefined ? html`<p>${linked(result.reason)}</p>` : null}${findings.map((finding, at) => this.#finding(finding, at))}
${factsView([...also, rerun])}</details>`;
    if (alike.length === 0) return view;
    const views = alike.map((each) => this.#case(each, false));
    return html`${view}<details class="alike" data-group><summary>The same in ${counted(alike.length, 'more case')}</summary>${views}</details>`;
  }

  #found({ id, level, section, statement, reading }: RequirementResult, cases: readonly FoundCase[], isOpen: boolean) {
    const count = cases.reduce((sum, { alike }) => sum + 1 + alike.length, 0);
    return html`<article class="card" data-group><h3><code>${id}</code> <span class="aside">${level} · ${sectionName(section)} · ${counted(count, 'case')}</span></h3>
<p>${statement}</p>${readingNote(reading)}${cases.map((testCase, at) => this.#case(testCase, isOpen && at === 0))}</article>`;
  }

  #block(block: Block, isOpen: boolean): Markup {
    switch (block.kind) {
      case 'paragraph':
        return html`<p>${inlineMarkup(block.text)}</p>`;
      case 'list': {
        const items = block.items.map(([first, ...rest]) => {
          const below = rest.map((text) => html`<li>${inlineMarkup(text)}</li>`);
          return html`<li>${inlineMarkup(first)}${below.length === 0 ? null : html`<ul>${below}</ul>`}</li>`;
        });
        return html`<ul>${items}</ul>`;
      }
      // The page of a run has no table: a history is text or Markdown.
      case 'table':
        return html``;
      case 'fold':
        return html`<details><summary>${block.title}</summary>${block.blocks.map((inner) => this.#block(inner, false))}</details>`;
      case 'entry':
        return this.#entry(block);
      case 'found':
        return this.#found(block.requirement, block.cases, isOpen);
      case 'requirements':
        return html`${block.results.requirements.map(requirementEntry)}`;
      case 'map':
        return map(block.results);
      case 'matrix':
        return html`${toolbar(block.results)}${matrix(block.results)}`;
      case 'exchanges': {
        const links = [...this.#mentions.matchAll(/href="#exchange-(\d+)"/g)];
        const mentioned = new Set(links.map(([, seq]) => Number(seq)));
        return exchangeList(block.exchanges, mentioned, this.#shown, (exchange) => this.#exchange(exchange));
      }
    }
  }

  /** Entries are side by side, before the lines for the rest. */
  #blocks(blocks: readonly Block[], isOpen: boolean): Markup {
    const views = blocks.map((block, at) => this.#block(block, isOpen && at < SHOWN.first));
    const [entries, others] = [true, false].map((is) => views.filter((_, at) => (blocks[at]?.kind === 'entry') === is));
    return html`${entries?.length === 0 ? null : html`<div class="entries">${entries}</div>`}${others}`;
  }

  section({ id, title, tone, count, lead, filtered, blocks }: Part, isOpen: boolean): Markup {
    const number = count === undefined ? null : html`&nbsp;<span class="aside">${count}</span>`;
    const view = html`<section id="${id}" class="${tone}" aria-labelledby="${id}-title"${filtered === true ? html` data-group` : null}><h2 id="${id}-title">${title}${number}</h2>
${lead === undefined ? null : html`<p class="aside">${lead}</p>`}${this.#blocks(blocks, isOpen)}</section>`;
    this.#mentions += view.text;
    return view;
  }
}

/** The first part of each kind; changes since the baseline have several. */
function navigation(parts: readonly Part[]): Markup {
  const links = parts.map(({ id, count }) => {
    const number = count === undefined ? null : html` <span class="aside">${count}</span>`;
    return /-\d+$/.test(id) ? null : html`<li><a href="#${id}">${capitalized(id)}</a>${number}</li>`;
  });
  return html`<nav aria-label="Parts of the report"><ul>${links}</ul></nav>`;
}

/** report.html: the page of a run. Pure: equal runs give equal bytes. */
export function renderHtml(run: RunArtefacts): string {
  const { headline, colour, target, lead, facts, about, parts } = documentOf(run, 'page');
  const writer = new PageWriter();
  const opened = parts.find(({ blocks }) => blocks[0]?.kind === 'found')?.id;
  const sections = parts.map((part) => writer.section(part, part.id === opened));
  const body = html`${navigation(parts)}<main><header><p class="aside">Programmable Communications Service · conformance report</p>
<div class="verdict">${seal(colour)}<h1>${headline}</h1></div>
${lead.map((text) => html`<p>${inlineMarkup(text)}</p>`)}${factsView(facts)}
<details><summary>About this run</summary>${factsView(about)}</details></header>${sections}</main>
<footer><p>The authoritative record is results.json beside this page. Neither file holds credentials or secrets.</p></footer>`;
  return page(`${headline} · ${target} · conformance report`, body, SCRIPT);
}
