/** What a reader looks at by itself, whether it failed or could not be judged: likely causes, open cases and questions. */

import type { Cause } from './causes.ts';
import { code, type Entry, type Fact, value } from './document.ts';
import { requestLine, responseLine } from './messages.ts';
import { exampleOf, LOOKS, type OpenGroup, type RunArtefacts, reasonOf } from './model.ts';

/** Where a deviation was seen stands in brackets, unless the deviation says so itself. */
function deviationOf({ first, finding }: Cause): readonly Fact[] {
  if (finding === undefined) return [['reason', [value(reasonOf(first.one))]]];
  const { expected, actual, where } = finding;
  const place = where === 'the status' || where === 'the response' ? [] : [' (', value(where), ')'];
  return [
    ['expected', [value(expected)]],
    ['actual', [value(actual), ...place]],
  ];
}

/** A likely cause with the exchange that shows it. */
export function causeEntry(cause: Cause, run: RunArtefacts): Entry {
  const { first, places, finding, extent, isNew } = cause;
  const { requirement, one } = first;
  const exchange = exampleOf(finding, run);
  const sent = finding === undefined ? [] : [' (', value(finding.stimulus), ')'];
  const shown: readonly Fact[] = exchange
    ? [
        ['request', [code(requestLine(exchange)), ...sent]],
        ['response', [code(responseLine(exchange))]],
      ]
    : [];
  return {
    kind: 'entry',
    verdict: one.verdict,
    isNew,
    title: [{ kind: 'case', id: one.id, text: requirement.id }, ` on ${places}`],
    statement: [requirement.statement],
    facts: [...deviationOf(cause), ...shown],
    cases: [],
    note: [extent, ...(exchange ? ['; ', { kind: 'exchange', seq: exchange.seq } as const] : [])],
  };
}

/** What is open for one reason, with what would resolve it. */
export function openEntry({ verdict, title, reason, remedy, cases }: OpenGroup): Entry {
  const word = verdict === undefined ? '' : ` ${LOOKS[verdict].word}`;
  return {
    kind: 'entry',
    ...(verdict && { verdict }),
    isNew: false,
    title: [`${title}${word}`],
    statement: [value(reason)],
    facts: remedy === undefined ? [] : [['remedy', [value(remedy)]]],
    cases,
    note: [],
  };
}
