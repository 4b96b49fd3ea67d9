/** Reads the record of a run out of the files of a bundle. */

import type { Exchange } from '../exchange/exchange.ts';
import type { RunRecord } from '../verdict/record.ts';
import { type Bytes, textOf } from './bytes.ts';
import type { PlannedSequence } from './certification.ts';
import { Disagreement } from './disagreement.ts';

/** The value of a text that is written as the suite writes it, members in order and none twice. */
function asWritten(text: string, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Disagreement(`${name} is no JSON`);
  }
  if (JSON.stringify(value) !== text) throw new Disagreement(`${name} is not written as the suite writes it`);
  return value;
}

function plainValue(bytes: Bytes, name: string): unknown {
  const text = textOf(bytes, name);
  if (!text.endsWith('\n')) throw new Disagreement(`${name} does not end with a whole line`);
  return asWritten(text.slice(0, -1), name);
}

function exchangeOf(line: string, at: number): Exchange {
  const name = `line ${at + 1} of exchanges.ndjson`;
  const exchange = asWritten(line, name) as Exchange;
  if (exchange.seq !== at + 1) throw new Disagreement(`${name} is exchange ${exchange.seq}: one is missing or doubled`);
  return exchange;
}

/** What a bundle records: the run, and the sequences of its plan. */
export interface Recorded {
  readonly record: RunRecord;
  readonly sequences: readonly PlannedSequence[];
}

/** The record; throws `Disagreement` where a file is not as the suite writes it or exchanges are missing. */
export function readRecord(bytes: Bytes): Recorded {
  const plan = plainValue(bytes, 'plan.json');
  const rest = plainValue(bytes, 'record.json');
  const text = textOf(bytes, 'exchanges.ndjson');
  if (!text.endsWith('\n')) throw new Disagreement('exchanges.ndjson does not end with a whole line');
  const exchanges = text.slice(0, -1).split('\n').map(exchangeOf);
  const { cases, sequences } = plan as { cases: RunRecord['plan']; sequences: readonly PlannedSequence[] };
  return { record: { ...(rest as Omit<RunRecord, 'plan' | 'exchanges'>), plan: cases, exchanges }, sequences };
}
