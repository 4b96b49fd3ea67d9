/** What a report shows of a case that fails or warns: its findings, what is known of it, and what judges it again. */

import { SHOWN } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import type { FoldedFinding } from '../verdict/results.ts';
import { curlLine, rerunCommand, traceOf } from './commands.ts';
import { type Block, type Fact, type Finding, type FoundCase, type Text, value } from './document.ts';
import { type KnownFailure, knownPhrase } from './gate.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  foldAlike,
  knownIn,
  newIn,
  type RunArtefacts,
  reasonOf,
  siblingPhrase,
} from './model.ts';

function contrastOf(finding: FoldedFinding, run: RunArtefacts): readonly Fact[] {
  const { expected, actual, where, about, count, sibling } = finding;
  const random = exampleOf(finding, run)?.tag.origin;
  return [
    ['expected', [value(expected)]],
    ['actual', [value(actual)]],
    ['where', [value(where)], ...(count > 1 ? [[`seen ${count} times; the smallest example is shown`]] : [])],
    ...(about === '' ? [] : [['variation', [value(about)]] as const]),
    ...(sibling
      ? [['unlike', [{ kind: 'exchange', seq: sibling.seq }, value(siblingPhrase(sibling, run))]] as const]
      : []),
    ...(random ? [['random', [`seed ${random.seed}, path ${random.path}`]] as const] : []),
  ];
}

function findingOf(finding: FoldedFinding, run: RunArtefacts): Finding {
  const exchange = exampleOf(finding, run);
  const trace = exchange && traceOf(exchange);
  const commands: readonly Fact[] = [
    ...(trace === undefined ? [] : [['trace', [trace]] as const]),
    ...(exchange ? [['curl', [{ kind: 'command', line: curlLine(exchange, run, finding.where) }]] as const] : []),
  ];
  return { contrast: contrastOf(finding, run), seq: finding.example, exchange, commands };
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
  const { one } = each;
  const known = knownIn(run).get(one.id);
  return {
    one,
    mark: known ? 'KNOWN ' : newIn(run).has(one.id) ? 'NEW ' : '',
    known: known ? knownText(known) : [],
    detail,
    reason: reasonOf(one),
    findings: one.findings.slice(0, SHOWN.first).map((finding) => findingOf(finding, run)),
    alike,
    rerun: ['rerun', [{ kind: 'command', line: rerunCommand(one, run) }]],
  } as const satisfies FoundCase;
}

/** Cases by requirement, those that are known last; `full` of them are shown in full. */
export function foundBlocks(cases: readonly CaseOfRequirement[], run: RunArtefacts, full: number): readonly Block[] {
  const known = knownIn(run);
  const sorted = cases.toSorted((a, b) => Number(known.has(a.one.id)) - Number(known.has(b.one.id)));
  const byRequirement = groupBy(sorted, ({ requirement, one }) => `${known.has(one.id)} ${requirement.id}`);
  let left = full;
  return [...byRequirement.values()].map((own): Block => {
    const groups = foldAlike(own).map(({ first, alike }) => {
      left -= 1;
      const others = own.filter(({ one }) => alike.includes(one.id));
      return foundCase(
        first,
        run,
        left < 0 ? 'short' : 'full',
        others.map((one) => foundCase(one, run, 'short', [])),
      );
    });
    return { kind: 'found', requirement: own[0].requirement, cases: groups };
  });
}

/** A case by itself, in full. */
export const foundAlone = ({ requirement, one }: CaseOfRequirement, run: RunArtefacts): Block => ({
  kind: 'found',
  requirement,
  cases: [foundCase({ requirement, one }, run, 'full', [])],
});
