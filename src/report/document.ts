/**
 * A report before it is written: parts of blocks, made once. Terminal, Markdown and page are writers, and each alone
 * knows what its readers would interpret, and escapes it. The reasons are in docs/design/reports.md.
 */

import type { Exchange } from '../exchange/exchange.ts';
import type { CaseResult, RequirementResult, Results, Verdict } from '../verdict/results.ts';

/** The tones of a text. */
export type Tone = 'good' | 'bad' | 'warn' | 'open' | 'quiet' | 'strong';

/** A piece of text. A string is our own words; text that a target may have written, or a person gave, has a kind. */
export type Span =
  | string
  /** A finding, a reason, a sentence. */
  | { readonly kind: 'value'; readonly text: string }
  /** An id, an address, or the beginning of a message as it was sent. */
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'toned'; readonly tone: Tone; readonly text: string }
  /** A line to paste into a shell, complete and harmless as it is. */
  | { readonly kind: 'command'; readonly line: string }
  /** Links: to a case (by its id, or by `text`), an exchange, another part, an address outside. */
  | { readonly kind: 'case'; readonly id: string; readonly text?: string }
  | { readonly kind: 'exchange'; readonly seq: number }
  | { readonly kind: 'part'; readonly id: string; readonly text: string }
  | { readonly kind: 'address'; readonly url: string };

/** Text in pieces. */
export type Text = readonly Span[];

/** A name and the lines beside it. */
export type Fact = readonly [name: string, ...lines: Text[]];

/** A separate item for the reader: a likely cause, or cases that are open for one reason. */
export interface Entry {
  readonly kind: 'entry';
  /** Absent if there is no verdict, as for a question. */
  readonly verdict?: Verdict;
  readonly isNew: boolean;
  readonly title: Text;
  readonly statement: Text;
  readonly facts: readonly Fact[];
  /** Commands that a page offers to copy. */
  readonly commands?: readonly Fact[];
  /** Ids of the cases that it stands for. */
  readonly cases: readonly string[];
  readonly note: Text;
}

/** A deviation of a case: the contrast, the smallest exchange that shows it if recorded, and what leads to it. */
export interface FindingView {
  readonly contrast: readonly Fact[];
  readonly seq: number;
  readonly exchange: Exchange | undefined;
  readonly commands: readonly Fact[];
}

/** A case that fails or warns. */
export interface FoundCase {
  readonly result: CaseResult & { readonly reason: string };
  /** Its state under a gate: new, known (with reason and owner), or empty. */
  readonly mark: 'NEW ' | 'KNOWN ' | '';
  /** What is known about it, a line each. */
  readonly known: readonly Fact[];
  /** Where space is short, a case is shown in full or on a line. */
  readonly detail: 'full' | 'short';
  /** The first finding of each deviation. */
  readonly findings: readonly FindingView[];
  /** The findings after the first, on a line for each deviation, with the stimuli by name. */
  readonly also: readonly Fact[];
  /** The cases of the requirement that fail in the same way. */
  readonly alike: readonly FoundCase[];
  readonly rerun: Fact;
}

/** What the blocks of a report are. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: Text; readonly tone?: Tone }
  | { readonly kind: 'list'; readonly items: readonly (readonly [Text, ...Text[]])[] }
  /** Columns with heads; each row begins with its own head. */
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Text[])[] }
  /** Collapsed on a page; a screen shows the first names. */
  | {
      readonly kind: 'fold';
      readonly title: string;
      readonly names: readonly string[];
      readonly blocks: readonly Block[];
    }
  | Entry
  /** A requirement with the cases in which it fails or warns. */
  | { readonly kind: 'found'; readonly requirement: RequirementResult; readonly cases: readonly FoundCase[] }
  /** Every case: below its requirement, with names, or small enough to be seen at a glance. */
  | { readonly kind: 'requirements' | 'matrix' | 'map'; readonly results: Results }
  | { readonly kind: 'exchanges'; readonly exchanges: readonly Exchange[] };

/** A part under a title; without one its blocks stand by themselves. */
export interface Part {
  /** Unique in the report, and a word in a list of parts; from the second of a kind on, a number follows. */
  readonly id: string;
  readonly title: string;
  readonly tone?: Tone | undefined;
  /** The number beside the title, if something is counted. */
  readonly count?: number;
  readonly lead?: string;
  /** `true` if it holds only cases, so that a filter may hide it. */
  readonly filtered?: true;
  readonly blocks: readonly Block[];
}

/** A whole report. */
export interface Document {
  readonly title: string;
  /** The reasons for the outcome, a paragraph each. */
  readonly lead: readonly Text[];
  readonly parts: readonly Part[];
}
