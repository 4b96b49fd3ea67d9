/** From the record to the target's choices in the gaps of the interface: observed, compared, never judged. */

import type { Ask, Exchange } from '../exchange/exchange.ts';
import { Evidence } from '../verdict/evidence.ts';
import { isExplored } from '../verdict/opinions.ts';
import type { JudgedRecord } from '../verdict/record.ts';
import type { Choice, GapAsk, Observation } from './requirement.ts';

export type { Choice } from './requirement.ts';

const lineOf = ({ gap, operation, choice }: Choice): string => JSON.stringify({ gap, operation, choice });

function order(a: Choice, b: Choice): number {
  for (const key of ['gap', 'operation', 'choice'] as const) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  }
  return 0;
}

/** Which gap an ask is about: its own, or that of a requirement whose probes show a choice as well. */
function gapOf(ask: Ask, observations: readonly Observation[]): string | undefined {
  const own = observations.find(({ id }) => id === ask.id);
  if (own !== undefined) return own.id;
  const shown = (one: Observation): boolean =>
    'also' in one &&
    one.also?.some(({ id, variation }) => id === ask.id && (variation ?? ask.variation) === ask.variation) === true;
  return observations.find(shown)?.id;
}

/** Each choice of the target once, by gap, operation and words, in the order of code units. */
export function choicesOf(
  record: Pick<JudgedRecord, 'header' | 'exchanges'>,
  observations: readonly Observation[],
): readonly Choice[] {
  // What an exploration meets depends on its length, so that it would look like a change of the target.
  const systematic = record.exchanges.filter((one) => !isExplored(one));
  const exchanges = systematic.sort((a, b) => a.seq - b.seq);
  const evidence = new Evidence({ profile: record.header.profile, settings: record.header.settings }, exchanges);
  const current = exchanges.filter((exchange) => !evidence.isSuperseded(exchange));
  const asks = new Map(current.map((exchange) => [exchange, gapAsksOf(exchange, observations)]));
  const observed = { exchanges: current, asksOf: (exchange: Exchange) => asks.get(exchange) ?? [] };
  const choices = observations.flatMap((one) => ('read' in one ? one.read(observed, one.id) : []));
  return [...new Map(choices.map((choice) => [lineOf(choice), choice])).values()].sort(order);
}

function gapAsksOf({ tag }: Exchange, observations: readonly Observation[]): readonly GapAsk[] {
  return tag.asks.flatMap((ask) => {
    const gap = gapOf(ask, observations);
    return gap === undefined ? [] : [{ gap, label: gap === ask.id ? ask.variation : tag.about }];
  });
}

/** Choices as JSON, one a line and sorted, so that the files of two runs compare line by line. */
export function renderChoices(choices: readonly Choice[]): string {
  const lines = [...new Set(choices.toSorted(order).map(lineOf))];
  return lines.length === 0 ? '[]\n' : `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`;
}
