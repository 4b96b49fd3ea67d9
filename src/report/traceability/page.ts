/** docs/requirements.md: the matrix from statement to fault, and each requirement, gap and reading in full. */

import { REASONS, type Statement } from '../../contract/register/index.ts';
import { type GapTrace, type RequirementTrace, readingsOf, type Trace } from '../traceability.ts';
import { counted, howJudged, howObserved, probeLines } from './phrases.ts';

const OPENING = `# Requirements

This page is generated: \`npm run docs\` writes it from the register, the catalogue, the suites and the planted faults.
Change those, not this page.
`;

/** Text for a cell: a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const link = (id: string): string => `[${id}](#${id.toLowerCase()})`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n');
}

/** The statement in its section: a cell with its place in the table. */
function wordsOf({ quote, cell: place }: Statement): string {
  return place === undefined ? quote : `${place.table}, ${place.row}, ${place.column}: ${quote}`;
}

type ById = ReadonlyMap<string, RequirementTrace | GapTrace>;

/** One row for each pair of a statement and what it comes to. */
function matrixRows(statement: Statement, traces: ById): readonly (readonly string[])[] {
  if (statement.kind === 'informative')
    return [[wordsOf(statement), `informative: ${REASONS[statement.why]}`, '', '', '']];
  return statement.ids.map((id) => {
    const trace = traces.get(id);
    if (trace === undefined) return [wordsOf(statement), id, '', '', ''];
    if ('gap' in trace) return [wordsOf(statement), link(id), 'observe', howObserved(trace), ''];
    const { requirement, faults } = trace;
    return [wordsOf(statement), link(id), requirement.level, howJudged(trace), counted(faults.length, 'fault')];
  });
}

function matrix({ sources: { statements }, requirements, gaps }: Trace): readonly string[] {
  const traces: ById = new Map<string, RequirementTrace | GapTrace>([
    ...requirements.map((one) => [one.requirement.id, one] as const),
    ...gaps.map((one) => [one.gap.id, one] as const),
  ]);
  // The heads of columns are informative by one rule and would only lengthen the page.
  const shown = statements.filter((one) => !(one.kind === 'informative' && one.why === 'heading'));
  return [...new Set(shown.map(({ section }) => section))].map((section) => {
    const rows = shown.filter((one) => one.section === section).flatMap((one) => matrixRows(one, traces));
    return `### Section ${section}\n\n${table(['Statement', 'Comes to', 'Level', 'Judged by', 'Proved by'], rows)}\n`;
  });
}

function requirementPart(trace: RequirementTrace): string {
  const { requirement, probes, faults } = trace;
  const { id, level, section, statement, operations } = requirement;
  const readings = readingsOf(requirement);
  const taken = readings.length === 0 ? '' : ` Read as ${readings.map(link).join(', ')}.`;
  return `### ${id}

${statement}

Level \`${level}\`, ${section.startsWith('RFC') ? section : `section ${section}`}.${taken}
Operations: ${operations.map((operation) => `\`${operation}\``).join(', ')}.

Judged by: ${howJudged(trace)}.
${bullets(probeLines(probes))}
Proved by: ${counted(faults.length, 'fault')}.
${bullets(faults.map(({ name, defect }) => `\`${name}\`: ${defect}`))}`;
}

function bullets(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}

function gapPart(trace: GapTrace): string {
  const { gap, probes } = trace;
  const how = 'probe' in gap ? `Observed by: ${gap.probe} Seen ${howObserved(trace)}.` : `Not observed: ${gap.reason}`;
  return `### ${gap.id}\n\n${gap.question} (section ${gap.section})\n\n${how}\n${bullets(probeLines(probes))}`;
}

function readings({ sources: { readings: all } }: Trace): readonly string[] {
  return all.map(
    ({ id, question, readings: [taken, other], why }) =>
      `### ${id}\n\n${question}\n\n- Taken: ${taken}\n- Not taken: ${other}\n- Why: ${why}\n`,
  );
}

function counts({ sources: { statements, sequences, faults }, requirements, gaps }: Trace): string {
  const must = requirements.filter(({ requirement }) => requirement.level === 'must').length;
  return `${counted(statements.length, 'statement')}, ${counted(requirements.length, 'requirement')} (${must} must, ${
    requirements.length - must
  } should), ${counted(gaps.length, 'gap')}, ${counted(sequences.length, 'probe')}, ${counted(faults.length, 'fault')}.
`;
}

/** The whole page; the same sources give the same bytes. */
export function renderRequirements(trace: Trace): string {
  const parts = [
    OPENING,
    counts(trace),
    '## Statements\n\nThe heads of the columns of a table are informative and are left out here.\n',
    ...matrix(trace),
    '## Each requirement\n',
    ...trace.requirements.map(requirementPart),
    '## Each gap\n',
    ...trace.gaps.map(gapPart),
    '## Each reading\n',
    ...readings(trace),
  ];
  return `${parts
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
