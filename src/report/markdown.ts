/** GitHub flavoured Markdown as a writer: the only place where text becomes Markdown. Readable as plain text, too. */

import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf } from '../contract/lists.ts';
import { sentPhrase } from '../verdict/folded.ts';
import type { RequirementResult } from '../verdict/results.ts';
import type { Block, Document, Entry, Fact, FoundCase, Part, Span, Text } from './document.ts';
import { LOOKS, type RunArtefacts } from './model.ts';
import { documentOf } from './run-document.ts';
import { code, escaped } from './text.ts';

/** A sentence that has no meaning in Markdown: no mark, no link, no name that GitHub would notify. */
const PLAIN = /^(?!\d+[.)]|.*(?:www\.|:\/\/))[A-Za-z0-9][A-Za-z0-9 ,.:;()/'"-]*$/;

function spanText(span: Span): string {
  if (typeof span === 'string') return escaped(span);
  switch (span.kind) {
    case 'value':
    case 'code': {
      const isPlain = span.kind === 'value' && PLAIN.test(span.text) && span.text.length <= SHOWN.paragraph;
      return isPlain ? span.text : code(span.text, SHOWN.paragraph);
    }
    case 'command':
      return code(span.line, Number.POSITIVE_INFINITY);
    case 'toned':
      return `**${escaped(span.text)}**`;
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

/** A list item: its first line, then the non-empty others. No other line begins with the dash. */
const listItem = (first: string, rest: readonly string[] = []): string =>
  [`- ${first}`, ...rest.filter((line) => line !== '').map((line) => `  - ${line}`)].join('\n');

const isItem = (text: string | undefined): boolean => text?.startsWith('- ') === true;

const factLine = ([name, ...lines]: Fact): string => `${escaped(name)}: ${lines.map(inline).join(', ')}`;

function listedIds(ids: readonly string[]): string {
  const names = ids.map((id) => code(id));
  return firstOf(names, SHOWN.named);
}

function entryChunk({ verdict, isNew, title, statement, facts, cases, note }: Entry): string {
  const mark = verdict === undefined ? '' : `${LOOKS[verdict].mark} `;
  const first = `${mark}${isNew ? '**NEW** ' : ''}${inline(title)}: ${inline(statement)}`;
  return listItem(first, [...facts.map(factLine), listedIds(cases), inline(note)]);
}

function caseChunk(requirement: RequirementResult, { result, mark, known, also, alike, rerun }: FoundCase): string {
  const { level, section, reading } = requirement;
  const [finding] = result.findings;
  const taken = reading === undefined ? '' : `, reading ${escaped(reading)}`;
  const what = finding
    ? `expected ${code(finding.expected)}, got ${code(finding.actual)} to ${code(sentPhrase(finding))}`
    : code(result.reason);
  const ids = listedIds([result.id, ...alike.map((each) => each.result.id)]);
  return listItem(
    `${LOOKS[result.verdict].mark} ${mark}${result.verdict} ${ids} (${level}, section ${escaped(section)}${taken}): ${what}`,
    [...known, ...also, rerun].map(factLine),
  );
}

function chunksOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return [inline(block.text)];
    case 'list':
      return block.items.map(([first, ...rest]) => listItem(inline(first), rest.map(inline)));
    case 'table': {
      const rows = [block.head.map(escaped), block.head.map(() => '---'), ...block.rows.map((row) => row.map(inline))];
      return [rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
    }
    case 'fold':
      return [`<details><summary>${escaped(block.title)}</summary>`, ...block.blocks.flatMap(chunksOf), '</details>'];
    case 'entry':
      return [entryChunk(block)];
    case 'found':
      return block.cases.map((found) => caseChunk(block.requirement, found));
    default:
      // The others appear only on a page.
      return [];
  }
}

function partText({ title, count, blocks }: Part): string {
  const chunks = blocks.flatMap(chunksOf);
  let room: number = SHOWN.entries;
  const kept = chunks.filter((chunk) => !isItem(chunk) || room-- > 0);
  const left = chunks.length - kept.length;
  const more = listItem(`and ${counted(left, 'more entry', 'more entries')} in the JSON report`);
  const shown = left > 0 ? [...kept, more] : kept;
  const body = shown.map((chunk, at) => `${isItem(chunk) && isItem(shown[at - 1]) ? '\n' : '\n\n'}${chunk}`);
  const head = title === '' ? '' : `### ${title}${count === undefined ? '' : ` (${count})`}`;
  return [head, ...body].join('').trimStart();
}

/** The document in Markdown, with a final newline. */
export const markdownText = ({ title, lead, parts }: Document): string =>
  `${[`## ${title}`, ...lead.map(inline), ...parts.map(partText)].join('\n\n')}\n`;

/** summary.md: the run on one page, for a job summary, a comment or a plain text reader. */
export const renderSummary = (run: RunArtefacts): string => markdownText(documentOf(run, 'markdown'));
