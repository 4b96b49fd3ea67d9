/** docs/requirements.md: every requirement, gap and reading, each with the sections of docs/interface.md that name it. */

import { OPERATION_IDS } from '../../contract/operations.ts';
import type { Reading } from '../../contract/readings.ts';
import type { Observation, Requirement } from '../../run/requirement.ts';
import { counted } from '../text.ts';
import { type Contract, readingsOf } from '../traceability.ts';
import { sectionTitles, statementsOf } from './interface-page.ts';

const OPENING = `# Requirements

\`npm run docs\` writes this page from the requirements, gaps and readings in the code. Change those, not this page.
[interface.md](interface.md) is the interface itself, in our words; \`npx pcs-conformance explain ID\` also names the
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
  return `### ${id}\n\n${statement}\n\n\`${level}\`, ${basis}.${taken} ${sections(id)}\nOperations: ${operationsOf(requirement)}.\n`;
}

function operationsOf({ operations }: Requirement): string {
  const isAll = OPERATION_IDS.every((id) => operations.includes(id));
  if (!isAll) return operations.map((operation) => `\`${operation}\``).join(', ');
  return operations.includes('undocumented') ? 'all thirteen, and requests outside them' : 'all thirteen';
}

function gapPart(gap: Observation, sections: Sections): string {
  const how = 'probe' in gap ? `Observed by: ${gap.probe}` : `Not observed: ${gap.reason}`;
  return `### ${gap.id}\n\n${gap.question}\n\n${how} ${sections(gap.id)}\n`;
}

function readingPart({ id, question, readings, why }: Reading, sections: Sections): string {
  const [taken, other] = readings;
  return `### ${id}\n\n${question}\n\n- Taken: ${taken}\n- Not taken: ${other}\n- Why: ${why}\n\n${sections(id)}\n`;
}

/** The whole page; the same contract and the same interface page give the same bytes. */
export function renderRequirements({ requirements, gaps, readings }: Contract, interfacePage: string): string {
  const sections = sectionsOf(interfacePage);
  const must = requirements.filter(({ level }) => level === 'must').length;
  const levels = `(${must} must, ${requirements.length - must} should)`;
  return [
    OPENING,
    `${counted(requirements.length, 'requirement')} ${levels}, ${counted(gaps.length, 'gap')}, ${counted(readings.length, 'reading')}.\n`,
    '## Requirements\n',
    ...requirements.map((one) => requirementPart(one, sections)),
    '## Gaps\n\nWhat the interface leaves open. The suite records what a target does and never judges it.\n',
    ...gaps.map((one) => gapPart(one, sections)),
    '## Readings\n\nWhere the specification can be read in two ways: both ways, the one that was taken, and why.\n',
    ...readings.map((one) => readingPart(one, sections)),
  ].join('\n');
}
