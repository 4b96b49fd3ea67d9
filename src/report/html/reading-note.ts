/** The reading that was taken where the specification admits two. */

import { READINGS } from '../../contract/readings.ts';
import { html, type Markup } from './markup.ts';

/** The entry of the ambiguity register on which a requirement rests; nothing where the text is plain. */
export function readingNote(id: string | undefined): Markup | null {
  if (id === undefined) return null;
  const reading = READINGS.find((one) => one.id === id);
  if (reading === undefined) return html`<p class="reading"><b>Reading ${id}</b></p>`;
  const [taken, other] = reading.readings;
  return html`<div class="reading"><p><b>Reading ${id}.</b> ${reading.question} <b>Taken:</b> ${taken}</p>
<details><summary>Why, and the other reading</summary><p>${reading.why}</p><p>The other: ${other}</p></details></div>`;
}
