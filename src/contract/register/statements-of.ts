/** From the page to its statements: sentence by sentence, cell by cell. */

import { HEAD, type Quote } from './statement.ts';

/** A statement as the page has it; a gap's sentence with the id that stands behind it in brackets. */
export type PageQuote = Quote & { readonly gap?: string };

const HEADING = /^#+ (?:(\d+)\. )?(.+)$/;
const RULE = /^\|[-|: ]+\|$/;
const GAP = /^(.+) \[(GAP(?:-[A-Z0-9]+)+)\]$/;

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

function sentence(section: string, line: string): PageQuote {
  const text = line.replace(/^- /, '');
  const [, quote = text, gap] = GAP.exec(text) ?? [];
  return gap === undefined ? { section, quote } : { section, quote, gap };
}

/** Every statement of a page with one sentence a line, in its order; headings are none. */
export function statementsOf(markdown: string): readonly PageQuote[] {
  let section = '1';
  let heading = '';
  let columns: readonly string[] = [];
  return markdown.split('\n').flatMap((line): readonly PageQuote[] => {
    const title = HEADING.exec(line);
    if (title !== null) [section, heading] = [title[1] ?? section, title[2] ?? ''];
    const isRow = line.startsWith('|');
    if (!isRow) columns = [];
    if (title !== null || RULE.test(line) || line.trim() === '') return [];
    if (!isRow) return [sentence(section, line)];
    const cells = cellsOf(line);
    const row = columns.length === 0 ? HEAD : (cells[0] ?? '');
    if (row === HEAD) columns = cells;
    return cells.map((quote, at) => ({ section, quote, cell: { table: heading, row, column: columns[at] ?? '' } }));
  });
}

/** Where a statement stands, and its words: `2, Body call-create, from, Type: string`. Unique on the page. */
export function placeOf({ section, quote, cell }: Quote): string {
  return cell === undefined
    ? `${section}: ${quote}`
    : `${section}, ${cell.table}, ${cell.row}, ${cell.column}: ${quote}`;
}
