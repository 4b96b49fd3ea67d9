/** A line to take away: shown in full, copied with one button. */

import { html, type Markup } from './markup.ts';

/** A command under a label, with a button that copies it. `id` is unique on the page. */
export function copyable(label: string, line: string, id: string): Markup {
  return html`<div class="copyable"><span class="label" id="${id}-label">${label}</span>
<pre id="${id}" tabindex="0" role="group" aria-labelledby="${id}-label">${line}</pre>
<button type="button" class="copy needs-script" data-copy="${id}" aria-describedby="${id}-label">Copy</button></div>`;
}
