/** The formats of build servers and code scanning: JUnit, SARIF, and the annotations of GitHub. */

import { SHOWN } from '../contract/limits.ts';
import { groupBy, picked } from '../contract/lists.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Exchange, RecordedHeader } from '../exchange/exchange.ts';
import { requirementOf } from '../verdict/record.ts';
import type { RequirementResult } from '../verdict/results.ts';
import { EXIT_OF } from '../verdict/verdict.ts';
import { gonePhrase } from './commands.ts';
import { failureText } from './console.ts';
import { type GoneFailure, knownPhrase } from './gate.ts';
import {
  allCases,
  type CaseOfRequirement,
  durationOf,
  exampleOf,
  type FailureGroup,
  failingCases,
  foldAlike,
  isFailing,
  knownIn,
  namedFacts,
  newIn,
  outcomeOf,
  type RunArtefacts,
  reasonOf,
  warningCases,
} from './model.ts';
import { cut, element, visible, xmlText } from './text.ts';

type Mark = 'failure' | 'error' | 'skipped' | null;

interface Counted {
  readonly xml: string;
  readonly mark: Mark;
}

/** An inconclusive case is an error to JUnit, so that it is neither skipped nor green; under a gate only what is new is red. */
function markOf({ one }: CaseOfRequirement, run: RunArtefacts): Mark {
  if (knownIn(run).has(one.id)) return 'skipped';
  if (newIn(run).get(one.id)?.kind === 'not judged') return 'error';
  if (one.verdict === 'not-exercised') return 'skipped';
  if (one.verdict === 'inconclusive') return run.gate === undefined ? 'error' : 'skipped';
  if (one.verdict === 'error') return 'error';
  return isFailing(one.verdict, run.results) ? 'failure' : null;
}

function inside(each: CaseOfRequirement, mark: Mark, run: RunArtefacts): readonly string[] {
  const { one } = each;
  const lost = newIn(run).has(one.id) ? 'NEW: ' : '';
  const message = visible(`${lost}${one.reason ?? ''}`);
  const remedy = one.remedy === undefined ? [] : [`to resolve: ${visible(one.remedy)}`];
  const known = knownIn(run).get(one.id);
  const why = known === undefined ? [] : [`known failure: ${visible(knownPhrase(known))}`];
  if (mark === 'skipped') return [element('skipped', { message: [...why, message, ...remedy].join('; ') })];
  const isShown = one.findings.length > 0 || one.verdict === 'error';
  const text = xmlText(isShown ? failureText(each, run) : [message, ...remedy].join('\n').trimEnd());
  if (mark !== null) return [element(mark, { type: one.verdict, message }, [text])];
  if (one.verdict !== 'warning') return [];
  return [properties({ warning: message }), element('system-out', {}, [text])];
}

function testCase(each: CaseOfRequirement, run: RunArtefacts): Counted {
  const { requirement, one } = each;
  const mark = markOf(each, run);
  const attributes = { name: one.id, classname: requirement.id };
  return { xml: element('testcase', attributes, inside(each, mark, run)), mark };
}

function totals(cases: readonly Counted[]): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const of = (mark: Mark): number => cases.filter((one) => one.mark === mark).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function properties(entries: object): string {
  const all = Object.entries(entries).map(([name, value]) => element('property', { name, value: visible(`${value}`) }));
  return element('properties', {}, all);
}

function runProperties({ results, gate, ...run }: RunArtefacts): object {
  const { suite, counts, questions } = results;
  const facts: object = Object.fromEntries(namedFacts(run).map(([fact, value]) => [fact.replace(' ', '-'), value]));
  return {
    ...picked(results, ['verdict']),
    ...(gate && { gate: gate.code === 0 ? 'passes' : 'fails' }),
    ...picked(results, ['profile', 'without', 'partial', 'strict', 'target', 'seed']),
    suite: `${suite.name} ${suite.version}`,
    questions: questions.planned,
    'questions-answered': questions.answered,
    ...picked(counts, ['requests', 'calls']),
    'unplanned-calls': counts.unplannedCalls,
    ...facts,
  };
}

function suiteOf(name: string, about: object, cases: readonly Counted[], run: RunArtefacts) {
  const { facts } = run;
  const content = [properties({ ...about, ...runProperties(run) }), ...cases.map(({ xml }) => xml)];
  // JUnit writes a moment without its zone, and UTC is meant.
  const place = facts && { timestamp: facts.startedAt.slice(0, 19), hostname: visible(facts.host) };
  const attributes = { name, ...totals(cases), ...place };
  return { xml: element('testsuite', attributes, content), cases };
}

function requirementSuite(requirement: RequirementResult, run: RunArtefacts) {
  const cases = requirement.cases.map((one) => testCase({ requirement, one }, run));
  const { id, level, section, statement, reading } = requirement;
  const about = { level, section, statement, ...(reading === undefined ? {} : { reading }) };
  return suiteOf(id, about, cases, run);
}

/** A run can be incomplete or void without a red case; then the run is a case of its own. */
function runSuite(run: RunArtefacts) {
  const { results } = run;
  const mark = EXIT_OF[results.verdict] === 1 ? 'failure' : 'error';
  const message = visible([...(run.gate?.sentences ?? []), results.summary].join('; '));
  const content = [element(mark, { type: results.verdict, message }, [xmlText(message)])];
  const xml = element('testcase', { name: 'RUN/verdict', classname: 'RUN' }, content);
  return suiteOf('RUN', {}, [{ mark, xml }], run);
}

/** The run as JUnit XML. Many cases share a request, so that only the whole run has a time. */
export function renderJunit(run: RunArtefacts): string {
  const { results } = run;
  const judged = results.requirements.map((requirement) => requirementSuite(requirement, run));
  const isRed = judged.some(({ cases }) => cases.some(({ mark }) => mark === 'failure' || mark === 'error'));
  const isGreen = run.gate === undefined ? EXIT_OF[results.verdict] === 0 : run.gate.code === 0;
  const all = isGreen || isRed ? judged : [...judged, runSuite(run)];
  const { tests, failures, errors } = totals(all.flatMap(({ cases }) => cases));
  const time = (durationOf(run.exchanges) / 1_000).toFixed(3);
  const attributes = { name: `${results.suite.name} ${results.profile}`, tests, failures, errors, time };
  const root = element('testsuites', attributes, ['\n', ...all.map(({ xml }) => `${xml}\n`)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

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
  const isOpen = one.verdict === 'inconclusive' || one.verdict === 'not-exercised';
  const isFailure = isFailing(one.verdict, run.results);
  const known = knownIn(run).get(one.id);
  const isNew = newIn(run).has(one.id);
  const remedy = one.remedy === undefined ? '' : `; to resolve: ${one.remedy}`;
  const [finding] = one.findings;
  return {
    ruleId: requirement.id,
    ruleIndex,
    kind: isOpen ? 'open' : 'fail',
    level: isOpen ? 'none' : isFailure ? 'error' : 'warning',
    message: { text: visible(`${one.id}: ${reasonOf(one)}${remedy}`) },
    locations: [locationOf(each)],
    partialFingerprints: { 'case/v1': one.id },
    ...(run.gate === undefined ? {} : { baselineState: isNew ? 'new' : 'unchanged' }),
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: visible(knownPhrase(known)) }] }),
    ...messagesOf(exampleOf(finding, run), run.results.target),
    ...(finding === undefined ? {} : { properties: { finding: failureText(each, run) } }),
  };
}

/** A known failure that is gone. */
function absentResult(gone: GoneFailure, ids: readonly string[], run: RunArtefacts): object {
  const ruleId = requirementOf(gone.case);
  const text = visible(`${gone.case}: ${gonePhrase(gone, run)}`);
  const rule = { ruleId, ...(ids.includes(ruleId) ? { ruleIndex: ids.indexOf(ruleId) } : {}) };
  return { ...rule, kind: 'pass', level: 'none', message: { text }, baselineState: 'absent' };
}

/** Failures, warnings, inconclusive cases and known failures that are gone, in SARIF; known failures are suppressed. */
export function renderSarif(run: RunArtefacts): string {
  const { suite, requirements, profile, target, seed, verdict, summary } = run.results;
  const ids = requirements.map(({ id }) => id);
  const shown = allCases(run.results).filter(
    ({ one }) => one.verdict !== 'pass' && (one.verdict !== 'not-exercised' || newIn(run).has(one.id)),
  );
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: suite.name, version: suite.version, rules: requirements.map(ruleOf) } },
        automationDetails: { id: `${suite.name}/${profile}/` },
        invocations: [{ executionSuccessful: verdict !== 'void', exitCodeDescription: visible(summary) }],
        results: [
          ...shown.map((each) => resultOf(each, ids.indexOf(each.requirement.id), run)),
          ...(run.gate?.gone ?? []).map((one) => absentResult(one, ids, run)),
        ],
        properties: { verdict, gate: run.gate, target, seed },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** `visible` leaves no line end; a percent sign would be read as an escape, and `::` as the mark of a command. */
function message(text: string): string {
  return visible(cut(text, SHOWN.paragraph))
    .replaceAll('%', '%25')
    .replace(/:(?=:)/g, ': ');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

type Command = 'error' | 'warning' | 'notice';

const lineOf = (command: Command, title: string, text: string): string =>
  `::${command} title=${property(title)}::${message(text)}\n`;

function groupLine(command: Command, { first: { requirement, one }, alike }: FailureGroup, run: RunArtefacts): string {
  const known = knownIn(run).get(one.id);
  const title = `${one.id} (${requirement.level}, section ${requirement.section})`;
  const mark = known === undefined ? (newIn(run).has(one.id) ? 'NEW: ' : '') : `known failure, ${knownPhrase(known)}: `;
  const reason = `${mark}${one.reason ?? requirement.statement}`;
  return lineOf(command, title, `${reason}${alike.length === 0 ? '' : ` (the same in ${alike.join(', ')})`}`);
}

/**
 * Workflow commands: the outcome unless it is conformant, then new failures, warnings and known failures, equal ones folded.
 * At most ten. Only what fails the step is an error.
 */
export function renderAnnotations(run: RunArtefacts): string {
  const { results, gate } = run;
  const of = (command: Command, cases: readonly CaseOfRequirement[]): readonly string[] =>
    foldAlike(cases).map((group) => groupLine(command, group, run));
  const byKnown = groupBy(failingCases(results), ({ one }) => knownIn(run).has(one.id));
  const groups = [
    ...of(gate?.code === 0 ? 'notice' : 'error', byKnown.get(false) ?? []),
    ...(gate?.new ?? [])
      .filter(({ kind }) => kind !== 'failure')
      .map((one) => lineOf('error', one.case, `NEW, ${one.kind}: ${one.detail}`)),
    ...of('warning', warningCases(results)),
    ...of('notice', byKnown.get(true) ?? []),
    ...(gate?.gone ?? []).map((one) => lineOf('notice', one.case, gonePhrase(one, run))),
  ];
  if (EXIT_OF[results.verdict] === 0 && (gate?.code ?? 0) === 0) return groups.slice(0, SHOWN.annotations).join('');
  const hidden = groups.length - (SHOWN.annotations - 1);
  const more = hidden > 0 ? ` (${hidden} more in the report)` : '';
  const first = `${gate === undefined ? results.summary : [...gate.sentences, results.summary].join('; ')}${more}`;
  return [
    lineOf(gate?.code === 0 ? 'notice' : 'error', outcomeOf(run), first),
    ...groups.slice(0, SHOWN.annotations - 1),
  ].join('');
}
