/** Makes the pieces of a report. */

import type { Block, Fact, Part, Span, Text, Tone } from './document.ts';

/** The facts that are present. */
export const given = (...facts: readonly (Fact | false | undefined)[]): readonly Fact[] =>
  facts.filter((fact) => typeof fact === 'object');
/** A text of a target or of a finding. */
export const value = (text: string): Span => ({ kind: 'value', text });
/** An id, an address, or the beginning of a message. */
export const codeSpan = (text: string): Span => ({ kind: 'code', text });
/** A link to an exchange. */
export const linkTo = (seq: number): Span => ({ kind: 'exchange', seq });
/** Our own word in a tone. */
export const toned = (tone: Tone, text: string): Span => ({ kind: 'toned', tone, text });
/** Our own words, or these spans, as a paragraph. */
export const paragraph = (...text: Text): Block => ({ kind: 'paragraph', text });
/** A part, or none if it would be empty. */
export const partOf = (
  id: string,
  title: string,
  blocks: readonly Block[],
  more: Partial<Part> = {},
): readonly Part[] => (blocks.length === 0 ? [] : [{ id, title, blocks, ...more }]);
/** What a page shows closed, or nothing. */
export const foldedBlocks = (title: string, names: readonly string[], blocks: readonly Block[]): readonly Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'fold', title, names: [...new Set(names)], blocks }];
/** A list with one line for each entry, or nothing. */
export const list = (items: readonly Text[]): readonly Block[] =>
  items.length === 0 ? [] : [{ kind: 'list', items: items.map((item) => [item]) }];
