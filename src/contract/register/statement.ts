/** What the register holds: every statement of docs/interface.md, each with what it comes to. */

import type { Gap } from '../gaps.ts';
import type { RequirementId } from '../requirements/index.ts';

/** Why a statement obliges a target to nothing and leaves nothing open. */
export const REASONS = {
  heading: 'It heads a column.',
  scope: 'It says what the service is about; no answer to a shown operation can break it.',
  name: 'It is a name.',
  description: 'It describes a success in words that no answer carries.',
  request: 'It says what a caller sends, and the suite sends it so.',
  page: 'It says how the page is read.',
} as const satisfies Readonly<Record<string, string>>;

/** Where a cell stands: its table, by the heading above it; its row, by the first cell; its column, by the head. */
export interface Cell {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** A sentence or a cell of docs/interface.md, to the letter; what stands before section 1 counts to it. */
export interface Quote {
  readonly section: string;
  readonly quote: string;
  /** There for a cell only. */
  readonly cell?: Cell;
}

/** What a statement comes to: requirements, a gap, or neither. */
export type Classification =
  | { readonly kind: 'requirement'; readonly ids: readonly [RequirementId, ...RequirementId[]] }
  | { readonly kind: 'gap'; readonly ids: readonly [Gap['id']] }
  | { readonly kind: 'informative'; readonly why: keyof typeof REASONS };

/** One entry of the register. */
export type Statement = Quote & Classification;

/** An entry whose section, and whose place in a table, are said around it. */
type Entry = Omit<Quote, 'section'> & Classification;

/** Name of the first row of a table, whose cells head the columns. */
export const HEAD = 'head';

/** A statement on which requirements rest. */
export function owes(quote: string, ...ids: readonly [RequirementId, ...RequirementId[]]): Entry {
  return { quote, kind: 'requirement', ids };
}

/** A statement that leaves something open. */
export function opens(quote: string, gap: Gap['id']): Entry {
  return { quote, kind: 'gap', ids: [gap] };
}

/** A statement that only informs. */
export function tells(quote: string, why: keyof typeof REASONS): Entry {
  return { quote, kind: 'informative', why };
}

/** The cells of a table, row by row, its head first. */
export function table(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly Entry[])[],
): readonly Entry[] {
  const placed = (row: readonly Entry[], name: string): readonly Entry[] =>
    row.map((entry, at) => ({ ...entry, cell: { table: heading, row: name, column: columns[at] ?? '' } }));
  const head = columns.map((column) => tells(column, 'heading'));
  return [...placed(head, HEAD), ...rows.flatMap((row) => placed(row, row[0]?.quote ?? ''))];
}

/** The statements of a section. */
export function section(number: string, entries: readonly Entry[]): readonly Statement[] {
  return entries.map((entry) => ({ section: number, ...entry }));
}
