/** What a reader looks at by itself, whether it failed or could not be judged: likely causes, open cases and questions. */

import { groupBy } from '../contract/lists.ts';
import type { Cause } from './causes.ts';
import { curlFacts, rerunFact } from './commands.ts';
import { code, type Entry, type Fact, type Text, value } from './document.ts';
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
  const { first, places, sent, finding, extent, isNew } = cause;
  const { requirement, one } = first;
  const exchange = exampleOf(finding, run);
  const shown: readonly Fact[] = [
    ...(finding === undefined ? [] : [['sent', [value(sent)]] as const]),
    ...(exchange === undefined
      ? []
      : ([
          ['request', [code(requestLine(exchange))]],
          ['response', [code(responseLine(exchange))]],
        ] as const)),
  ];
  return {
    kind: 'entry',
    verdict: one.verdict,
    isNew,
    title: [{ kind: 'case', id: one.id, text: requirement.id }, ` on ${places}`],
    statement: [requirement.statement],
    facts: [...deviationOf(cause), ...shown],
    commands: [...curlFacts(exchange, run, finding?.where), rerunFact(one, run)],
    cases: [],
    note: [extent, ...(exchange ? ['; ', { kind: 'exchange', seq: exchange.seq } as const] : [])],
  };
}

/** Causes on a line for each requirement and deviation, which names every stimulus. */
export function causeLines(causes: readonly Cause[]): readonly Text[] {
  const alike = groupBy(causes, ({ first, finding, isNew }) =>
    JSON.stringify([first.requirement.id, finding?.expected, finding?.actual, isNew]),
  );
  return [...alike.values()].map((own): Text => {
    const [{ first, finding, isNew }] = own;
    const got = finding === undefined ? reasonOf(first.one) : `got ${finding.actual}`;
    const names = own.map(({ places, sent }) => (sent === '' ? places : `${sent} (${places})`)).join('; ');
    return [
      ...(isNew ? ['NEW '] : []),
      { kind: 'case', id: first.one.id, text: first.requirement.id },
      ': ',
      value(got),
      ' to ',
      value(names),
    ];
  });
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
