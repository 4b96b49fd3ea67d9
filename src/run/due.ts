/** What a probe is due, and when its rejection says nothing without a valid request beside it. */

import type { Answer } from '../client/request.ts';
import type { OperationId } from '../contract/operations.ts';
import { isRetryable } from '../contract/statuses.ts';
import type { JsonObject } from '../generate/json.ts';

/** Statuses to a valid element that its sibling has to explain; the others are about rights and state. */
const ABOUT_THE_REQUEST: readonly number[] = [400, 404, 415, 422];

/**
 * What a probe is due: acceptance of a valid element, or rejection of an invalid one, with any 4xx or with one of these
 * statuses. After another one follows the valid body `without` the element: where that gets the same answer, the target
 * looked at its state and not at the element.
 */
export type Due =
  | 'acceptance'
  | 'rejection'
  | { readonly statuses: readonly number[]; readonly without: JsonObject | null };

/** Whether the rejection of a probe needs its sibling (`false`), and right behind it (`true`); `null` for neither. */
export function needOf({ status }: Answer, due: Due): boolean | null {
  if (status === null || status < 400 || status >= 500 || status === 401 || isRetryable(status)) return null;
  if (due === 'acceptance') return ABOUT_THE_REQUEST.includes(status) ? true : null;
  return due !== 'rejection' && !due.statuses.includes(status);
}

/** A rejected probe whose sibling has to show why. */
export interface Pending {
  readonly operation: OperationId;
  readonly path: string;
  readonly sibling: string;
  /** The valid body without the element of the probe, if its answer is needed, too. */
  readonly without: string | null;
  /** Whether a valid request has to be accepted right behind the probe, too. */
  readonly isOfState: boolean;
}
