/**
 * Values that this run wrote and that the target could not show again (conformance model, section 0, rule 8): a read
 * failed, the record was restored, and the same read was accepted.
 */

import { TRIALS } from '../contract/limits.ts';
import { isUpdate, type OperationId, type UpdateId } from '../contract/operations.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isRejected, isSameTarget, statusOf } from './answer.ts';

/** The description of the request that restores a record whose read failed. */
export const RESTORED_RECORD = 'the record without the last value, since a read of it failed';

/** The description of a failed read that is sent again. */
export const SAME_READ = 'the same read again, since it failed';

/** The documented reads that show what an update writes. */
export const SHOWN_BY: Readonly<Partial<Record<UpdateId, readonly OperationId[]>>> = {
  updateTrunk: ['getTrunk', 'listTrunks'],
  assignNumber: ['listNumbers'],
};

/** A 5xx with which the service fails: 503 asks for patience instead. */
export const isServerFailure = (exchange: Exchange): boolean =>
  (statusOf(exchange) ?? 0) >= 500 && statusOf(exchange) !== 503;

/** A value that broke a read, as four exchanges in the order of sending show it. */
export interface BrokenRecord {
  /** The last update of the record before the read. */
  readonly write: Exchange;
  readonly read: Exchange;
  readonly restore: Exchange;
  /** The same read, accepted. */
  readonly after: Exchange;
}

/** The records that this run broke; `exchanges` are in the order of sending. */
export function brokenRecordsIn(exchanges: readonly Exchange[]): readonly BrokenRecord[] {
  return exchanges.flatMap((restore, at) => {
    const { operation, about } = restore.tag;
    if (about !== RESTORED_RECORD || !isUpdate(operation)) return [];
    const before = exchanges.slice(0, at);
    const reads = before.filter((one) => isSameAttempt(one, restore) && !isHealthCheck(one)).slice(-TRIALS.rule);
    const [read] = reads;
    if (reads.length < TRIALS.rule || read === undefined || !isServerFailure(read) || reads.some(isAccepted)) return [];
    const write = exchanges.findLast(
      (one) => one.seq < read.seq && one.tag.operation === operation && mayHaveWritten(one),
    );
    const after = exchanges.slice(at + 1).find((one) => isSameTarget(one, read) && isOurs(one));
    if (write === undefined || after === undefined || !isAccepted(after)) return [];
    return [{ write, read, restore, after }];
  });
}

const isSameAttempt = ({ tag: one }: Exchange, { tag: other }: Exchange): boolean =>
  one.sequence === other.sequence && one.attempt === other.attempt;

const isHealthCheck = ({ tag }: Exchange): boolean => tag.role === 'health-check';

const mayHaveWritten = (one: Exchange): boolean =>
  isOurs(one) && !isRejected(one) && one.tag.about !== RESTORED_RECORD && one.request.method !== 'GET';
