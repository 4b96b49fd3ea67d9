/** SARIF 2.1.0, for code scanning and for tools that gather findings. */

import type { Log, Result } from 'sarif';
import { OPERATIONS } from '../contract/operations.ts';
import { sentPhrase } from '../verdict/folded.ts';
import { deviationPhrase, identityOf } from '../verdict/identity.ts';
import { knownPhrase } from './gate.ts';
import {
  actionsOf,
  allCases,
  type CaseOfRequirement,
  gatedOf,
  isFailing,
  type RunArtefacts,
  reasonOf,
} from './model.ts';
import { jsonText, visible } from './text.ts';

/** A result for each finding, identified by its stimulus; a case without findings has a result of its own. */
function sarifResults(each: CaseOfRequirement, run: RunArtefacts): readonly Result[] {
  const { requirement, result } = each;
  const fresh = [...gatedOf(result, run).fresh, ...(run.difference?.newWarnings ?? [])];
  const isOpen = result.verdict === 'inconclusive' || result.verdict === 'not-exercised';
  const remedy = result.remedy === undefined ? '' : `; to resolve: ${result.remedy}`;
  // Code scanning requires a file: the operation's path stands for it.
  const path = OPERATIONS.find(({ id }) => id === result.operation)?.path ?? '/undocumented';
  const place = { artifactLocation: { uri: encodeURI(path.slice(1)) }, region: { startLine: 1 } };
  const resultOf = (text: string, at: number, identity: object): Result => {
    const known = run.gate?.known.find((entry) => entry.case === result.id && entry.at === at);
    const isNew = fresh.some((entry) => entry.case === result.id && (entry.at ?? at) === at);
    return {
      ruleId: requirement.id,
      kind: isOpen ? 'open' : 'fail',
      level: isOpen ? 'none' : isFailing(result.verdict, run.results) ? 'error' : 'warning',
      message: { text: visible(`${result.id}: ${text}${remedy}`) },
      locations: [{ physicalLocation: place }],
      partialFingerprints: { 'case/v1': result.id, ...identity },
      ...(run.difference && { baselineState: isNew ? 'new' : 'unchanged' }),
      // Either all results of a run have this or none (SARIF 2.1.0, 3.27.23).
      ...(run.gate && {
        suppressions: known ? [{ kind: 'external', justification: visible(knownPhrase(known)) }] : [],
      }),
    };
  };
  if (result.findings.length === 0) return [resultOf(reasonOf(result), 0, {})];
  return result.findings.map((finding, at) =>
    resultOf(`${deviationPhrase(finding)} (${sentPhrase(finding)})`, at, {
      'finding/v3': visible(`${identityOf(finding).stimulus}: ${deviationPhrase(identityOf(finding))}`),
    }),
  );
}

/** Findings and inconclusive cases in SARIF; known failures are suppressed, leftovers of the run a notification. */
export function renderSarif(run: RunArtefacts): string {
  const { suite, requirements, profile, verdict, sentence } = run.results;
  const told = [sentence, ...actionsOf(run.results, false).flatMap(({ sentences }) => sentences)];
  const isShown = ({ result }: CaseOfRequirement): boolean =>
    !['pass', 'not-exercised'].includes(result.verdict) || gatedOf(result, run).fresh.length > 0;
  const rules = requirements.map(({ id, statement, level }) => {
    const defaultConfiguration = { level: level === 'must' ? 'error' : 'warning' } as const;
    return { id, shortDescription: { text: statement }, defaultConfiguration };
  });
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: suite.name, version: suite.version, rules } },
        automationDetails: { id: `${suite.name}/${profile}/` },
        // Without this, a run that judged nothing looks like a run that found nothing.
        invocations: [
          {
            executionSuccessful: verdict === 'conformant' || verdict === 'non-conformant',
            toolExecutionNotifications: told.map((text) => ({ level: 'note', message: { text: visible(text) } })),
          },
        ],
        results: allCases(run.results).flatMap((each) => (isShown(each) ? sarifResults(each, run) : [])),
      },
    ],
  };
  return jsonText(log);
}
