/** What a run left behind according to its journal: calls that may be open. Pure. */

import { recordedOutcome } from '../client/safety/create-outcome.ts';
import { type CredentialForm, type Exchange, endOf } from '../exchange/exchange.ts';
import { type JournalEntry, targetIn } from './journal.ts';

/** A call of the run that no later line of the journal ends. `ids` are candidates, the likeliest first. */
export interface LeftCall {
  readonly seq: number;
  readonly ids: readonly [string, ...string[]];
  readonly credential: CredentialForm;
  /** When it was placed, in milliseconds since the epoch; 0 where the journal does not say so. */
  readonly createdAt: number;
}

/** What was left. */
export interface LeftOver {
  /** Base URL of the target; `null` if the journal has no first entry. */
  readonly target: string | null;
  readonly open: readonly LeftCall[];
  /** Sentences: create-call requests of unknown outcome, whose calls have no id to hang them up by. */
  readonly possiblyOpen: readonly string[];
  /** Whether a person was told of these: the run came to its end, or `clean` named them. */
  readonly isReported: boolean;
}

/** Follows the one call slot through the journal. */
export function leftOver(entries: readonly JournalEntry[]): LeftOver {
  const exchanges = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
  const start = entries.find((entry) => entry.kind === 'start');
  const epochOf = (created: Exchange | undefined): number => {
    const last = created ?? exchanges.at(-1);
    return last === undefined ? 0 : (start?.startedAt ?? 0) + endOf(last);
  };
  const possiblyOpen: string[] = [];
  let pending: number | null = null;
  let open: readonly LeftCall[] = [];
  /** Calls that ended since the pending one was announced: `clean` may have hung that one up. */
  let ended: readonly (string | undefined)[] = [];
  const settle = (shown: readonly string[]): void => {
    if (pending === null) return;
    const created = exchanges.find(({ seq }) => seq === pending);
    const outcome = created === undefined ? UNRECORDED : recordedOutcome(created);
    const [first, ...others] = outcome.kind === 'placed' ? outcome.ids : shown;
    if (first !== undefined && ended.includes(first)) pending = null;
    else if (first !== undefined) {
      const credential = created?.request.credential ?? 'valid';
      open = [...open, { seq: pending, ids: [first, ...others], credential, createdAt: epochOf(created) }];
    } else if (outcome.kind === 'unclear') {
      const what = outcome === UNRECORDED ? outcome.detail : `got ${outcome.detail}`;
      possiblyOpen.push(`request ${pending} (create call) ${what}: a call may be open; look for it at the target`);
    }
    pending = null;
  };
  for (const entry of entries) {
    if (entry.kind === 'create') {
      // Announced again: the answer before was "not now".
      settle([]);
      pending = entry.seq;
      ended = [];
    } else if (entry.kind === 'call' && !entry.open && entry.ids.length > 0) {
      open = open.filter(({ ids }) => ids[0] !== entry.ids[0]);
      ended = [...ended, entry.ids[0]];
    } else if (entry.kind === 'call') settle(entry.ids);
  }
  settle([]);
  return {
    target: targetIn(entries),
    open,
    possiblyOpen,
    isReported: entries.some(({ kind }) => kind === 'end' || kind === 'cleaned'),
  };
}

const UNRECORDED = { kind: 'unclear', detail: 'has no recorded answer' } as const;
