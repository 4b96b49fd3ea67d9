/** What a run left behind according to its journal: open calls, what it changed, and the values to restore. Pure. */

import { idOfSegment } from '../client/request.ts';
import { type Call, CallLedger, callOf } from '../client/safety/call-ledger.ts';
import { type OperationId, UPDATES, type UpdateId } from '../contract/operations.ts';
import { isSuccess } from '../contract/waiting.ts';
import { endOf, OTHER_NAME, type ShownFields } from '../exchange/exchange.ts';
import { parsedJson } from '../exchange/json-text.ts';
import type { JsonValue } from '../generate/json.ts';
import { isAccepted } from '../verdict/answer.ts';
import { mutedIn } from '../verdict/evaluate.ts';
import { durationOf } from './facts.ts';
import { exchangesIn, type JournalEntry } from './journal.ts';
import { type Restoration, RunState } from './state.ts';
import { showsFields, WriteLedger } from './written.ts';

/** What a run left behind, and how much of that was reported. */
interface LeftOver {
  /**
   * Calls that no later line ends, then ringing calls that the run answered or may have answered, and did not hang up;
   * `createdAt` is in milliseconds since the epoch, 0 if the journal does not say.
   */
  readonly open: readonly Call[];
  /** How many calls the target accepted. */
  readonly calls: number;
  /** How many calls that the run placed may be open. */
  readonly mayBeOpen: number;
  /** Sentences: create-call requests of unknown outcome, whose calls cannot be hung up for lack of an id. */
  readonly possiblyOpen: readonly string[];
  /** The updates that may have changed something, and were restored neither by the run nor by `clean`. */
  readonly written: readonly UpdateId[];
  /** What the run restored only in part, and does not write again since another editor may have; and who is muted. */
  readonly kept: Pick<Restoration, 'left' | 'failed'>;
  /** Whether a person was told of the calls without an id: the run ended in order, or `clean` named them. */
  readonly isReported: boolean;
  /** What `clean` can still end or restore, except what it named after the target answered. */
  readonly unnamed: { readonly calls: readonly Call[]; readonly written: readonly UpdateId[] };
}

/** Rebuilds the ledgers of calls and writes from the journal. */
export function leftOver(entries: readonly JournalEntry[]): LeftOver {
  const exchanges = exchangesIn(entries);
  const ends = entries.filter((entry) => entry.kind === 'end');
  const cleaned = entries.filter((entry) => entry.kind === 'cleaned');
  const unrestored = ends.flatMap(({ outcome }) => outcome?.unrestored ?? []);
  const isFailed = (sentence: string): boolean => unrestored.includes(sentence);
  const phase = ends.flatMap((end) => end.restored ?? []);
  const restored = phase.filter(({ isDue }) => isDue !== true);
  const failed = phase.filter(({ isDue, left }) => isDue === true && left.some(isFailed)).map(({ id }) => id);
  const startedAt = entries.find((entry) => entry.kind === 'start')?.startedAt ?? 0;
  const sinceEpoch = (call: Call): Call => {
    return { ...call, createdAt: exchanges.length > 0 ? startedAt + (call.createdAt || durationOf(exchanges)) : 0 };
  };
  const ledger = ledgerOf(entries);
  const open = ledger.open.map(sinceEpoch);
  const answered = answeredCalls(entries, startedAt);
  const isWhole = ends.some(({ outcome }) => outcome?.changed.length === 0);
  const done = [...cleaned.flatMap((cleanUp) => cleanUp.restored), ...restored.map(({ id }) => id)];
  const writes = ledgerIn(entries);
  const written = isWhole ? [] : UPDATES.filter((id) => writes.isDue(id) && !done.includes(id));
  const muted = unansweredIn(entries).filter(
    ({ operation, ids }) => operation === 'muteParticipant' && ids === 'named',
  );
  const mutes = muted.map(({ path }) => path);
  const hasEnded = ends.length > 0;
  const namedCalls = cleaned.flatMap(({ calls = [] }) => calls);
  const named = cleaned.flatMap((cleanUp) => cleanUp.named);
  // If the run ended in order, only the calls that it reported may be open.
  const openAtEnd = ends.flatMap(({ outcome }) => outcome?.openCalls?.map(({ seq }) => seq) ?? []);
  const isUnended = ({ ids }: Call): boolean =>
    !hasEnded ||
    exchanges.some(({ seq, request }) => openAtEnd.includes(seq) && ids.some((id) => id === callIn(request.path)));
  return {
    open: [...open, ...answered],
    calls: ledger.dialled,
    mayBeOpen: ledger.mayBeOpen,
    possiblyOpen: ledger.possiblyOpen.map(({ sentence }) => sentence),
    written,
    kept: {
      left: [...restored.flatMap(({ left }) => left), ...mutedIn(exchanges, mutes)],
      failed: restored.flatMap(({ left }) => left.filter(isFailed)),
    },
    isReported: hasEnded || cleaned.length > 0,
    unnamed: {
      calls: [...open, ...answered.filter(isUnended)].filter(({ ids }) => !ids.some((id) => namedCalls.includes(id))),
      written: written.filter((id) => !named.includes(id) && (!hasEnded || failed.includes(id))),
    },
  };
}

/** The sentences, from the end of a run, about what `clean` has hung up or restored since. */
export function endedByClean(entries: readonly JournalEntry[]): readonly string[] {
  const ledger = ledgerOf(entries);
  const paths = new Map(exchangesIn(entries).map(({ seq, request }) => [seq, request.path]));
  const restored = entries.flatMap((entry) => (entry.kind === 'cleaned' ? entry.restored : []));
  return entries.flatMap((entry, at) => {
    if (entry.kind !== 'end') return [];
    const later = entries.slice(at).flatMap((entry) => (entry.kind === 'call' ? entry.ids : []));
    const { possiblyOpen = [], openCalls = [] } = entry.outcome ?? {};
    const isEnded = (_: string, nth: number): boolean => {
      const { seq = 0 } = openCalls[nth] ?? {};
      // A ringing call is identified by its hang-up.
      const ids = ledger.of({ seq })?.ids ?? [callIn(paths.get(seq) ?? '')];
      return ids.some((id) => later.includes(id));
    };
    const updates = entry.restored?.filter(({ id }) => restored.includes(id)) ?? [];
    return [...possiblyOpen.filter(isEnded), ...updates.flatMap(({ left }) => left)];
  });
}

/** The line about a call follows the announcement and, where it could be recorded, the exchange. */
function ledgerOf(entries: readonly JournalEntry[]): CallLedger {
  const ledger = new CallLedger();
  let announced = 0;
  for (const entry of entries) {
    if (entry.kind === 'create') {
      announced = entry.seq;
      ledger.adopt(callOf({ seq: announced }));
    } else if (entry.kind === 'exchange') ledger.learn(entry.exchange);
    else if (entry.kind === 'call' && entry.open) {
      const known = ledger.of({ seq: announced });
      if (entry.ids.length === 0 || (known !== undefined && known.ids.length > 0)) continue;
      const { credential = 'valid', createdAt = 0 } = known ?? {};
      ledger.adopt(callOf({ seq: announced, ids: entry.ids, credential, createdAt, stage: 'open' }));
    } else if (entry.kind === 'call') {
      const [id = ''] = entry.ids;
      for (const call of ledger.open) {
        if (!call.ids.includes(id)) continue;
        ledger.change(call, { hungUpBy: id, stage: 'closed' });
      }
    }
  }
  return ledger;
}

type WriteEntry = Extract<JournalEntry, { readonly kind: 'write' }>;

/** The writes of the run, without those of `clean`, which restore. */
const writesIn = (entries: readonly JournalEntry[]): readonly WriteEntry[] =>
  entries.filter((entry) => entry.kind === 'write' && entry.byClean !== true) as readonly WriteEntry[];

/** Writes that were announced, and after which the run was killed. */
function unansweredIn(entries: readonly JournalEntry[]): readonly WriteEntry[] {
  const answered = new Set(exchangesIn(entries).map(({ seq }) => seq));
  return writesIn(entries).filter(({ seq }) => !answered.has(seq));
}

/** The ledger of the writes in a journal. */
export function ledgerIn(entries: readonly JournalEntry[]): WriteLedger {
  const ledger = new WriteLedger();
  const exchanges = exchangesIn(entries);
  for (const exchange of exchanges) ledger.learn(exchange);
  for (const write of unansweredIn(entries)) ledger.announce(write);
  const accepted = exchanges.filter(isAccepted).map(({ seq }) => seq);
  const names = writesIn(entries).filter(
    ({ operation, body }) => operation === 'updateTrunk' && body?.includes('"name"') === true,
  );
  // The run may have been killed after it wrote another trunk's name, and before it wrote a new name.
  const last = names.findLastIndex(({ seq }) => accepted.includes(seq));
  if (names.slice(Math.max(last, 0)).some(({ body }) => body?.includes(OTHER_NAME) === true)) ledger.hideName();
  return ledger;
}

/** The values before the run, from the announcements of its writes. */
function valuesBefore(entries: readonly JournalEntry[], id: UpdateId): ShownFields | undefined {
  const known = writesIn(entries).flatMap(({ operation, before }) =>
    operation === id && before !== undefined ? [before] : [],
  );
  // A later announcement may hold more fields; the first value of each field counts.
  return known.length === 0 ? undefined : Object.assign({}, ...known.toReversed());
}

/** What the killed run knew, and restoring needs. */
export function stateIn(entries: readonly JournalEntry[]): RunState {
  const state = new RunState();
  for (const id of UPDATES) state.written.add(id);
  const exchanges = exchangesIn(entries);
  const trunk = valuesBefore(entries, 'updateTrunk');
  const application = valuesBefore(entries, 'updateVoiceApplication');
  const { carrier_connection_id: assignment } = valuesBefore(entries, 'assignNumber') ?? {};
  const isTrunkRead = exchanges.some((exchange) => exchange.tag.operation === 'getTrunk' && showsFields(exchange));
  state.note({
    ...(trunk === undefined ? {} : { trunk, trunkReadBy: isTrunkRead ? 'getTrunk' : 'listTrunks' }),
    ...(application === undefined ? {} : { application }),
    ...(typeof assignment === 'string' || assignment === null ? { assignment } : {}),
  });
  for (const { tag, request } of exchanges.filter(isAccepted)) {
    const id = tag.operation as OperationId;
    if (tag.role !== 'candidate' || state.bases.has(id)) continue;
    state.bases.set(id, (parsedJson(request.body?.text ?? '') ?? null) as JsonValue);
  }
  return state;
}

const GONE = 410;

function answeredCalls(entries: readonly JournalEntry[], startedAt: number): readonly Call[] {
  const exchanges = exchangesIn(entries);
  const placed = new Set(exchanges.flatMap(({ response }) => response?.learned?.callIds ?? []));
  const ended = new Set(entries.flatMap((entry) => (entry.kind === 'call' && !entry.open ? entry.ids : [])));
  const calls = new Map<string, Call>();
  for (const { seq, operation, path, ids } of writesIn(entries)) {
    const id = callIn(path);
    const exchange = exchanges.find((exchange) => exchange.seq === seq);
    const status = exchange?.response?.status ?? null;
    if (operation === 'hangUpCall' && (isSuccess(status) || status === GONE)) calls.delete(id);
    const mayBeAnswered = exchange === undefined || exchange.failure !== null || isSuccess(status);
    // Only ids that may name a call count.
    if (operation !== 'answerCall' || ids !== 'named' || !mayBeAnswered || placed.has(id) || ended.has(id)) continue;
    const createdAt = startedAt + (exchange === undefined ? 0 : endOf(exchange));
    calls.set(id, callOf({ seq, ids: [id], createdAt, stage: 'open' }));
  }
  return [...calls.values()];
}

/** The id as an answer shows it: `a@b` for `/v1/calls/a%40b/answer`. */
const callIn = (path: string): string => idOfSegment(path.split('/').at(path.endsWith('/') ? -3 : -2) ?? '');
