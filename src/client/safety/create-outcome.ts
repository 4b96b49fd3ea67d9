/** The outcome of a create call: whether it may have placed a call, and which one (conformance model, section 7). */

import type { Exchange, Learned, RecordedFailure } from '../../exchange/exchange.ts';
import { isJsonText, isObject } from '../../exchange/json-text.ts';
import { type Header, headerValue, type WireAnswer, type WireOutcome } from '../../exchange/message.ts';
import { textOf } from '../../exchange/texts.ts';
import { callIdsIn, valueOfShort } from '../call-id.ts';

/**
 * The outcome of a create call. `rejected`: it placed no call. `unsent`: it never reached the target. `placed`: it
 * placed a call, or may have, with one of these ids, the likeliest first. `unclear`: it may have placed a call without
 * an id.
 */
export type CreateOutcome =
  | { readonly kind: 'rejected' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'placed'; readonly ids: readonly [string, ...string[]] }
  | { readonly kind: 'unclear'; readonly detail: string };

/**
 * The outcome of a create call. `path` is the path that it was sent to, in either slash form, with or without the base
 * prefix; `alreadySeen` says whether an earlier answer showed an id, which then cannot be that of the new call;
 * `pointer` is the JSON Pointer to the id, if the settings name it.
 */
export function createOutcome(
  outcome: WireOutcome,
  path: string,
  alreadySeen: (id: string) => boolean,
  pointer?: string,
): CreateOutcome {
  if (outcome.kind === 'failure') return ofFailure({ kind: outcome.failure, detail: outcome.detail });
  const text = textOf(outcome.body);
  if (isCleanRejection(outcome, text, path)) return { kind: 'rejected' };
  const shown = callIdsIn(text, outcome.headers, pointer);
  const [first, ...others] = shown.filter((id) => !alreadySeen(id));
  if (first !== undefined) return { kind: 'placed', ids: [first, ...others] };
  const detail = shown.length > 0 ? 'no call id that is new' : 'no call id';
  return { kind: 'unclear', detail: `status ${outcome.status} and ${detail}` };
}

/** What a recorded create call came to; a record that does not say so leaves it unclear. */
export function recordedOutcome({ response, failure }: Exchange): CreateOutcome {
  if (failure !== null) return ofFailure(failure);
  const { create, callIds: [first, ...others] = [] } = response?.learned ?? ({} as Learned);
  if (create === 'rejected') return { kind: 'rejected' };
  if (first !== undefined) return { kind: 'placed', ids: [first, ...others] };
  return {
    kind: 'unclear',
    detail: response === null ? 'no complete response' : `status ${response.status} and no call id`,
  };
}

/** Failures before anything of the request was sent. */
const UNSENT: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

function ofFailure({ kind, detail }: Pick<RecordedFailure, 'kind' | 'detail'>): CreateOutcome {
  return UNSENT.has(kind) ? { kind: 'unsent' } : { kind: 'unclear', detail: `no complete response (${detail})` };
}

/** Whether the answer can only mean that no call was placed (docs/decisions/0025-clean-rejections.md). */
function isCleanRejection({ status, headers, cut }: WireAnswer, text: string, path: string): boolean {
  if (cut) return false;
  const value = valueOfShort(text);
  if (status === 503) return isEnvelope(value);
  // A text that is too long to be parsed can be one value all the same.
  const isClean = text.trim() === '' || value !== undefined || isJsonText(text);
  if (status >= 400 && status < 500 && isClean) return true;
  if (callIdsIn(text, headers).length > 0) return false;
  if ([301, 307, 308].includes(status)) return isToOtherSlashForm(headers, path);
  return [404, 405].includes(status) && !path.endsWith('/') && !/^\s*[{[]/.test(text);
}

function isEnvelope(value: unknown): boolean {
  if (!isObject(value) || value['success'] !== false || !isObject(value['error'])) return false;
  const { code, message } = value['error'];
  return typeof code === 'string' && typeof message === 'string';
}

function isToOtherSlashForm(headers: readonly Header[], path: string): boolean {
  const location = headerValue(headers, 'location') ?? '';
  const base = `http://target.invalid${path}`;
  const there = URL.canParse(location, base) ? new URL(location, base).pathname : '';
  return path.endsWith('/') ? there.endsWith('/calls') : there.endsWith('/calls/');
}
