/** The record of a run as files of a bundle: written and read. */

import type { Exchange } from '../exchange/exchange.ts';
import type { RunRecord } from '../verdict/record.ts';
import { Disagreement, demandShape, parseCanonical } from './bundle-files.ts';

/** What a bundle holds of a record; the plan follows from it. */
export type BundledRecord = Omit<RunRecord, 'plan'>;

/** Names of the files from which everything else is computed. */
export const RECORD_FILES = ['record.json', 'exchanges.ndjson'] as const;

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The texts of those files. */
export function recordFiles(record: RunRecord): readonly (readonly [string, string])[] {
  const { plan: _, exchanges, ...rest } = record;
  const lines = [...exchanges].sort((a, b) => a.seq - b.seq).map(lineOf);
  const texts = [lineOf(rest), lines.join('')];
  return RECORD_FILES.map((name, at) => [name, texts[at] ?? '']);
}

function exchangeOf(line: string, at: number): Exchange {
  const name = `line ${at + 1} of exchanges.ndjson`;
  const value = parseCanonical(line, name, JSON.stringify);
  demandShape('exchange', value, name);
  const exchange = value as Exchange;
  if (exchange.seq === at + 1) return exchange;
  throw new Disagreement(`${name} holds exchange ${exchange.seq}: an exchange is missing or repeated`);
}

/** Reads the record from the texts of its files. Throws `Disagreement` for another form or a missing exchange. */
export function readRecord(textIn: (name: (typeof RECORD_FILES)[number]) => string): BundledRecord {
  const rest = parseCanonical(textIn('record.json'), 'record.json', JSON.stringify);
  demandShape('record', rest, 'record.json');
  const lines = textIn('exchanges.ndjson').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return { ...(rest as Omit<BundledRecord, 'exchanges'>), exchanges: lines.map(exchangeOf) };
}
