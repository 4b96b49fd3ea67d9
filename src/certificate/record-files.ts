/** The record of a run as files of a bundle: written and read. */

import type { Exchange } from '../exchange/exchange.ts';
import type { RunRecord } from '../verdict/record.ts';
import { type Bytes, Disagreement, parseCanonical, textOf } from './bundle-files.ts';

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** settings.json: the target, the options, and the names of the settings that were present, not their values. */
export function settingsFile({ header }: RunRecord): string {
  const { target, profile, without, strict, seed, settings } = header;
  return lineOf({ target, profile, without, strict, seed, settings });
}

/** Names of the files from which everything else is computed. */
export const RECORD_FILES = ['plan.json', 'settings.json', 'record.json', 'exchanges.ndjson'] as const;

/** The texts of those files. */
export function recordFiles(record: RunRecord): readonly (readonly [string, string])[] {
  const { plan: cases, exchanges, ...rest } = record;
  const lines = [...exchanges].sort((a, b) => a.seq - b.seq).map(lineOf);
  const texts = [lineOf({ cases }), settingsFile(record), lineOf(rest), lines.join('')];
  return RECORD_FILES.map((name, at) => [name, texts[at] ?? '']);
}

function exchangeOf(line: string, at: number): Exchange {
  const name = `line ${at + 1} of exchanges.ndjson`;
  const exchange = parseCanonical(line, name, JSON.stringify) as Exchange | null;
  if (exchange?.seq === at + 1) return exchange;
  throw new Disagreement(`${name} holds exchange ${exchange?.seq}: an exchange is missing or repeated`);
}

/** Reads the record. Throws `Disagreement` if a file is not in its canonical form or an exchange is missing. */
export function readRecord(bytes: Bytes): RunRecord {
  const read = (name: string): unknown => parseCanonical(textOf(bytes, name), name, JSON.stringify);
  const { cases } = read('plan.json') as { cases: RunRecord['plan'] };
  const rest = read('record.json') as Omit<RunRecord, 'plan' | 'exchanges'>;
  const exchanges =
    textOf(bytes, 'exchanges.ndjson')
      .match(/[^\n]*\n|[^\n]+$/g)
      ?.map(exchangeOf) ?? [];
  return { ...rest, plan: cases, exchanges };
}
