/** What a run left behind according to its journal: calls that may be open, and writes that were not restored. Pure. */

import { type Call, CallLedger } from '../client/safety/call-ledger.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { JournalEntry } from './journal.ts';

/** What was left. */
export interface LeftOver {
  /** Base URL of the target; `null` if the journal has no first entry. */
  readonly target: string | null;
  /** Calls that no later line ends; `createdAt` is in milliseconds since the epoch, 0 where the journal does not say so. */
  readonly open: readonly Call[];
  /** How many calls the target accepted. */
  readonly calls: number;
  /** Sentences: create-call requests of unknown outcome, whose calls have no id to hang them up by. */
  readonly possiblyOpen: readonly string[];
  /** Whether a person was told of these: the run came to its end, or `clean` named them. */
  readonly isReported: boolean;
  /** What was written, or may have been, and not restored. */
  readonly written: readonly OperationId[];
}

const UPDATES = ['updateTrunk', 'updateVoiceApplication', 'setInboundAuth', 'assignNumber'] as const;

/** Entries of a journal; a last line that a crash cut short is left out. */
export function readJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => (parsedJson(line) as JournalEntry | undefined) ?? []);
}

/** Makes the ledger of the calls again from the journal. */
export function leftOver(entries: readonly JournalEntry[]): LeftOver {
  const exchanges = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
  const start = entries.find((entry) => entry.kind === 'start');
  const ledger = ledgerOf(entries);
  const lastAt = exchanges.reduce((last, exchange) => Math.max(last, endOf(exchange)), 0);
  const sinceEpoch = (call: Call): Call => {
    const isKnown = exchanges.length > 0;
    return { ...call, createdAt: isKnown ? (start?.startedAt ?? 0) + (call.createdAt || lastAt) : 0 };
  };
  const hasRestored = entries.some((entry) => entry.kind === 'end' && entry.outcome?.changed.length === 0);
  return {
    target: start?.target ?? null,
    open: ledger.open.map(sinceEpoch),
    calls: ledger.placed,
    possiblyOpen: ledger.possiblyOpen,
    isReported: entries.some(({ kind }) => kind === 'end' || kind === 'cleaned'),
    written: hasRestored ? [] : UPDATES.filter((id) => isWritten(id, entries, exchanges)),
  };
}

/** The line about a call follows the announcement and, where it could be recorded, the exchange. */
function ledgerOf(entries: readonly JournalEntry[]): CallLedger {
  const ledger = new CallLedger();
  let announced = 0;
  for (const entry of entries) {
    if (entry.kind === 'create') {
      announced = entry.seq;
      ledger.announce(announced);
    } else if (entry.kind === 'exchange') ledger.note(entry.exchange);
    else if (entry.kind === 'call' && entry.open) {
      const [first, ...others] = entry.ids;
      const known = ledger.of({ seq: announced });
      if (first === undefined || (known !== undefined && known.ids.length > 0)) continue;
      const { credential = 'valid', createdAt = 0 } = known ?? {};
      ledger.settle({ kind: 'placed', ids: [first, ...others] }, { seq: announced, credential, createdAt });
    } else if (entry.kind === 'call') {
      for (const call of ledger.open) if (call.ids[0] === entry.ids[0]) ledger.close(call);
    }
  }
  return ledger;
}

/** An announced update may have been under way when the run was killed. */
function isWritten(id: OperationId, entries: readonly JournalEntry[], exchanges: readonly Exchange[]): boolean {
  if (entries.some((entry) => entry.kind === 'cleaned' && entry.restored.includes(id))) return false;
  const sent = exchanges.filter(({ tag, request }) => tag.operation === id && (request.body?.length ?? 0) > 2);
  const isRejected = ({ response }: Exchange): boolean =>
    response !== null && response.status >= 300 && response.status < 500;
  const isRestore = ({ tag, response }: Exchange): boolean => tag.role === 'restore' && (response?.status ?? 500) < 300;
  const isPending = entries.some((entry) => entry.kind === 'update' && entry.operation === id) && sent.length === 0;
  const last = sent.findLast((exchange) => !isRejected(exchange));
  return isPending || (last !== undefined && !isRestore(last));
}

/** Names what was written and not restored. */
export function writtenSentence(id: OperationId): string {
  return `${operationById(id).title}: what the run wrote was not restored`;
}
