/** One finding: expected against actual, and the smallest exchange that shows it. */

import type { CaseResult, FoldedFinding } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { type CaseOfRequirement, exampleOf } from '../cases.ts';
import { exhibit } from './exhibit.ts';
import { EXHIBIT_CHARACTERS, FINDINGS, PHRASE_CHARACTERS, shortened } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf } from './page-cases.ts';

const MISSES = 20;

/** Name of a finding on the page. */
export function keyOf(one: CaseResult, at: number): string {
  return `${anchorOf(one.id)}-${at + 1}`;
}

function contrast(finding: FoldedFinding): Markup {
  return html`<dl class="contrast"><div><dt>Expected</dt><dd>${shortened(finding.expected, PHRASE_CHARACTERS)}</dd></div>
<div><dt>Actual</dt><dd class="actual">${shortened(finding.actual, PHRASE_CHARACTERS)}</dd></div>
<div><dt>Where</dt><dd>${shortened(finding.where, PHRASE_CHARACTERS)}</dd></div></dl>`;
}

function findingOf(finding: FoldedFinding, run: RunArtefacts, key: string): Markup {
  const exchange = exampleOf(finding, run);
  const times = finding.count === 1 ? 'once' : `${finding.count} times`;
  const shown =
    exchange === undefined
      ? html`<p class="aside">The record no longer holds that exchange.</p>`
      : exhibit(exchange, run.results, key);
  return html`${contrast(finding)}<p class="aside">Seen ${times}; the smallest is exchange ${finding.example}.</p>${shown}`;
}

/** The findings that the page has room for, by key: the first of every case, in the order given, before any second. */
export function findingsWithinRoom(
  cases: readonly CaseOfRequirement[],
  run: RunArtefacts,
  room: number = EXHIBIT_CHARACTERS,
): ReadonlyMap<string, Markup> {
  const told = new Map<string, Markup>();
  let left = room;
  let misses = 0;
  for (let at = 0; at < FINDINGS; at += 1) {
    for (const { one } of cases) {
      const finding = one.findings[at];
      // Most are of a size: after a few that no longer fit, trying the rest would only take time.
      if (finding === undefined || misses > MISSES) continue;
      const markup = findingOf(finding, run, keyOf(one, at));
      if (markup.text.length > left) {
        misses += 1;
        continue;
      }
      left -= markup.text.length;
      told.set(keyOf(one, at), markup);
    }
  }
  return told;
}
