/** The terminal as a writer: the only place where text becomes screen lines. */

import { stripVTControlCharacters, styleText } from 'node:util';
import { SHOWN } from '../contract/limits.ts';
import { firstOf } from '../contract/lists.ts';
import type { RequirementResult } from '../verdict/results.ts';
import { given, value } from './blocks.ts';
import type { Block, Document, Entry, Fact, FoundCase, Part, Span, Text, Tone } from './document.ts';
import { foundBlocks } from './found.ts';
import { requestLines, responseLines } from './messages.ts';
import { type CaseOfRequirement, LOOKS, type RunArtefacts, readingSentence } from './model.ts';
import { documentOf } from './run-document.ts';
import { cut, visible } from './text.ts';

const TERMINAL_STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  open: 'magenta',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

/** The text in its tone; without colour, the whole report is stripped of it at the end. */
const paint = (tone: Tone, text: string): string => styleText(TERMINAL_STYLES[tone], text, { validateStream: false });

function spanLine(span: Span): string {
  if (typeof span === 'string') return visible(span);
  switch (span.kind) {
    case 'value':
    case 'code':
      return visible(cut(span.text, SHOWN.paragraph));
    case 'toned':
      return paint(span.tone, visible(span.text));
    case 'command':
      return span.line;
    case 'case':
      return visible(span.text ?? span.id);
    case 'exchange':
      return `exchange ${span.seq}`;
    case 'part':
      return paint('quiet', span.text);
    case 'address':
      return visible(span.url);
  }
}

const line = (text: Text): string => text.map(spanLine).join('');

/** Lines beside their name; the bar keeps target text from the start of a line, where build servers read commands. */
const factLines = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap(([name, ...texts]) =>
    texts.map(line).map((text, at) => {
      const side = paint('quiet', `${(at === 0 ? name : '').padEnd(10)}│`);
      return `  ${side} ${name === 'actual' ? paint('bad', text) : text}`;
    }),
  );

function entryLines({ verdict, isNew, title, statement, facts, cases, note }: Entry): readonly string[] {
  const look = verdict && LOOKS[verdict];
  const mark = look === undefined ? '-' : paint(look.tone, isNew ? `${look.mark} NEW` : look.mark);
  return [
    `${mark} ${paint('strong', line(title))}: ${line(statement)}`,
    ...factLines(facts),
    ...[firstOf(cases, SHOWN.named), line(note)].flatMap((text) =>
      text === '' ? [] : [`    ${paint('quiet', text)}`],
    ),
  ];
}

/** A case by its first finding, or on one line if space is short; and the command that judges it again. */
function caseLines({ level, section, statement, reading }: RequirementResult, found: FoundCase): readonly string[] {
  const { result, mark, known, detail, findings, also, alike, rerun } = found;
  const { id, verdict, reason } = result;
  const look = LOOKS[verdict];
  const binding = verdict === 'warning' ? `${level}, a failure under --strict` : level;
  const head = `${paint(look.tone, `${look.mark} ${mark}${verdict}`)} ${paint('strong', id)} (${binding}, section ${section})`;
  const ids = alike.map((each) => each.result.id);
  const same = (most: number) => ids.length > 0 && (['same in', [firstOf(ids, most)]] as const);
  if (detail === 'short') return [`${head}: ${line([value(reason)])}`, ...factLines(given(same(SHOWN.named), rerun))];
  const [finding] = findings;
  const { exchange } = finding ?? {};
  const facts = given(
    ...known,
    reading !== undefined && ['reading', [readingSentence(reading)]],
    ...(finding?.contrast ?? [['reason', [reason]] as const]),
    finding && !exchange && ['request', [`exchange ${finding.seq}, which the record does not hold`]],
    exchange && ['request', ...requestLines(exchange, 'short').map((text) => [text])],
    exchange && ['response', ...responseLines(exchange, 'short').map((text) => [text])],
    ...(finding?.commands ?? []),
    ...also,
    same(ids.length),
    rerun,
  );
  return [head, `  ${statement}`, ...factLines(facts), ''];
}

/** Rows with aligned columns; the last column is not padded. Without colour, since no view of a run has a table. */
function tableLines(head: readonly string[], rows: readonly (readonly Text[])[]): readonly string[] {
  const cells = [head, ...rows.map((row) => row.map((text) => stripVTControlCharacters(line(text))))];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const padded = cells.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)));
  return padded.map((row) => row.join('  ').trimEnd());
}

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return [block.tone === undefined ? line(block.text) : paint(block.tone, line(block.text))];
    case 'list':
      return block.items.flatMap(([first, ...rest]) => [
        `- ${line(first)}`,
        ...rest.map((text) => `    ${line(text)}`),
      ]);
    case 'table':
      return tableLines(block.head, block.rows);
    case 'fold':
      return [`${block.title}: ${visible(firstOf(block.names, SHOWN.named))}`];
    case 'entry':
      return entryLines(block);
    case 'found':
      return block.cases.flatMap((found) => caseLines(block.requirement, found));
    default:
      // The others appear only on a page.
      return [];
  }
}

function partLines({ title, tone = 'strong', count, blocks }: Part): readonly string[] {
  const number = count === undefined ? '' : ` (${count})`;
  const lines = blocks.flatMap(blockLines);
  if (lines.at(-1) === '') lines.pop();
  return [...(title === '' ? [] : [paint(tone, `${title}${number}`)]), ...lines];
}

/** The parts as text without a final newline, an empty line between them; target text is made harmless. */
function partsText(parts: readonly Part[], color = false): string {
  const text = parts.map((part) => partLines(part).join('\n')).join('\n\n');
  return color ? text : stripVTControlCharacters(text);
}

/** The document as text without colour and a final newline. */
export const terminalText = ({ lead, parts }: Document): string =>
  partsText([{ id: 'lead', title: '', blocks: lead.map((text) => ({ kind: 'paragraph', text })) }, ...parts]);

/** A single case in full, without colour and a final newline. */
export const failureText = (each: CaseOfRequirement, run: RunArtefacts): string =>
  partsText([{ id: 'case', title: '', blocks: foundBlocks([each], run, 1) }]);

/** How the console is written. */
export interface ConsoleOptions {
  /** Whether to use colour; the caller checks the stream and `NO_COLOR`. */
  readonly color: boolean;
  /** `quiet`: only failing cases, open calls and the verdict; `gate`: what the gate says, beside results as JSON. */
  readonly detail: 'quiet' | 'normal' | 'gate';
}

/** The whole report of a run as text that ends in a newline. */
export const renderConsole = (run: RunArtefacts, { color, detail }: ConsoleOptions): string =>
  `${partsText(documentOf(run, detail).parts, color)}\n`;
