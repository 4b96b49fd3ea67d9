/** results.sarif: what did not pass in SARIF 2.1.0, for code scanning. An undefined member is left out. */

import { OPERATIONS } from '../contract/operations.ts';
import type { Exchange, RecordedHeader } from '../exchange/exchange.ts';
import type { RequirementResult } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import {
  allCases,
  type CaseOfRequirement,
  exampleOf,
  isFailing,
  knownIn,
  knownPhrase,
  reasonOf,
  shownFindings,
} from './cases.ts';
import { failureText } from './failure.ts';
import { visible } from './text.ts';

const LEVELS = { must: 'error', should: 'warning' } as const;

function ruleOf({ id, statement, level, section }: RequirementResult): object {
  return {
    id,
    shortDescription: { text: statement },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { level, section },
  };
}

/** SARIF has one value for a name; what comes twice is joined as HTTP does. */
function fieldsOf(headers: readonly RecordedHeader[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const [name, value] of headers) fields.set(name, [fields.get(name) ?? [], value].flat().join(', '));
  return Object.fromEntries(fields);
}

function messagesOf(exchange: Exchange | undefined, target: string): object {
  if (exchange === undefined) return {};
  const { request, response, failure } = exchange;
  const http = { protocol: 'HTTP', version: '1.1' };
  const { method, path, headers, body } = request;
  const text = (value: string | undefined): object => (value === undefined ? {} : { body: { text: visible(value) } });
  return {
    webRequest: { ...http, method, target: visible(target + path), headers: fieldsOf(headers), ...text(body?.text) },
    webResponse:
      response === null
        ? { noResponseReceived: true, reasonPhrase: visible(failure?.detail ?? '') }
        : { ...http, statusCode: response.status, headers: fieldsOf(response.headers), ...text(response.body?.text) },
  };
}

/** Code scanning wants a file: the path of the operation stands for one. */
function locationOf({ requirement, one }: CaseOfRequirement): object {
  const path = OPERATIONS.find(({ id }) => id === one.operation)?.path ?? '/undocumented';
  return {
    physicalLocation: { artifactLocation: { uri: encodeURI(path.slice(1)) }, region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName: one.id, name: requirement.id, kind: 'operation' }],
  };
}

function resultOf(each: CaseOfRequirement, ruleIndex: number, run: RunArtefacts): object {
  const { requirement, one } = each;
  const isOpen = one.verdict === 'inconclusive';
  const isFailure = isFailing(one.verdict, run.results);
  const known = knownIn(run).get(one.id);
  const remedy = one.remedy === undefined ? '' : `; to resolve: ${one.remedy}`;
  const [finding] = shownFindings(one);
  return {
    ruleId: requirement.id,
    ruleIndex,
    kind: isOpen ? 'open' : 'fail',
    level: isOpen ? 'none' : isFailure ? 'error' : 'warning',
    message: { text: visible(`${one.id}: ${reasonOf(one)}${remedy}`) },
    locations: [locationOf(each)],
    partialFingerprints: { 'case/v1': one.id },
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: visible(knownPhrase(known)) }] }),
    ...messagesOf(exampleOf(finding, run), run.results.target),
    ...(finding === undefined ? {} : { properties: { finding: failureText(each, run) } }),
  };
}

/** Failures, warnings and inconclusive cases in SARIF; known failures are suppressed. */
export function renderSarif(run: RunArtefacts): string {
  const { suite, requirements, profile, target, seed, verdict, summary } = run.results;
  const ids = requirements.map(({ id }) => id);
  const shown = allCases(run.results).filter(({ one }) => one.verdict !== 'pass' && one.verdict !== 'not-exercised');
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: suite.name, version: suite.version, rules: requirements.map(ruleOf) } },
        automationDetails: { id: `${suite.name}/${profile}/` },
        invocations: [{ executionSuccessful: verdict !== 'void', exitCodeDescription: visible(summary) }],
        results: shown.map((each) => resultOf(each, ids.indexOf(each.requirement.id), run)),
        properties: { verdict, gate: run.gate, target, seed },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
