/** A run with its journal: options go in, events go out. */

import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { evaluate } from '../verdict/evaluate.ts';
import type { RunRecord, SuiteError } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { type Journal, type JournalEntry, openJournal } from './journal.ts';
import { type Connection, livePorts } from './live.ts';
import type { RunOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Suite } from './requirement.ts';
import { headerOf, runSuites } from './run.ts';

/** The input of a run. */
export interface SuiteInput {
  readonly options: RunOptions;
  readonly version: string;
  readonly reportDir: string;
  readonly connection?: Connection;
  /** Names of the sequences to send; everything that the options select, unless given. */
  readonly sequences?: readonly string[];
}

/** What a run reports while it goes on. */
export type SuiteEvent =
  | { readonly kind: 'plan'; readonly cases: number; readonly sequences: number }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly status: number }
  /** Sentences: the calls that would stay open if the process ended now. */
  | { readonly kind: 'calls'; readonly open: readonly string[] }
  | {
      readonly kind: 'results';
      readonly results: Results;
      readonly record: RunRecord;
      /** When the run began, milliseconds since the epoch. */
      readonly startedAt: number;
    };

const BETRAYAL: SuiteError = {
  sequence: 'record',
  operation: 'undocumented',
  asks: [],
  message: 'a secret survived redaction; the exchange that contains it was not written',
};

/** Judges the target of the input and reports everything as it happens. */
export async function runSuite(
  input: SuiteInput,
  suite: Suite,
  report: (event: SuiteEvent) => void,
  signal?: AbortSignal,
): Promise<Results> {
  const { options, version, connection } = input;
  const { ports, close, isBetrayed } = livePorts(options, {
    version,
    ...(connection === undefined ? {} : { connection }),
    ...(signal === undefined ? {} : { signal }),
  });
  const journal = openJournal(input.reportDir, isBetrayed);
  const write = (entry: JournalEntry): void => journal.write(entry);
  const startedAt = Math.round(ports.clock.now());
  write({ kind: 'start', target: shownUrl(options.baseUrl), seed: options.seed, startedAt });
  try {
    const record = await runSuites(options, suite, observed(ports, options, write, report), input.sequences);
    const errors = journal.heldBack ? [...record.errors, BETRAYAL] : record.errors;
    const results = evaluate({ ...record, errors }, suite.requirements);
    const exchanges = record.exchanges.toSorted((a, b) => a.seq - b.seq);
    report({ kind: 'results', results, record: { ...record, exchanges }, startedAt });
    write({ kind: 'end' });
    return results;
  } finally {
    await close();
  }
}

/** The environment that records and reports events. */
function observed(
  ports: Ports,
  options: RunOptions,
  write: Journal['write'],
  report: (event: SuiteEvent) => void,
): Ports {
  return {
    ...ports,
    onPlan: ({ cases, sequences }) => {
      write({ kind: 'plan', header: headerOf(options, ports.version), cases });
      report({ kind: 'plan', cases: cases.length, sequences: sequences.length });
    },
    onExchange: (exchange) => {
      write({ kind: 'exchange', exchange });
      report({ kind: 'exchange', exchange });
    },
    onWait: (milliseconds, status) => report({ kind: 'wait', milliseconds, status }),
    beforeCreate: (seq) => {
      write({ kind: 'create', seq });
      report({ kind: 'calls', open: [`request ${seq} (create call) is under way`] });
    },
    onCall: (ids, open) => {
      write({ kind: 'call', ids, open });
      report({ kind: 'calls', open: open ? [`call ${ids[0]}`] : [] });
    },
  };
}
