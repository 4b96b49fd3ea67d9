/** What an answer to create call says: whether it may have placed a call, and which one (conformance model, section 7). */

import { isRetryable, isSuccess } from '../../contract/statuses.ts';
import { type Exchange, type Learned, type RecordedFailure, UNSENT } from '../../exchange/exchange.ts';
import { textOf } from '../../exchange/json-text.ts';
import { type Header, headerValue, type WireAnswer } from '../../exchange/message.ts';
import { callIdsIn, placeOfId } from '../call-id.ts';

/**
 * The outcome of a create call (docs/design/calls.md):
 * - `rejected`: a complete 4xx. It placed no call.
 * - `put off`: 408, 425, 429, 503, or a redirect from the undocumented slash form. It should have placed none.
 * - `unsent`: it never reached the target.
 * - `placed`: it placed a call with one of these ids, the likeliest first.
 * - `repeated`: it was accepted and shows an earlier call of this run, which is open again.
 * - `unclear`: it may have placed a call without an id. `idIn`: where `PCS_CALL_ID_POINTER` could find the id.
 * `again`: ids that the answer to an earlier create call showed, too.
 */
export type CreateOutcome =
  | { readonly kind: 'rejected' }
  | { readonly kind: 'put off' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'placed' | 'repeated'; readonly ids: readonly string[]; readonly again?: readonly string[] }
  | {
      readonly kind: 'unclear';
      readonly status: number | null;
      readonly detail: string;
      readonly idIn?: string;
      readonly again?: readonly string[];
    };

/**
 * What is known of an id before the answer comes. `again`: an earlier create call showed it as that of its call; `seen`:
 * another answer, the settings or the request show it.
 */
export type KnownIds = (id: string) => 'again' | 'seen' | 'new';

/**
 * What the answer to a create call on that path shows, as it is recorded. `isClean`: an id may be recorded; `pointer` is the only
 * place of the id, if it is set.
 */
export function learnedOfCreate(
  answer: WireAnswer,
  path: string,
  known: KnownIds,
  isClean: (id: string) => boolean,
  pointer?: string,
): Learned {
  const { status, headers, body, cut } = answer;
  const text = textOf(body);
  const isRejected = status >= 400 && status < 500 && !cut;
  const shown = callIdsIn(text, headers, pointer, isRejected);
  const earlier = isSuccess(status) ? shown.filter((id) => known(id) === 'again') : [];
  const isRepeated = shown.length > 0 && earlier.length === shown.length;
  const ids = isRepeated ? shown : shown.filter((id) => known(id) === 'new');
  const again = listedAgain(earlier.filter(isClean));
  const callIds = ids.filter(isClean);
  if (callIds.length > 0) return { create: isRepeated ? 'repeated' : 'placed', callIds, ...again };
  if (ids.length > 0) return { create: 'unclear', ...again };
  if (isRejected || mayBePutOff(answer, path)) return { create: 'rejected' };
  const idIn = isSuccess(status) && pointer === undefined ? placeOfId(text, headers) : undefined;
  return { create: 'unclear', ...placed(idIn), ...again };
}

const listedAgain = (ids: readonly string[] = []): { readonly again?: readonly string[] } =>
  ids.length === 0 ? {} : { again: ids };
const placed = (idIn: string | undefined) => (idIn === undefined ? {} : { idIn });

/** What a recorded create call came to; a record that does not say so leaves it unclear. */
export function recordedOutcome({ response, failure }: Exchange): CreateOutcome {
  if (failure !== null) return ofFailure(failure);
  if (response === null) return { kind: 'unclear', status: null, detail: 'no complete response' };
  const { status, learned = {} } = response;
  const { create, callIds: ids = [] } = learned;
  const again = listedAgain(learned.again);
  if (create === 'rejected') return { kind: status < 400 || isRetryable(status) ? 'put off' : 'rejected' };
  if (ids.length > 0 && create !== 'unclear') {
    return { kind: create === 'repeated' ? create : 'placed', ids, ...again };
  }
  return {
    kind: 'unclear',
    status,
    detail: `status ${status} and no call id${again.again === undefined ? '' : ' that is new'}`,
    ...placed(learned.idIn),
    ...again,
  };
}

function ofFailure({ kind, detail }: Pick<RecordedFailure, 'kind' | 'detail'>): CreateOutcome {
  if (UNSENT.has(kind)) return { kind: 'unsent' };
  return { kind: 'unclear', status: null, detail: `no complete response (${detail})` };
}

/** A lawful router may redirect the undocumented slash form. */
function mayBePutOff({ status, headers, cut }: WireAnswer, path: string): boolean {
  if (cut) return false;
  if (isRetryable(status)) return true;
  return [301, 307, 308].includes(status) && !path.endsWith('/') && isToDocumentedForm(headers, path);
}

function isToDocumentedForm(headers: readonly Header[], path: string): boolean {
  const location = headerValue(headers, 'location') ?? '';
  const base = `http://target.invalid${path}`;
  const there = URL.canParse(location, base) ? new URL(location, base).pathname : '';
  return there.endsWith('/calls/');
}
