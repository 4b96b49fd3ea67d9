/** docs/interface.md as the register: each statement of the page with the ids, or the reason, that answer for it. */

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
