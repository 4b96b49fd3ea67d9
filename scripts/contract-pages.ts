/** docs/requirements.md, the table of docs/traffic.md, and what `npm run docs` adds to docs/interface.md. */

import { caseFaults, faultsByCase } from '../fixtures/faults/cases.ts';
import { FAULTS, type Fault } from '../fixtures/faults/index.ts';
import type { Catalogue } from '../src/cli/commands/catalogue.ts';
import { counted, groupBy } from '../src/contract/lists.ts';
import { OPERATION_IDS } from '../src/contract/operations.ts';
import type { Reading } from '../src/contract/readings.ts';
import type { Observation } from '../src/run/choices.ts';
import type { Requirement } from '../src/run/requirement.ts';
import { caseId } from '../src/verdict/record.ts';
import { renderPairings } from './dimensions.ts';
import {
  type Contract,
  howShown,
  LINKS,
  probesOf,
  readingsOf,
  scenariosOf,
  statementsOf,
  traceOfPackage,
  trafficPhrase,
} from './traceability.ts';

/** A requirement, a gap or a reading, as far as the page is concerned. */
export interface PageEntry {
  readonly id: string;
  /** Section of the specification; `RFC …` where the entry rests on a standard. */
  readonly section: string;
}

/** Section of the page for what rests on HTTP's standards. */
const STANDARDS = '10';

/** The entries that docs/interface.md must name. */
export function pageEntries({ requirements, gaps, readings }: Contract): readonly PageEntry[] {
  const read = readings.map(({ id, sections: [section = ''] }) => ({ id, section }));
  return [...requirements, ...gaps, ...read].map(({ id, section }) => ({ id, section }));
}

/** Titles of the numbered sections, by number. */
export function sectionTitles(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(/^## (\d+)\. (.+)$/gm)].map(([, number = '', title = '']) => [number, title]));
}

/** The page with a line for each entry that it does not name yet, in the section of the entry, and with its links. */
export function completedPage(page: string, entries: readonly PageEntry[]): string {
  const named = new Set(statementsOf(page).flatMap(({ ids }) => ids));
  const missing = entries.filter(({ id }) => !named.has(id));
  // A line that is added to the last section brings a blank line of its own.
  const text = missing.reduce(withEntry, page.split(LINKS)[0]?.trimEnd() ?? '').trimEnd();
  const links = entries.map(({ id }) => `[${id}]: requirements.md#${id.toLowerCase()}`);
  return `${[text, LINKS, links.join('\n')].join('\n\n')}\n`;
}

/** The text with a line at the end of the entry's section; that of a requirement stands above the open questions. */
function withEntry(text: string, { id, section }: PageEntry): string {
  const number = section.startsWith('RFC') ? STANDARDS : section;
  const parts = text.split(/^(?=## )/m);
  return parts.map((part) => (part.startsWith(`## ${number}. `) ? withLine(part, id) : part)).join('');
}

function withLine(part: string, id: string): string {
  const [statements = '', open] = part.split(/^(?=### Open in )/m);
  const added = `- Further: [${id}]\n`;
  if (open === undefined) return `${statements.trimEnd()}\n${added}\n`;
  if (id.startsWith('GAP-')) return `${statements}${open.trimEnd()}\n${added}\n`;
  return `${statements.trimEnd()}\n${added}\n${open}`;
}

const OPENING = `# Requirements

\`npm run docs\` writes this page from the requirements, gaps and readings in the code. Change those, not this page.
[interface.md](interface.md) is the interface itself, in our words; \`pcs-conformance explain ID\` also names the
requests and the planted faults of a requirement.
`;

type Sections = (id: string) => string;

function sectionsOf(page: string): Sections {
  const titles = sectionTitles(page);
  const statements = statementsOf(page);
  return (id) => {
    const numbers = new Set(statements.filter(({ ids }) => ids.includes(id)).map(({ section }) => section));
    const links = [...numbers].map((number) => `[${number}](interface.md#${slug(`${number}. ${titles.get(number)}`)})`);
    return `Interface: ${links.length === 1 ? 'section' : 'sections'} ${links.join(', ')}.`;
  };
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

const link = (id: string): string => `[${id}](#${id.toLowerCase()})`;

function requirementPart(requirement: Requirement, sections: Sections): string {
  const { id, level, section, statement } = requirement;
  const readings = readingsOf(requirement);
  const basis = section.startsWith('RFC') ? section : `section ${section}`;
  const taken = readings.length === 0 ? '' : ` Reading ${readings.map(link).join(', ')}.`;
  return `### ${id}\n\n${statement}\n\n\`${level}\`, ${basis}.${taken} ${sections(id)}\nOperations: ${operationsOf(requirement)}. Recorded traffic: ${howShown(requirement)}.\n`;
}

function operationsOf({ operations }: Requirement): string {
  const isAll = OPERATION_IDS.every((id) => operations.includes(id));
  if (!isAll) return operations.map((operation) => `\`${operation}\``).join(', ');
  return operations.includes('undocumented') ? 'all, and requests outside them' : 'all';
}

function gapPart(gap: Observation, sections: Sections): string {
  const how = 'reason' in gap ? `Not observed: ${gap.reason}` : `Observed by: ${probesOf(gap)}.`;
  return `### ${gap.id}\n\n${gap.question}\n\n${how} ${sections(gap.id)}\n`;
}

function readingPart({ id, question, readings, why }: Reading, sections: Sections): string {
  const [taken, other] = readings;
  return `### ${id}\n\n${question}\n\n- Taken: ${taken}\n- Not taken: ${other}\n- Why: ${why}\n\n${sections(id)}\n`;
}

const CASES = `## Scenarios

What is sent to each operation, and the requirement that says what must follow: a case. Each case is proved able to fail: a
run against the reference service with one of these faults fails this case and no other of its requirement.
\`pcs-conformance list --scenarios\` prints the same with the statements.
`;

const HEAD = '| requirement | what is sent | planted faults |\n|---|---|---|';

/** The cases of one operation. A fault that has the name of its case is told by its mechanism. */
function casesPart(
  operation: string,
  own: Catalogue['scenarios'],
  faults: ReadonlyMap<string, readonly Fault[]>,
): string {
  const rows = own.map(({ requirement, sent }) => {
    const id = caseId(requirement, operation);
    const told = (faults.get(id) ?? []).map(({ name, mechanism }) => (name === id ? mechanism : `\`${name}\``));
    return `| ${link(requirement)} | ${sent.join('; ').replaceAll('|', '\\|')} | ${told.join(', ')} |`;
  });
  return `### Scenarios of ${operation}\n\n${[HEAD, ...rows].join('\n')}\n`;
}

/** The whole page; the same contract and the same interface page give the same bytes. */
export function renderRequirements({ requirements, gaps, readings }: Contract, interfacePage: string): string {
  const sections = sectionsOf(interfacePage);
  const must = requirements.filter(({ level }) => level === 'must').length;
  const cases = faultsByCase(requirements);
  const alone = [...cases.values()].flat().length;
  const levels = `(${must} must, ${requirements.length - must} should)`;
  return [
    OPENING,
    `${counted(requirements.length, 'requirement')} ${levels} with ${counted(cases.size, 'case')} and ${counted(alone, 'fault')} that fail one of them alone, ${counted(gaps.length, 'gap')}, ${counted(readings.length, 'reading')}.\n`,
    '## Requirements\n',
    ...requirements.map((one) => requirementPart(one, sections)),
    '## Pairs\n\nWhat a default run asks of every operation alike: each pair of these dimensions is in one of its requests.\n',
    `${renderPairings()}\n`,
    CASES,
    ...[...groupBy(scenariosOf(traceOfPackage()), (one) => one.operation)].map(([operation, own]) =>
      casesPart(operation, own, cases),
    ),
    '## Gaps\n\nWhat the interface leaves open. The suite records what a target does and never judges it.\n',
    ...gaps.map((one) => gapPart(one, sections)),
    '## Readings\n\nWhere the specification can be read in two ways: both ways, the one that was taken, and why.\n',
    ...readings.map((one) => readingPart(one, sections)),
  ].join('\n');
}

/** The table of docs/traffic.md: what recorded traffic can show, and how many planted faults break it first. */
export function renderTrafficTable({ requirements }: Pick<Contract, 'requirements'>): string {
  const faults = [...FAULTS, ...caseFaults(requirements)];
  const rows = requirements.map(({ id, level, traffic }) => {
    const count = faults.filter(({ breaks: [first] }) => first === id).length;
    return `| ${id} | ${level} | ${traffic === undefined ? 'nothing' : trafficPhrase(traffic)} | ${count} |`;
  });
  return ['| requirement | level | shown by | planted faults |', '|---|---|---|---|', ...rows].join('\n');
}
