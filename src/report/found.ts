/**
 * The items of a report: a case that fails or warns, with its findings, what is known about it and the command that
 * judges it again; a likely cause; and what is open for one reason.
 */

import { SHOWN } from '../contract/limits.ts';
import { counted, groupBy } from '../contract/lists.ts';
import { sentPhrase } from '../verdict/folded.ts';
import { contrast, deviationPhrase, likeness } from '../verdict/identity.ts';
import type { FoldedFinding } from '../verdict/results.ts';
import { codeSpan, given, linkTo, value } from './blocks.ts';
import type { Cause } from './causes.ts';
import { curlFacts, rerunFact, traceOf } from './commands.ts';
import type { Block, Entry, Fact, FindingView, FoundCase, Text } from './document.ts';
import { type KnownFailure, knownPhrase } from './gate.ts';
import { requestLine, responseLine } from './messages.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  gatedOf,
  type OpenGroup,
  type RunArtefacts,
  reasonOf,
  siblingPhrase,
} from './model.ts';

function findingOf(finding: FoldedFinding, run: RunArtefacts): FindingView {
  const { expected, actual, where, stimulus, form, count, sibling, walk, example: seq } = finding;
  const exchange = exampleOf(finding, run);
  const about = walk === undefined ? (exchange?.tag.about ?? stimulus) : stimulus;
  const trace = exchange && traceOf(exchange);
  const contrast = given(
    ['expected', [value(expected)]],
    ['actual', [value(actual)]],
    ['where', [value(where)], ...(count === undefined ? [] : [[`in ${counted(count, 'recorded exchange')}`]])],
    ['sent', [value(sentPhrase({ stimulus: about, ...(form && { form }) }))]],
    sibling && ['unlike', [linkTo(sibling.seq), value(siblingPhrase(sibling, run))]],
    walk !== undefined && ['random', [`seed ${run.results.seed}, path ${walk}`]],
  );
  const commands = given(trace !== undefined && ['trace', [trace]], ...curlFacts(exchange, run, where));
  return { contrast, seq, exchange, commands };
}

/**
 * All findings but one, a line for each deviation that names every stimulus. If only some are new, the line says which.
 */
function alsoOf(all: readonly FoldedFinding[], first: FoldedFinding | undefined, fresh: readonly FoldedFinding[]) {
  const isNew = (finding: FoldedFinding): boolean => fresh.includes(finding);
  const isMixed = fresh.length > 0 && fresh.length < all.length;
  const others = all.filter((finding) => finding !== first);
  const groups = groupBy(others, (finding) => `${isNew(finding)} ${likeness(finding)}`);
  return [...groups.values()].map((rest): Text => {
    const mark = isMixed ? (isNew(rest[0]) ? 'NEW: ' : 'KNOWN: ') : '';
    const isSame = first !== undefined && likeness(first) === likeness(rest[0]);
    const told = isSame ? 'the same' : deviationPhrase(rest[0]);
    const names = rest.flatMap((finding, at): Text => {
      return [at === 0 ? ' to ' : '; ', value(sentPhrase(finding)), ' (', linkTo(finding.example), ')'];
    });
    return [mark, value(told), ...names];
  });
}

/** Why a failure is known, who will fix it until when, and a link to the issue. */
export const knownText = ({ issue, ...known }: KnownFailure): Text =>
  issue === undefined ? [value(knownPhrase(known))] : [value(knownPhrase(known)), ' ', { kind: 'address', url: issue }];

function foundCase(
  each: CaseOfRequirement,
  run: RunArtefacts,
  detail: FoundCase['detail'],
  alike: readonly FoundCase[],
) {
  const { result } = each;
  const { known, newFindings: fresh, ...gated } = gatedOf(result, run);
  const ordered = [...fresh, ...result.findings.filter((finding) => !fresh.includes(finding))];
  const firsts = [...groupBy(ordered, likeness).values()].map(([first]) => first).slice(0, SHOWN.first);
  const also = alsoOf(ordered, firsts[0], fresh);
  return {
    // New findings head the case in each view.
    result: { ...result, reason: reasonOf(result), findings: ordered },
    mark: known.length > 0 ? 'KNOWN ' : gated.fresh.length > 0 ? 'NEW ' : '',
    known: given(known.length > 0 && ['known', ...known.map(knownText)]),
    detail,
    findings: firsts.map((finding) => findingOf(finding, run)),
    also: given(also.length > 0 && ['also', ...also]),
    alike,
    rerun: rerunFact(result, run, firsts[0]),
  } as const satisfies FoundCase;
}

const failsAs = ({ result: { verdict, reason, findings } }: CaseOfRequirement): string =>
  JSON.stringify([verdict, findings.length === 0 ? reason : [...new Set(findings.map(contrast))].sort()]);

/** Cases by requirement, those that fail alike in one block, known ones last; `full` of them are shown in full. */
export function foundBlocks(cases: readonly CaseOfRequirement[], run: RunArtefacts, full: number): readonly Block[] {
  const isKnown = ({ result }: CaseOfRequirement): boolean => gatedOf(result, run).known.length > 0;
  const sorted = cases.toSorted((a, b) => Number(isKnown(a)) - Number(isKnown(b)));
  const byRequirement = groupBy(sorted, (found) => `${isKnown(found)} ${found.requirement.id}`);
  let left = full;
  return [...byRequirement.values()].map((found): Block => {
    const groups = [...groupBy(found, failsAs).values()].map(([first, ...rest]) => {
      left -= 1;
      const alike = rest.map((testCase) => foundCase(testCase, run, 'short', []));
      return foundCase(first, run, left < 0 ? 'short' : 'full', alike);
    });
    return { kind: 'found', requirement: found[0].requirement, cases: groups };
  });
}

/** The place of a deviation is in brackets, unless the deviation itself says it. */
function deviationOf({ first, finding }: Cause): readonly Fact[] {
  if (finding === undefined) return [['reason', [value(reasonOf(first.result))]]];
  const { expected, actual, where } = finding;
  const place = where === 'the status' || where === 'the response' ? [] : [' (', value(where), ')'];
  return [
    ['expected', [value(expected)]],
    ['actual', [value(actual), ...place]],
  ];
}

/** The stimulus of each cause by name, and its place unless that is said already. */
const namesOf = (causes: readonly Cause[], said?: string): Text =>
  causes.flatMap(({ places, sent }, at): Text => {
    const where = places === said ? '' : ` (${places})`;
    return [at === 0 ? '' : '; ', value(sent === '' ? places : `${sent}${where}`)];
  });

/** Likely causes that one exchange shows, with the exchange. */
export function causeEntry([cause, ...rest]: readonly [Cause, ...Cause[]], run: RunArtefacts): Entry {
  const { first, places, sent, finding, extent, isNew } = cause;
  const { requirement, result } = first;
  const exchange = exampleOf(finding, run);
  const shown = given(
    finding && ['sent', [value(sent)]],
    rest.length > 0 && ['also to', namesOf(rest, places)],
    exchange && ['request', [codeSpan(requestLine(exchange))]],
    exchange && ['response', [codeSpan(responseLine(exchange))]],
  );
  return {
    kind: 'entry',
    verdict: result.verdict,
    isNew,
    title: [{ kind: 'case', id: result.id, text: requirement.id }, ` on ${places}`],
    statement: [requirement.statement],
    facts: [...deviationOf(cause), ...shown],
    commands: [...curlFacts(exchange, run, finding?.where), rerunFact(result, run, finding)],
    cases: [],
    note: [extent, ...(exchange ? ['; ', linkTo(exchange.seq)] : [])],
  };
}

/** Causes, one line for each requirement and deviation, naming every stimulus. */
export function causeLines(causes: readonly Cause[]): readonly Text[] {
  const alike = groupBy(causes, ({ shows }) => shows);
  return [...alike.values()].map((equal): Text => {
    const [{ first, finding, isNew }] = equal;
    const got = finding === undefined ? reasonOf(first.result) : `got ${finding.actual}`;
    return [
      ...(isNew ? ['NEW '] : []),
      { kind: 'case', id: first.result.id, text: first.requirement.id },
      ': ',
      value(got),
      ' to ',
      ...namesOf(equal),
    ];
  });
}

/** What is open for one reason, with what would resolve it. */
export function openEntry({ verdict, title, reason, remedy, cases }: OpenGroup): Entry {
  return {
    kind: 'entry',
    ...(verdict && { verdict }),
    isNew: false,
    title: [verdict === undefined ? title : `${title} ${verdict.replace('-', ' ')}`],
    statement: [value(reason)],
    facts: remedy === undefined ? [] : [['remedy', [value(remedy)]]],
    cases,
    note: [],
  };
}
