/** Judges what a create-call request may carry: nothing that could be dialled but the configured numbers (section 7 of the model). */

import type { Header } from '../../exchange/message.ts';
import { type DialNumbers, judgeCreateBody } from './dial-body.ts';
import { judgeBodyHeaders, judgeOverrides } from './dial-headers.ts';
import { createPath } from './dial-path.ts';
import type { Refusal } from './refusal.ts';

export type { DialNumbers } from './dial-body.ts';
export type { Refusal } from './refusal.ts';

/** What the guard looks at: `path` is below the base URL, headers and body are those that leave. */
export interface DialRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | null;
}

/**
 * Why this request must not leave, or `null` where it may. `numbers` is `null` where none are configured: then only
 * bodies without any member called `to` or `from` leave. `allowedIds` are the configured application and trunk.
 */
export function dialGuard(
  request: DialRequest,
  numbers: DialNumbers | null,
  allowedIds: readonly string[],
): Refusal | null {
  const overridden = judgeOverrides(request.headers);
  if (overridden !== null) return overridden;
  const place = createPath(request.path);
  if (place === 'other') return null;
  if (place === 'alike') {
    return {
      rule: 'create-path',
      sentence: 'Create call is addressed as /v1/calls/ or /v1/calls to the letter, without a query.',
    };
  }
  const body = request.body ?? new Uint8Array();
  const refused = judgeBodyHeaders(request.headers, body);
  return refused ?? (body.length === 0 ? null : judgeCreateBody(body, numbers, allowedIds));
}
