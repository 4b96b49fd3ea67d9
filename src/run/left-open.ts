/** What a run left behind according to its journal: calls that may be open, and writes that were not restored. Pure. */

import { recordedOutcome } from '../client/safety/create-outcome.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import { type CredentialForm, type Exchange, endOf } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { JournalEntry } from './journal.ts';

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
  /** What was written, or may have been, and not restored. */
  readonly written: readonly OperationId[];
}

const UPDATES = ['updateTrunk', 'updateVoiceApplication', 'setInboundAuth', 'assignNumber'] as const;

/** Entries of a journal; a last line that a crash cut short is left out. */
export function readJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => (parsedJson(line) as JournalEntry | undefined) ?? []);
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
  const settle = (shown: readonly string[]): void => {
    if (pending === null) return;
    const created = exchanges.find(({ seq }) => seq === pending);
    const outcome = created === undefined ? UNRECORDED : recordedOutcome(created);
    const [first, ...others] = outcome.kind === 'placed' ? outcome.ids : shown;
    if (first !== undefined) {
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
    } else if (entry.kind === 'call' && !entry.open && entry.ids.length > 0) {
      open = open.filter(({ ids }) => ids[0] !== entry.ids[0]);
    } else if (entry.kind === 'call') settle(entry.ids);
  }
  settle([]);
  const hasRestored = entries.some((entry) => entry.kind === 'end' && entry.outcome?.changed.length === 0);
  return {
    target: start?.target ?? null,
    open,
    possiblyOpen,
    isReported: entries.some(({ kind }) => kind === 'end' || kind === 'cleaned'),
    written: hasRestored ? [] : UPDATES.filter((id) => isWritten(id, entries, exchanges)),
  };
}

const UNRECORDED = { kind: 'unclear', detail: 'has no recorded answer' } as const;

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
