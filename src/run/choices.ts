/** From the record to the target's choices in the gaps of the interface: observed, compared, never judged. */

import type { Exchange } from '../exchange/exchange.ts';
import { operationOf } from '../verdict/answer.ts';
import { Evidence } from '../verdict/evidence.ts';
import { isExplored } from '../verdict/opinions.ts';
import type { RunRecord } from '../verdict/record.ts';

/** What the target does where the interface is silent; never a value of a success body, never a time. */
export interface Choice {
  readonly gap: string;
  /** The documented operation, or `undocumented`. */
  readonly operation: string;
  readonly choice: string;
}

/** The current exchanges of a run, and the gaps that each request probes, with its label. */
export interface Observed {
  readonly exchanges: readonly Exchange[];
  readonly asksOf: (exchange: Exchange) => readonly { readonly gap: string; readonly label: string }[];
}

/** What is sent or examined for a gap, and how the target's choices are read from it. */
export interface Reader {
  /** What is sent or examined, in a phrase. */
  readonly probe: string;
  /** Requirements whose requests also probe the gap. */
  readonly also: readonly string[];
  /** The choices, each with an exchange of its operation. */
  readonly read: (observed: Observed, gap: string) => readonly (readonly [Exchange, string])[];
}

/** One gap of the interface: the question and how it is read, or the reason why it is not. */
export type Observation = {
  readonly id: `GAP-${string}`;
  /** Section of the interface specification that leaves it open. */
  readonly section: string;
  readonly question: string;
} & ({ readonly readers: readonly Reader[] } | { readonly reason: string });

const lineOf = ({ gap, operation, choice }: Choice): string => JSON.stringify({ gap, operation, choice });

/** Each choice of the target once, by gap, operation and words, in the order of code units. */
export function choicesShown(
  record: Pick<RunRecord, 'header' | 'exchanges'>,
  observations: readonly Observation[],
): readonly Choice[] {
  // How far an exploration gets depends on its length, which would look like a change of the target.
  const systematic = record.exchanges.filter((exchange) => !isExplored(exchange)).sort((a, b) => a.seq - b.seq);
  const evidence = new Evidence({ profile: record.header.profile, settings: record.header.settings }, systematic);
  const exchanges = systematic.filter((exchange) => !evidence.isSuperseded(exchange));
  const reading = observations.flatMap((observation) =>
    'readers' in observation ? observation.readers.map((reader) => ({ id: observation.id, ...reader })) : [],
  );
  const gaps = new Map(reading.flatMap(({ id, also }) => [id, ...also].map((gap) => [gap, id] as const)));
  const asksOf = ({ tag }: Exchange) =>
    tag.asks.flatMap(({ id, variation }) => {
      const gap = gaps.get(id);
      return gap === undefined ? [] : [{ gap, label: variation || tag.about }];
    });
  const choices = reading.flatMap(({ id: gap, read }) =>
    read({ exchanges, asksOf }, gap).map(([exchange, choice]) => ({ gap, operation: operationOf(exchange), choice })),
  );
  const lines = [...new Map(choices.map((choice) => [lineOf(choice), choice]))].sort(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([, choice]) => choice);
}

/** Choices as JSON, one a line, so that the files of two runs compare line by line. */
export const renderChoices = (choices: readonly Choice[]): string =>
  choices.length === 0 ? '[]\n' : `[\n${choices.map((choice) => `  ${lineOf(choice)}`).join(',\n')}\n]\n`;
