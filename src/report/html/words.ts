/** Names, numbers and texts as the page writes them. */

import { OPERATION_IDS } from '../../contract/operations.ts';
import { readingById } from '../../contract/readings.ts';
import type { CaseResult, Results } from '../../verdict/results.ts';
import { counted, cut } from '../text.ts';
import { html, type Markup } from './markup.ts';

const PHRASE_CHARACTERS = 600;

/** A text of a target or a finding, of bounded length. */
export function phrase(text: string): string {
  return cut(text, PHRASE_CHARACTERS);
}

/** A term of a list of facts. */
export function fact(name: string, value: string | Markup): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Milliseconds in a unit that suits them. */
export function duration(milliseconds: number): string {
  const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
  if (milliseconds >= 60_000) {
    const seconds = Math.round(milliseconds / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (milliseconds >= 1_000) return `${trimmed(milliseconds / 1_000, milliseconds >= 10_000 ? 0 : 1)} s`;
  return `${trimmed(milliseconds, milliseconds >= 10 ? 0 : 1)} ms`;
}

/** Id of the element that says most about a case. */
export function anchorOf(id: string): string {
  return `case-${id.replace(/[^A-Za-z0-9-]+/g, '-')}`;
}

/** Operations that have a case, in the order of the specification; requests outside them come last. */
export function operationsOf(results: Results): readonly string[] {
  const present = new Set(results.requirements.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  const documented: readonly string[] = OPERATION_IDS.filter((id) => present.has(id));
  return [...documented, ...[...present].filter((id) => !documented.includes(id))];
}

/** Name of an operation; requests outside the documented operations share one. */
export function operationName(operation: string): string {
  return operation === 'undocumented' ? 'other requests' : operation;
}

/** A section of the specification by its sign; another standard by its name. */
export function sectionName(section: string): string {
  return /^\d/.test(section) ? `§ ${section}` : section;
}

/** How many exchanges the verdict on a case is based on. */
export function basisOf({ judged }: CaseResult): string {
  return judged === 0 ? 'no exchange' : `based on ${counted(judged, 'exchange')}`;
}

/** A command under a label, with a button that copies it. `id` is unique on the page. */
export function copyable(label: string, line: string, id: string): Markup {
  return html`<div class="copyable"><span class="label" id="${id}-label">${label}</span>
<pre id="${id}" tabindex="0" role="group" aria-labelledby="${id}-label">${line}</pre>
<button type="button" class="copy needs-script" data-copy="${id}" aria-describedby="${id}-label">Copy</button></div>`;
}

/** The reading of the specification that a requirement takes; nothing if the text is unambiguous. */
export function readingNote(id: string | undefined): Markup | null {
  if (id === undefined) return null;
  const reading = readingById(id);
  if (reading === undefined) return html`<p class="reading"><b>Reading ${id}</b></p>`;
  const [taken, other] = reading.readings;
  return html`<div class="reading"><p><b>Reading ${id}.</b> ${reading.question} <b>Taken:</b> ${taken}</p>
<details><summary>Why, and the other reading</summary><p>${reading.why}</p><p>The other: ${other}</p></details></div>`;
}
