/** What a run left behind according to its journal: calls that may be open. Pure. */

import { type Call, CallLedger } from '../client/safety/call-ledger.ts';
import { endOf } from '../exchange/exchange.ts';
import { type JournalEntry, targetIn } from './journal.ts';

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
  return {
    target: targetIn(entries),
    open: ledger.open.map(sinceEpoch),
    calls: ledger.placed,
    possiblyOpen: ledger.possiblyOpen,
    isReported: entries.some(({ kind }) => kind === 'end' || kind === 'cleaned'),
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
