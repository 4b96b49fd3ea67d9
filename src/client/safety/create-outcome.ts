/** What an answer to create call says: whether it may have placed a call, and which one (conformance model, section 7). */

import { isRetryable, isSuccess, UNAVAILABLE } from '../../contract/statuses.ts';
import { type Exchange, type Learned, type RecordedFailure, UNSENT } from '../../exchange/exchange.ts';
import { isObject } from '../../exchange/json-text.ts';
import { type Header, headerValue, type WireAnswer, type WireOutcome } from '../../exchange/message.ts';
import { textOf } from '../../exchange/texts.ts';
import { callIdsIn, type ShownId, valueOfShort } from '../call-id.ts';

/**
 * The outcome of a create call (docs/design/calls.md):
 * - `rejected`: a clean 4xx. It placed no call.
 * - `put off`: 408, 425, 429, 503 with the envelope, or a redirect from the undocumented slash form. It should have
 *   placed none.
 * - `unsent`: it never reached the target.
 * - `placed`: it placed a call, or may have, with one of these ids.
 * - `repeated`: it was accepted and shows an earlier call of this run, which is open again.
 * - `claimed`: it was rejected, but shows an id that may be that of a call.
 * - `unclear`: it may have placed a call without an id; `ids` are guesses.
 * All other `ids` are candidates for the id of the call, the likeliest first, and at least one. `again`: ids that an
 * earlier answer showed in the same place, as that of its call.
 */
export type CreateOutcome =
  | { readonly kind: 'rejected' }
  | { readonly kind: 'put off' }
  | { readonly kind: 'unsent' }
  | {
      readonly kind: 'placed' | 'repeated' | 'claimed';
      readonly ids: readonly string[];
      readonly again?: readonly string[];
    }
  | {
      readonly kind: 'unclear';
      readonly status: number | null;
      readonly detail: string;
      /** The answer has no body, so no setting can say where the id stands. */
      readonly isBodiless?: true;
      readonly ids: readonly string[];
      readonly again?: readonly string[];
    };

/**
 * What is known of an id before the answer comes. `placed`: an earlier answer showed it as that of a call of this run;
 * `again`: in the same place. `seen`: another answer, the settings or the request show it. All others are new; `likely`:
 * in the place of an id by which a call was hung up; `of errors`: where rejections of other operations show an id, too.
 */
export type Standing = 'placed' | 'again' | 'seen' | 'likely' | 'of errors' | 'new';
/** What is known of an id. */
export type KnownIds = (shown: ShownId) => Standing;

/**
 * The outcome of a create call. `path` is the path that it was sent to, in either slash form, with or without the base
 * prefix; `pointer` is the JSON Pointer to the id, if the settings name it.
 */
export function createOutcome(outcome: WireOutcome, path: string, known: KnownIds, pointer?: string): CreateOutcome {
  if (outcome.kind === 'failure') return ofFailure({ kind: outcome.failure, detail: outcome.detail });
  const { status, headers, body, cut } = outcome;
  const text = textOf(body);
  const shown = callIdsIn(text, headers, pointer);
  const isPutOff = mayBePutOff(outcome, text, path);
  const isRejected = isRejection(status) && !cut;
  const standings: readonly Standing[] = isRejected ? ['likely', 'new'] : ['likely', 'new', 'of errors'];
  const newOf = (each: readonly ShownId[]): readonly string[] => idsThat(each, known, standings);
  const likely = idsThat(shown.ids, known, ['likely']);
  const ids = likely.length > 0 ? likely : newOf(shown.ids);
  const uuids = newOf(shown.uuids);
  if (isRejected) {
    const isClean = isPutOff || status !== UNAVAILABLE;
    const claims = ids.length > 0 || !isClean ? ids : uuids;
    if (claims.length > 0) return { kind: 'claimed', ids: claims };
    if (isClean) return { kind: isPutOff ? 'put off' : 'rejected' };
  } else if (isPutOff && ids.length === 0) return { kind: 'put off' };
  const isAccepted = isSuccess(status);
  const before = isAccepted ? idsThat([...shown.ids, ...shown.uuids, ...shown.values], known, ['again']) : [];
  const again = before.length === 0 ? {} : { again: before };
  if (ids.length > 0) return { kind: 'placed', ids, ...again };
  const all = shown.ids.map(({ id }) => id);
  const isRepeated = all.length > 0 && idsThat(shown.ids, known, ['placed', 'again']).length === all.length;
  if (isAccepted && isRepeated) return { kind: 'repeated', ids: all, ...again };
  const guesses = isAccepted ? [...uuids, ...newOf(shown.values)] : uuids;
  const phrase =
    all.length > 0 ? { detail: `status ${status} and no call id that is new` } : withoutId(status, body.length);
  return { kind: 'unclear', status, ...phrase, ids: [...new Set(guesses)], ...again };
}

const withoutId = (status: number, length: number) =>
  length === 0
    ? ({ detail: `status ${status} and no body`, isBodiless: true } as const)
    : { detail: `status ${status} and no call id` };

const idsThat = (shown: readonly ShownId[], known: KnownIds, are: readonly Standing[]): readonly string[] =>
  shown.filter((each) => are.includes(known(each))).map(({ id }) => id);

/** The outcome as it is recorded; `null` for a request that was never sent. `isClean`: an id may be recorded. */
export function learnedOutcome(outcome: CreateOutcome, isClean: (id: string) => boolean): Learned | null {
  if (outcome.kind === 'unsent') return null;
  if (outcome.kind === 'rejected' || outcome.kind === 'put off') return { create: 'rejected' };
  const callIds = outcome.ids.filter(isClean);
  const before = outcome.again?.filter(isClean) ?? [];
  const again = before.length === 0 ? {} : { again: before };
  if (callIds.length === 0) return { create: 'unclear', ...again };
  return { create: outcome.kind === 'claimed' ? 'placed' : outcome.kind, callIds, ...again };
}

/** What a recorded create call came to; a record that does not say so leaves it unclear. */
export function recordedOutcome({ response, failure }: Exchange): CreateOutcome {
  if (failure !== null) return ofFailure(failure);
  const { create, callIds: ids = [], again: before } = response?.learned ?? ({} as Learned);
  const again = before === undefined ? {} : { again: before };
  const status = response?.status ?? 0;
  if (create === 'rejected') return { kind: isRejection(status) && !isRetryable(status) ? 'rejected' : 'put off' };
  if (ids.length > 0 && create !== 'unclear') {
    const isClaimed = create === 'placed' && isRejection(status) && response?.body?.cut !== true;
    return { kind: isClaimed ? 'claimed' : create === 'repeated' ? create : 'placed', ids, ...again };
  }
  if (response === null) return { kind: 'unclear', status: null, detail: 'no complete response', ids, ...again };
  return { kind: 'unclear', status, ...withoutId(status, response.body?.length ?? 0), ids, ...again };
}

const isRejection = (status: number): boolean => (status >= 400 && status < 500) || status === UNAVAILABLE;

function ofFailure({ kind, detail }: Pick<RecordedFailure, 'kind' | 'detail'>): CreateOutcome {
  if (UNSENT.has(kind)) return { kind: 'unsent' };
  return { kind: 'unclear', status: null, detail: `no complete response (${detail})`, ids: [] };
}

/** The interface says what 503 with the envelope means; a lawful router may redirect the undocumented slash form. */
function mayBePutOff({ status, headers, cut }: WireAnswer, text: string, path: string): boolean {
  if (cut) return false;
  if (status === UNAVAILABLE) return isEnvelope(valueOfShort(text));
  if (isRetryable(status)) return true;
  return [301, 307, 308].includes(status) && !path.endsWith('/') && isToDocumentedForm(headers, path);
}

function isEnvelope(value: unknown): boolean {
  if (!isObject(value) || value['success'] !== false || !isObject(value['error'])) return false;
  const { code, message } = value['error'];
  return typeof code === 'string' && typeof message === 'string';
}

function isToDocumentedForm(headers: readonly Header[], path: string): boolean {
  const location = headerValue(headers, 'location') ?? '';
  const base = `http://target.invalid${path}`;
  const there = URL.canParse(location, base) ? new URL(location, base).pathname : '';
  return there.endsWith('/calls/');
}
