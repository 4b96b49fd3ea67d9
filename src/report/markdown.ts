/** GitHub flavoured Markdown as a writer: the only place where text becomes Markdown. It reads well as plain text, too. */

import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf } from '../contract/lists.ts';
import { sentPhrase } from '../verdict/folded.ts';
import type { RequirementResult } from '../verdict/results.ts';
import type { Block, Document, Entry, Fact, FoundCase, Part, Span, Text } from './document.ts';
import { LOOKS, type RunArtefacts } from './model.ts';
import { documentOf } from './run-document.ts';
import { code, escaped } from './text.ts';

/** A sentence of a report in which Markdown reads nothing: no mark, no link, no name that GitHub would notify. */
const PLAIN = /^(?!\d+[.)]|.*(?:www\.|:\/\/))[A-Za-z0-9][A-Za-z0-9 ,.:;()/'"-]*$/;

function spanText(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  switch (span.kind) {
    case 'value':
      return PLAIN.test(span.text) && span.text.length <= SHOWN.paragraph
        ? span.text
        : code(span.text, SHOWN.paragraph);
    case 'code':
      return code(span.text, SHOWN.paragraph);
    case 'command':
      return code(span.line, Number.POSITIVE_INFINITY);
    case 'toned':
      return `**${escaped(span.text)}**`;
    case 'mark':
      return LOOKS[span.verdict].mark;
    case 'case':
      return code(span.text ?? span.id);
    case 'exchange':
      return `exchange ${span.seq}`;
    case 'part':
      return escaped(span.text);
    case 'address':
      return `[issue](<${new URL(span.url).href}>)`;
  }
}

const inline = (text: Text): string => text.map(spanText).join('');

/** What stands by itself, or an entry of a list: its first line, and the others below it. */
interface Chunk {
  readonly isItem: boolean;
  readonly lines: readonly string[];
}

const alone = (...lines: readonly string[]): Chunk => ({ isItem: false, lines });

const item = (first: string, rest: readonly string[]): Chunk => ({
  isItem: true,
  lines: [`- ${first}`, ...rest.map((line) => `  - ${line}`)],
});

const factLine = ([name, ...lines]: Fact): string => `${escaped(name)}: ${lines.map(inline).join(', ')}`;

const listed = (ids: readonly string[]): string =>
  firstOf(
    ids.map((id) => code(id)),
    SHOWN.named,
  );

function entryChunk({ verdict, isNew, title, statement, facts, cases, note }: Entry): Chunk {
  const mark = verdict === undefined ? '' : `${LOOKS[verdict].mark} `;
  const below = [...facts.map(factLine), listed(cases), inline(note)];
  return item(
    `${mark}${isNew ? '**NEW** ' : ''}${inline(title)}: ${inline(statement)}`,
    below.filter((text) => text !== ''),
  );
}

function caseChunk(
  requirement: RequirementResult,
  { result, mark, known, reason, also, alike, rerun }: FoundCase,
): Chunk {
  const { level, section, reading } = requirement;
  const [finding] = result.findings;
  const taken = reading === undefined ? '' : `, reading ${escaped(reading)}`;
  const look = LOOKS[result.verdict];
  const what = finding
    ? `expected ${code(finding.expected)}, got ${code(finding.actual)} to ${code(sentPhrase(finding))}`
    : code(reason);
  const ids = listed([result.id, ...alike.map((each) => each.result.id)]);
  return item(`${look.mark} ${mark}${look.word} ${ids} (${level}, section ${escaped(section)}${taken}): ${what}`, [
    ...(known.length === 0 ? [] : [factLine(['known', ...known])]),
    ...also.map(factLine),
    factLine(rerun),
  ]);
}

function chunksOf(block: Block): readonly Chunk[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  switch (block.kind) {
    case 'paragraph':
      return [alone(inline(block.text))];
    case 'list':
      return block.items.map(([first, ...rest]) => item(inline(first), rest.map(inline)));
    case 'table':
      return [
        alone(
          row(block.head.map(escaped)),
          row(block.head.map(() => '---')),
          ...block.rows.map((cells) => row(cells.map(inline))),
        ),
      ];
    case 'fold':
      return [
        alone(`<details><summary>${escaped(block.title)}</summary>`),
        ...block.blocks.flatMap(chunksOf),
        alone('</details>'),
      ];
    case 'entry':
      return [entryChunk(block)];
    case 'found':
      return block.cases.map((found) => caseChunk(block.requirement, found));
    default:
      // The others stand on a page alone.
      return [];
  }
}

function partText({ title, count, blocks }: Part): string {
  const chunks = blocks.flatMap(chunksOf);
  const items = chunks.filter(({ isItem }) => isItem);
  const left = new Set(items.slice(SHOWN.entries));
  const rest =
    left.size === 0 ? [] : [item(`and ${counted(left.size, 'more entry', 'more entries')} in the JSON report`, [])];
  const shown = [...chunks.filter((chunk) => !left.has(chunk)), ...rest];
  const body = shown.map(({ isItem, lines }, at) => {
    const gap = at === 0 ? '' : isItem && shown[at - 1]?.isItem ? '\n' : '\n\n';
    return `${gap}${lines.join('\n')}`;
  });
  return [...(title === '' ? [] : [`### ${title}${count === undefined ? '' : ` (${count})`}`]), body.join('')].join(
    '\n\n',
  );
}

/** The document in Markdown, with a final newline. */
export function markdownText({ title, lead, parts }: Document): string {
  return `${[`## ${title}`, ...lead.map(inline), ...parts.map(partText)].join('\n\n')}\n`;
}

/** summary.md: the run on one page, for a job summary, a comment or a plain text reader. */
export const renderSummary = (run: RunArtefacts): string => markdownText(documentOf(run, 'markdown'));
