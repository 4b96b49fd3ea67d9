/**
 * Traceability: from a statement of docs/interface.md to requirements, probes and faults. The build writes what `list` and
 * `explain` print of it, and `npm run docs` docs/requirements.md.
 */

import { readFileSync } from 'node:fs';
import { caseFaults } from '../fixtures/faults/cases.ts';
import { FAULTS } from '../fixtures/faults/index.ts';
import type { Catalogue } from '../src/cli/commands/catalogue.ts';
import { planOf } from '../src/cli/engine.ts';
import { knownSettings } from '../src/cli/target.ts';
import { packageFile } from '../src/cli/terminal.ts';
import { counted, groupBy } from '../src/contract/lists.ts';
import { FREE_UPDATES, OPERATION_IDS, type OperationId, operationById } from '../src/contract/operations.ts';
import { READINGS, type Reading } from '../src/contract/readings.ts';
import { SETTING_OF } from '../src/contract/settings.ts';
import type { Observation } from '../src/run/choices.ts';
import type { Requirement } from '../src/run/requirement.ts';
import type { Sequence } from '../src/run/sequence.ts';
import { variablesOnly } from '../src/settings/environment.ts';
import { readSettings } from '../src/settings/read-settings.ts';
import { REQUIREMENTS } from '../suites/catalogue.ts';
import { OBSERVATIONS as GAPS } from '../suites/observations/index.ts';

type TracedSequence = Pick<Sequence, 'name' | 'operation' | 'asks'>;

interface TracedFault {
  readonly name: string;
  readonly defect: string;
  readonly breaks: readonly string[];
  /** The only case that it fails, where it is made for one. */
  readonly alone?: string;
}

/** Every requirement, gap and reading. */
export interface Contract {
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Observation[];
  readonly readings: readonly Reading[];
}

/** The contract of this package. */
export const CONTRACT: Contract = { requirements: REQUIREMENTS, gaps: GAPS, readings: READINGS };

/** What is traced: the contract, the interface page, the suites and the faults. */
export interface TraceSources extends Contract {
  readonly statements: readonly Statement[];
  /** The plan of the full profile with every setting. */
  readonly sequences: readonly TracedSequence[];
  readonly faults: readonly TracedFault[];
}

interface Traced {
  readonly statements: readonly Statement[];
  readonly probes: readonly TracedSequence[];
}

/** A requirement with its statements, its probes, and the faults that break it. */
export interface RequirementTrace extends Traced {
  readonly requirement: Requirement;
  readonly faults: readonly TracedFault[];
}

/** A gap with its statements and probes; without a probe it is read from the responses to all other requests. */
export interface GapTrace extends Traced {
  readonly gap: Observation;
  /** Requirements whose probes show the choice too. */
  readonly beside: readonly string[];
}

/** Every requirement and gap with its trace. */
export interface Trace {
  readonly sources: TraceSources;
  readonly requirements: readonly RequirementTrace[];
  readonly gaps: readonly GapTrace[];
}

/** Ids of the readings that a requirement takes. */
export function readingsOf({ reading, furtherReadings = [] }: Requirement): readonly string[] {
  return reading === undefined ? furtherReadings : [reading, ...furtherReadings];
}

/** The trace of every requirement and gap, in the order of the contract. */
export function traceOf(sources: TraceSources): Trace {
  const { statements, requirements, gaps, sequences, faults } = sources;
  const traced = (id: string): Traced => ({
    statements: statements.filter(({ ids }) => ids.includes(id)),
    probes: sequences.filter(({ asks }) => asks.some((ask) => ask.id === id)),
  });
  return {
    sources,
    requirements: requirements.map((requirement) => ({
      requirement,
      ...traced(requirement.id),
      faults: faults.filter(({ breaks }) => breaks.includes(requirement.id)),
    })),
    gaps: gaps.map((gap) => ({
      gap,
      ...traced(gap.id),
      beside: 'reason' in gap ? [] : gap.readers.flatMap(({ also }) => also),
    })),
  };
}

/** The interface page, the plan against the reference service and the planted faults, traced. */
export function traceOfPackage(): Trace {
  const { sequences } = planOf(knownSettings(readSettings({ reference: true, profile: 'full' }, variablesOnly({}))));
  const statements = statementsOf(readFileSync(packageFile('docs/interface.md'), 'utf8'));
  return traceOf({ ...CONTRACT, statements, sequences, faults: [...FAULTS, ...caseFaults(REQUIREMENTS)] });
}

/** What `list` and `explain` print. */
export function catalogueOf(trace: Trace): Catalogue {
  const explanations = explainedIds(trace).map((id) => [id, explanationOf(id, trace)] as const);
  const lines = [...new Set(explanations.flatMap(([, own]) => own))];
  const numbers = new Map(lines.map((line, at) => [line, at]));
  return {
    requirements: trace.requirements.map((row) => ({ columns: columnsOf(row), facts: factsOf(row) })),
    scenarios: scenariosOf(trace),
    lines,
    explanations: Object.fromEntries(explanations.map(([id, own]) => [id, own.map((line) => numbers.get(line) ?? 0)])),
  };
}

/** How a requirement is judged, in a few words. */
function howJudged({ requirement, probes }: RequirementTrace): string {
  if (requirement.invariant === true) return 'invariant of every exchange';
  return probes.length === 0 ? 'any matching response' : counted(probes.length, 'probe');
}

/** Whether a requirement is judged in recorded traffic, in a phrase. */
export function howShown({ traffic }: Requirement): string {
  if (traffic === undefined) return 'not judged';
  return `judged by ${trafficPhrase(traffic)}`;
}

/** What shows a requirement in recorded traffic. */
export function trafficPhrase(traffic: NonNullable<Requirement['traffic']>): string {
  if (traffic === 'pair') return 'a pair of exchanges';
  if (traffic === 'answer') return 'any part of an answer';
  return traffic === 'status' || traffic === 'body'
    ? `the ${traffic} of an answer`
    : `the field ${traffic} of an answer`;
}

/** What is sent or looked at for a gap, in a line. */
export const probesOf = ({ readers }: Extract<Observation, { readers: unknown }>): string =>
  readers.map(({ probe }) => probe).join('; ');

/** How a gap is observed, in a few words. */
function howObserved({ gap, probes, beside }: GapTrace): string {
  if ('reason' in gap) return 'not observed';
  const own = probes.length === 0 ? [] : [counted(probes.length, 'probe')];
  const phrases = [...own, ...beside.map((id) => `with ${id}`)];
  return phrases.length === 0 ? 'in the responses to all other requests' : phrases.join(', ');
}

/** The names of probes, one line for each operation: `createCall: control before; valid 1`. */
function probeLines(probes: readonly TracedSequence[]): readonly string[] {
  return [...groupBy(probes, ({ operation }) => operation)].map(([operation, own]) => {
    const names = own.map(({ name }) => (name.startsWith(`${operation}/`) ? name.slice(operation.length + 1) : name));
    return `${operation}: ${names.join('; ')}`;
  });
}

/** What is sent for a requirement on one of its operations: its variations, in words. */
function sentOn({ requirement, probes }: RequirementTrace, operation: string): readonly string[] {
  const { id, send } = requirement;
  const about: Readonly<Record<string, string>> = send?.credentials ?? {};
  const words = probes.flatMap((probe) => {
    if (probe.operation !== operation) return [];
    const whole = send?.withValid ? 'a valid request' : probe.name.replace(`${probe.operation}/`, '');
    const variations = probe.asks.flatMap((ask) => (ask.id === id ? [ask.variation] : []));
    return variations.map((one) => about[one] ?? (one === '' ? whole : one));
  });
  if (words.length > 0) return [...new Set(words)];
  return [requirement.invariant === true ? 'every request' : 'any request that shows it'];
}

/** The scenarios of each operation, in the order of the interface and of the contract. */
export function scenariosOf({ requirements }: Trace): Catalogue['scenarios'] {
  return [...OPERATION_IDS, 'undocumented' as const].flatMap((operation) =>
    requirements
      .filter(({ requirement }) => requirement.operations.includes(operation))
      .map((row) => {
        const { id, level, statement } = row.requirement;
        return { operation, requirement: id, level, expected: statement, sent: sentOn(row, operation) };
      }),
  );
}

/** Id, level, section, operations, probes, faults and statement. */
function columnsOf(row: RequirementTrace): readonly string[] {
  const { id, level, section, operations, statement } = row.requirement;
  const faults = counted(row.faults.length, 'fault');
  return [id, level, section, counted(operations.length, 'operation'), howJudged(row), faults, statement];
}

/** The same for machines. */
const factsOf = ({ requirement, statements, probes, faults }: RequirementTrace) => ({
  id: requirement.id,
  level: requirement.level,
  section: requirement.section,
  statement: requirement.statement,
  kind: requirement.invariant === true ? 'invariant' : 'probe',
  operations: requirement.operations,
  readings: readingsOf(requirement),
  restsOn: statements.map(placeOf),
  probes: probes.map(({ name }) => name),
  faults: faults.map(({ name }) => name),
});

const field = (name: string, text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? [] : [`  ${name}: ${text}`];

const block = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const NUMBERS: readonly string[] = ['PCS_CALL_FROM', 'PCS_CALL_TO'];

function settingsOf(id: OperationId): readonly string[] {
  // The run creates and hangs up its own call.
  if (id === 'createCall' || id === 'hangUpCall') return NUMBERS;
  if (id === 'searchAvailableNumbers') return ['PCS_AVAILABLE_NUMBERS_QUERY'];
  const own = operationById(id).resources.map((kind) => SETTING_OF[kind]);
  return id === 'assignNumber' ? [...own, SETTING_OF.carrierConnection] : own;
}

/** What helps if a requirement is inconclusive: the settings of its operations, then the rest. */
function helpFor({ id, operations, needs }: Requirement): readonly string[] {
  const shown = operations.filter((operation): operation is OperationId => operation !== 'undocumented');
  const inBody = id === 'CALL-CREATE-IDS' ? [SETTING_OF.voiceApplication, SETTING_OF.trunk] : [];
  const settings = [...new Set([...(needs === undefined ? [] : [needs]), ...shown.flatMap(settingsOf), ...inBody])];
  return [
    ...(settings.length === 0 ? [] : [`set ${settings.join(', ')}`]),
    ...(shown.some((operation) => FREE_UPDATES.some((id) => id === operation))
      ? ['give request bodies that the target accepts with --samples']
      : []),
    ...(settings.length === 0 ? ['allow PCS_ACCESS_TOKEN to use the operation'] : []),
  ];
}

function readingLines({ id, sections, question, readings: [taken, other], why }: Reading): readonly string[] {
  return [
    `${id} (section${sections.length === 1 ? '' : 's'} ${sections.join(', ')}): ${question}`,
    `  taken: ${taken}`,
    `  not taken: ${other}`,
    `  why: ${why}`,
  ];
}

function requirementLines(id: string, row: RequirementTrace, trace: Trace): readonly string[] {
  const { requirement, statements, faults } = row;
  const { level, section, statement, operations, needs, opportunistic, explainedBy } = requirement;
  const taken = trace.sources.readings.filter((reading) => readingsOf(requirement).includes(reading.id));
  const how = howJudged(row);
  const proofs = faults.map(({ name, defect }) => `${name}: ${defect}`);
  return [
    id,
    `  ${statement}`,
    ...field('level', level),
    ...field('section', section),
    ...block('based on', statements.map(placeOf)),
    ...block('readings', taken.flatMap(readingLines)),
    ...field('operations', operations.join(', ')),
    ...field('judged by', how),
    ...block(
      'what is sent',
      operations.map((operation) => `${operation}: ${sentOn(row, operation).join('; ')}`),
    ),
    ...field('what must follow', statement),
    ...field('recorded traffic', howShown(requirement)),
    ...field('needs', needs),
    ...field('not exercised when', opportunistic),
    ...field('explained by a failure of', explainedBy?.join(', ')),
    ...field('if inconclusive', helpFor(requirement).join('; ')),
    // Last: the requirement that most targets fail has more than a hundred.
    ...block('proved by the faults', proofs),
  ];
}

function gapLines(row: GapTrace): readonly string[] {
  const { gap, statements, probes } = row;
  const how = howObserved(row);
  return [
    gap.id,
    `  ${gap.question}`,
    ...field('level', 'observe (recorded, never judged)'),
    ...field('section', gap.section),
    ...block('based on', statements.map(placeOf)),
    ...('reason' in gap ? field('not observed because', gap.reason) : field('observed by', probesOf(gap))),
    ...('reason' in gap || probes.length > 0 ? [] : field('observed', how)),
    ...block(`observed by ${how}`, probeLines(probes)),
  ];
}

/** Ids that `explain` knows, in the order of the contract. */
function explainedIds({ sources: { requirements, gaps, readings } }: Trace): readonly string[] {
  const cases = requirements.flatMap(({ id, operations }) => [id, ...operations.map((one) => `${id}/${one}`)]);
  return [...cases, ...gaps.map(({ id }) => id), ...readings.map(({ id }) => id)];
}

/** Lines about a requirement, one of its cases, a gap or a reading. */
function explanationOf(id: string, trace: Trace): readonly string[] {
  const gap = trace.gaps.find((row) => row.gap.id === id);
  if (gap !== undefined) return gapLines(gap);
  const reading = trace.sources.readings.find((one) => one.id === id);
  if (reading !== undefined) {
    const users = trace.sources.requirements.filter((requirement) => readingsOf(requirement).includes(id));
    return [...readingLines(reading), ...field('taken by', users.map((requirement) => requirement.id).join(', '))];
  }
  const [wanted, operation] = id.split('/');
  const rows = trace.requirements.filter(({ requirement }) => requirement.id === wanted);
  return rows.flatMap((row) => requirementLines(id, caseOf(row, operation), trace));
}

function caseOf(row: RequirementTrace, operation: string | undefined): RequirementTrace {
  if (operation === undefined) return row;
  const { requirement, probes, faults } = row;
  const id = `${requirement.id}/${operation}`;
  return {
    ...row,
    faults: faults.filter(({ alone = id }) => alone === id),
    requirement: { ...requirement, operations: requirement.operations.filter((one) => one === operation) },
    probes: probes.filter((probe) => probe.operation === operation),
  };
}

/** A sentence or a row of a table, without the ids or the reason at its end. */
export interface Statement {
  readonly section: string;
  /** Heading above the table; present for a row only. */
  readonly table?: string;
  readonly quote: string;
  /** Ids of requirements, gaps and readings. */
  readonly ids: readonly string[];
  /** Why nothing is judged: a word from the table of reasons at the top of the page. */
  readonly reason?: string;
}

/** The line above the links of the page, which are generated. */
export const LINKS = '<!-- `npm run docs` writes the links below. -->';
const HEADING = /^#+ (?:(\d+)\. )?(.+)$/;
const RULE = /^\|[-|]+\|$/;
const ENDING = /^(.*?) ?((?:\[[A-Z][A-Z0-9-]*\](?:, |$))+|\(not judged: \w+\))$/;

/** Every statement of the numbered sections, in order. A line that ends with a colon introduces the lines after it. */
export function statementsOf(page: string): readonly Statement[] {
  let section = '';
  let heading = '';
  let previous = '';
  const [text = ''] = page.split(LINKS);
  return text.split('\n').flatMap((line): readonly Statement[] => {
    if (line === '') return [];
    const isHead = line.startsWith('|') && !previous.startsWith('|');
    previous = line;
    const title = HEADING.exec(line);
    if (title !== null) [section, heading] = [title[1] ?? section, title[2] ?? ''];
    if (section === '' || title !== null || isHead || RULE.test(line) || line.endsWith(':')) return [];
    return [line.startsWith('|') ? statement(section, sentenceOf(line), heading) : statement(section, line)];
  });
}

/** `| a | b | [ID] |` as a sentence: `a, b [ID]`. */
function sentenceOf(row: string): string {
  const cells = row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  return `${cells.slice(0, -1).join(', ')} ${cells.at(-1)}`;
}

function statement(section: string, line: string, table?: string): Statement {
  const text = line.replace(/^- /, '');
  const [, quote = text, ending = ''] = ENDING.exec(text) ?? [];
  const [, reason] = /: (\w+)\)$/.exec(ending) ?? [];
  const ids = [...ending.matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => id);
  return { section, quote, ids, ...(table !== undefined && { table }), ...(reason !== undefined && { reason }) };
}

/** Where a statement stands, and its words: `section 2, Body call-create: from, string, yes`. */
export function placeOf({ section, table, quote }: Statement): string {
  return table === undefined ? `section ${section}: ${quote}` : `section ${section}, ${table}: ${quote}`;
}
