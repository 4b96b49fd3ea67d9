/** What the target chose where the specification says nothing: recorded, never judged. */

import { gapById } from '../../contract/gaps.ts';
import { OPERATION_IDS } from '../../contract/operations.ts';
import type { Choice } from '../../verdict/choices.ts';
import { PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { operationName } from './page-cases.ts';
import { counted } from './quantities.ts';

const MOST = 1_000;

function namesOf(operations: readonly string[]): string {
  const distinct = [...new Set(operations)];
  const isEverywhere = OPERATION_IDS.every((id) => distinct.includes(id));
  return isEverywhere && distinct.length === OPERATION_IDS.length
    ? 'all operations'
    : distinct.map(operationName).join(', ');
}

/** Choices by gap, those of several operations folded where they are the same. */
export function choiceTable(choices: readonly Choice[]): Markup {
  const gaps = [...new Set(choices.map(({ gap }) => gap))];
  const rows = gaps.slice(0, MOST).map((gap) => {
    const own = choices.filter((one) => one.gap === gap);
    const distinct = [...new Set(own.map(({ choice }) => choice))];
    return distinct.map((choice, at) => {
      const operations = own.filter((one) => one.choice === choice).map(({ operation }) => operation);
      const head = html`<th scope="rowgroup" rowspan="${distinct.length}">${gapById(gap)?.question ?? null}<code>${gap}</code></th>`;
      return html`<tr>${at === 0 ? head : null}<td>${shortened(choice, PHRASE_CHARACTERS)}</td><td class="operations">${namesOf(operations)}</td></tr>`;
    });
  });
  return html`<details class="fold"><summary>Show what it chose in ${counted(gaps.length, 'gap')}</summary><div class="scroll" role="region" aria-label="Choices" tabindex="0"><table class="plain choices"><caption class="unseen">Choices of the target by gap</caption>
<thead><tr><th scope="col">Gap</th><th scope="col">Choice</th><th scope="col">Operations</th></tr></thead>${rows.map((row) => html`<tbody>${row}</tbody>`)}</table></div></details>`;
}
