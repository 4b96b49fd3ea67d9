/** What a journal shows to be left: calls that are open or may be, and writes that were not restored. Pure. */

import { operationById } from '../contract/operations.ts';
import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
import type { JournalEntry } from './journal.ts';

/** A call of the run that no later line of the journal ends. `ids` are candidates, the likeliest first. */
export interface LeftCall {
  readonly seq: number;
  readonly ids: readonly string[];
  readonly credential: CredentialForm;
}

/** What was left. */
export interface LeftOver {
  /** Base URL of the target; `null` where the journal does not even begin. */
  readonly target: string | null;
  readonly open: readonly LeftCall[];
  /** Sentences: create-call requests of unknown outcome, whose calls have no id to hang them up by. */
  readonly possiblyOpen: readonly string[];
  /** Sentences: what was written and not restored. */
  readonly written: readonly string[];
}

const UPDATES = ['updateTrunk', 'updateVoiceApplication', 'setInboundAuth'] as const;

/** Entries of a journal; a last line that a crash cut short is left out. */
export function readJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}

/** Follows the one call slot through the journal. */
export function leftOver(entries: readonly JournalEntry[]): LeftOver {
  const exchanges = entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.exchange] : []));
  const possiblyOpen: string[] = [];
  let pending: number | null = null;
  let open: readonly LeftCall[] = [];
  for (const entry of entries) {
    if (entry.kind === 'create') pending = entry.seq;
    if (entry.kind !== 'call') continue;
    const created: Exchange | undefined = pending === null ? undefined : creation(exchanges, pending);
    if (entry.open && pending !== null) {
      const credential = created?.request.credential ?? 'valid';
      open = [...open, { seq: pending, ids: entry.ids, credential }];
    } else if (pending !== null && isUnclear(created)) possiblyOpen.push(unclear(pending, created));
    else if (pending === null && !entry.open) open = open.filter(({ ids }) => ids[0] !== entry.ids[0]);
    pending = null;
  }
  if (pending !== null) possiblyOpen.push(unclear(pending, creation(exchanges, pending)));
  return {
    target: entries.flatMap((entry) => (entry.kind === 'start' ? [entry.target] : []))[0] ?? null,
    open,
    possiblyOpen,
    written: UPDATES.flatMap((id) => writtenTo(id, exchanges)),
  };
}

/** The answer to a create call that was announced as request `seq`; "not now" may have had it sent again. */
function creation(exchanges: readonly Exchange[], seq: number): Exchange | undefined {
  return exchanges.findLast((one) => one.seq >= seq && one.tag.operation === 'createCall');
}

/** No complete answer, a 5xx but 503, or a success that shows no id: a call may have been placed. */
function isUnclear(created: Exchange | undefined): boolean {
  const unsent = ['refused', 'unresolved', 'tls'].includes(created?.failure?.kind ?? '');
  const status = created?.response?.status;
  if (status === undefined) return !unsent;
  return status < 300 || (status >= 500 && status !== 503);
}

function unclear(seq: number, created: Exchange | undefined): string {
  const status = created?.response?.status;
  const what = status === undefined ? 'has no recorded answer' : `got status ${status} and no call id`;
  return `request ${seq} (create call) ${what}: a call may be open; look for it at the target`;
}

function writtenTo(id: (typeof UPDATES)[number], exchanges: readonly Exchange[]): readonly string[] {
  const writes = exchanges.filter(({ tag, request }) => tag.operation === id && (request.body?.length ?? 0) > 2);
  const taken = writes.filter(({ response }) => response === null || response.status < 300 || response.status >= 500);
  const last = taken.at(-1);
  const isBack = last?.tag.role === 'restore' && (last.response?.status ?? 500) < 300;
  if (last === undefined || isBack) return [];
  return [`${operationById(id).title}: request ${last.seq} (${last.request.path}) was not restored`];
}
