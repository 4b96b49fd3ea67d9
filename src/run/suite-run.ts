/** A run with its journal: options go in, events go out. */

import type { AnnouncedWait } from '../client/client-options.ts';
import { Skipped } from '../client/request.ts';
import { KEPT, TIME } from '../contract/limits.ts';
import { withoutUndefined } from '../contract/lists.ts';
import type { RepeatedFlag } from '../contract/settings.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { evaluate } from '../verdict/evaluate.ts';
import type { RunRecord, SuiteError } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { type Disk, REAL_DISK } from './disk.ts';
import { type FactSettings, factsOf, type RunFacts } from './facts.ts';
import { Journal, type JournalEntry, outcomeOf } from './journal.ts';
import { type Connection, livePorts } from './live.ts';
import type { RunOptions } from './options.ts';
import { type Ports, RunEnd } from './ports.ts';
import type { Suite } from './requirement.ts';
import { RunInProgress, sentenceOf } from './run.ts';
import { redactionOf } from './run-client.ts';

/** The input of a run. */
export interface SuiteInput {
  readonly options: RunOptions;
  readonly version: string;
  readonly reportDir: string;
  readonly stated?: FactSettings;
  readonly connection?: Connection;
  /** Flags of the command, for printed command lines about this run. */
  readonly repeated?: readonly RepeatedFlag[];
  /** Where the journal lies, and how the target is reached; those of this machine unless given. */
  readonly disk?: Disk;
  readonly reach?: typeof livePorts;
  /** The number of letters at which the record of the exchanges ends the run; 128 MiB unless given. */
  readonly mostRecorded?: number;
}

/** Where a run left something: its report folder, its target as it may be shown, and its flags. */
export interface LeftBy {
  readonly reportDir: string;
  readonly target?: string;
  readonly repeated?: readonly RepeatedFlag[] | undefined;
}

/** What a run reports while it goes on. */
export type SuiteEvent =
  | {
      readonly kind: 'plan';
      readonly cases: number;
      /** The names of the sequences. */
      readonly sequences: readonly string[];
      /** How many milliseconds one request may take. */
      readonly longest: number;
    }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | ({ readonly kind: 'wait' } & AnnouncedWait)
  /** Sentences: the calls that would stay open if the process ended now. */
  | { readonly kind: 'calls'; readonly open: readonly string[] }
  /** A request is about to leave that may change this target; the journal in this folder holds the previous values. */
  | ({ readonly kind: 'write' } & LeftBy);

/** A judged run. */
export interface JudgedRecord {
  readonly record: RunRecord;
  readonly results: Results;
  readonly facts?: RunFacts;
}

const SECRET_LEAK: SuiteError = {
  sequence: 'record',
  operation: 'undocumented',
  asks: [],
  message: 'a secret survived redaction; the exchange that contains it was not written',
};

const TOO_MUCH = 'the responses of the target are so large that their record exceeds 128 MiB';

/** How the reason begins if a run ended because its journal could not be written. */
export const JOURNAL_LOST = 'the journal cannot be written';

/**
 * Judges the target of the input and reports everything as it happens. The run ends early if the journal cannot be
 * written or `report` throws, so that every open call is journaled. Throws the error of the file system if no journal
 * can be made at all.
 */
export async function runSuite(
  input: SuiteInput,
  suite: Suite,
  report: (event: SuiteEvent) => void,
  signal?: AbortSignal,
): Promise<JudgedRecord> {
  const { options, repeated, reportDir, disk = REAL_DISK, reach = livePorts, mostRecorded = KEPT.record } = input;
  const failure = new AbortController();
  const { ports, close, holdsSecret } = reach(options, {
    ...input,
    signal: signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]),
  });
  const journal = new Journal(disk, reportDir, holdsSecret);
  const errors: SuiteError[] = [];
  const write = (entry: JournalEntry): void => {
    journal.write(entry);
    if (journal.lost !== null) failure.abort(new RunEnd(`${JOURNAL_LOST}: ${journal.lost}`));
    else if (journal.recorded > mostRecorded) failure.abort(new RunEnd(TOO_MUCH));
  };
  const tell = (event: SuiteEvent): void => {
    try {
      report(event);
    } catch (error) {
      errors.push({ ...SECRET_LEAK, message: `a report of the progress failed: ${sentenceOf(error)}` });
      failure.abort(new RunEnd('a report of the progress failed'));
    }
  };
  const target = shownUrl(options.baseUrl);
  const startedAt = Math.round(ports.clock.now());
  const stated = input.stated && { host: redactionOf(options, ports, '')(input.stated.host) };
  write({ kind: 'start', target, seed: options.seed, startedAt, ...withoutUndefined({ stated, repeated }) });
  try {
    const noting = observedPorts({ ...ports, startedAt }, { reportDir, target, repeated }, journal, write, tell);
    const run = new RunInProgress(options, suite, noting);
    write({ kind: 'plan', header: run.header, inputs: run.inputs, cases: run.plan.cases });
    const { cases, sequences } = run.plan;
    const longest = Math.max(options.callTimeout, options.timeout, TIME.patient);
    tell({ kind: 'plan', cases: cases.length, sequences: sequences.map(({ name }) => name), longest });
    const recorded = await run.record();
    if (journal.heldBack) errors.push(SECRET_LEAK);
    const record = { ...recorded, errors: [...recorded.errors, ...errors] };
    // A journal with gaps gives results like that of a killed run.
    if (journal.lost === null)
      journal.write({ kind: 'end', outcome: outcomeOf(record), restored: run.state.restoredUpdates });
    const facts = stated && factsOf(stated, startedAt, record.exchanges);
    // The verdict is only returned to the caller.
    return { record, ...withoutUndefined({ facts }), results: evaluate(record, suite) };
  } finally {
    journal.close();
    await close();
  }
}

/** The environment that records and reports events. */
function observedPorts(
  ports: Ports,
  left: LeftBy,
  journal: Journal,
  write: (entry: JournalEntry) => void,
  report: (event: SuiteEvent) => void,
): Ports {
  /** A write that is not journaled could not be found again, so it is not sent. */
  const demand = (entry: JournalEntry): void => {
    write(entry);
    if (journal.lost !== null) throw new Skipped(`${JOURNAL_LOST}: ${journal.lost}`, { why: 'stopped' });
  };
  return {
    ...ports,
    onExchange: (exchange) => {
      write({ kind: 'exchange', exchange });
      report({ kind: 'exchange', exchange });
    },
    onWait: (wait) => report({ kind: 'wait', ...wait }),
    beforeCreate: (seq) => {
      demand({ kind: 'create', seq });
      report({ kind: 'write', ...left });
      report({ kind: 'calls', open: [`request ${seq} (create call) is under way`] });
    },
    beforeWrite: (announced, isCleanUp) => {
      const note = isCleanUp ? write : demand;
      note({ kind: 'write', ...announced });
      report({ kind: 'write', ...left });
    },
    onCall: (ids, open) => {
      write({ kind: 'call', ids, open });
      report({ kind: 'calls', open: open ? [`call ${ids[0]}`] : [] });
    },
  };
}
