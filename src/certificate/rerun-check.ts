/** Whether a certification asked everything, in the order of its nonce: its record is run again and must come out the same. */

import { SUITE } from '../../suites/index.ts';
import { MOST_IN_A_ROW } from '../client/hangs.ts';
import { RecordMismatch } from '../client/recorded-target.ts';
import {
  MOST_CREATE_RESENDS,
  MOST_EQUAL,
  MOST_RESENDS,
  MOST_WAIT_TO_CLEAN_UP,
  UNAVAILABLE,
  waitFor,
} from '../client/waiting.ts';
import type { CaseOperation } from '../contract/levels.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import type { SkipCause } from '../contract/skipped.ts';
import { LONGEST_WAIT, MOST_FRUITLESS_WAIT } from '../contract/waiting.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import { DEFAULTS } from '../run/options.ts';
import { rerun } from '../run/rerun.ts';
import { isAccepted, isRetryable, statusOf } from '../verdict/answer.ts';
import type { RunRecord } from '../verdict/record.ts';
import { type BundledRecord, canonicalJson, Disagreement, demand, type Particulars, sha256 } from './bundle-files.ts';
import { drawOf, seedOf } from './certification.ts';

let digest: string | undefined;

/** Version and digest of the requirements, operations and readings of the suite. */
export function catalogueOf(version: string): Particulars['catalogue'] {
  // What a service that does nothing meets concerns the proof of the suite alone.
  const requirements = SUITE.requirements.map(({ metByNothing: _, ...judged }) => judged);
  const data = { requirements, operations: OPERATIONS, readings: READINGS };
  digest ??= sha256(canonicalJson(JSON.parse(JSON.stringify(data))));
  return { version, sha256: digest };
}

/** What keeps a run from asking everything; an operation that hangs is a failure of the target. */
const CUTS: readonly SkipCause[] = ['limit', 'stopped', 'claimed'];

/** Whether enough requests in a row of the operation got no response for a run to ask it no further. */
function hasHung(exchanges: readonly Exchange[], operation: CaseOperation): boolean {
  let inARow = 0;
  return exchanges.some(({ tag, failure }) => {
    if ((tag.operation ?? 'undocumented') !== operation) return false;
    inARow = failure?.kind === 'timeout' ? inARow + 1 : 0;
    return inARow === MOST_IN_A_ROW;
  });
}

function demandParticulars(record: BundledRecord, particulars: Particulars): void {
  const { header, inputs, skipped, exchanges } = record;
  const { suite, catalogue } = particulars;
  const own = catalogueOf(suite.version);
  demand(catalogue.sha256 === own.sha256, `the catalogue is ${catalogue.sha256}, and this suite has ${own.sha256}`);
  demand(catalogue.version === own.version, `the catalogue names version ${JSON.stringify(catalogue.version)}`);
  const cut = skipped.find(
    ({ why, operation }) => CUTS.includes(why) || (why === 'hang' && !hasHung(exchanges, operation)),
  );
  demand(cut === undefined, `the sequence "${cut?.sequence}" was not sent: ${cut?.reason}`);
  const isSameSuite = canonicalJson(header.suite) === canonicalJson(suite);
  demand(isSameSuite, 'record.json and manifest.json name different suites');
  const draw = drawOf(particulars, record);
  const isDrawn = header.seed === seedOf(draw) && inputs.drawnOrder === draw;
  demand(isDrawn, `seed (${header.seed}) and order do not follow from the nonce, the implementation and the settings`);
}

/** The record of the rerun. Throws `Disagreement` where it does not come out the same. */
export async function rerunOf(record: BundledRecord, particulars: Particulars): Promise<RunRecord> {
  demandParticulars(record, particulars);
  try {
    const again = await rerun(record, SUITE);
    const missing = missingResend(again.exchanges);
    demand(missing === undefined, `request ${missing?.seq} was not sent again after its ${missing?.response?.status}`);
    return again;
  } catch (error) {
    if (error instanceof Disagreement) throw error;
    if (error instanceof RecordMismatch) throw new Disagreement(`run again, the record differs: ${error.message}`);
    // No request can be made from some ids and addresses that a record may hold.
    throw new Disagreement(`the record cannot be run again: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const LIMITED = 429;
const MOST_WAIT = { probes: DEFAULTS.maxWait, cleanUp: MOST_WAIT_TO_CLEAN_UP };

const purposeOf = ({ tag }: Exchange) => (tag.role === 'restore' || tag.role === 'hang-up' ? 'cleanUp' : 'probes');
const waitAfter = ({ response, tag }: Exchange): number | null => waitFor(response?.headers ?? [], tag.resend + 1, 0);

/** Milliseconds of a wait; no gap counts for more than what the answer asked for, which a moment in time leaves open. */
function waitedBetween(one: Exchange, next: Exchange): number {
  const isMoment = headerValue(one.response?.headers ?? [], 'x-ratelimit-reset') !== undefined;
  const most = isMoment ? LONGEST_WAIT : (waitAfter(one) ?? LONGEST_WAIT);
  return Math.min(most, Math.max(0, next.at - endOf(one)));
}

/** Requests with the same key are given up together. */
const keyOf = (one: Exchange): string =>
  [one.request.method, one.tag.operation ?? one.request.path, one.request.credential, statusOf(one)].join('\n');

/** The third 503 to a request without a time to try again: a read tells whether it is meant for good. */
const mayBePermanent = (one: Exchange): boolean =>
  statusOf(one) === UNAVAILABLE &&
  one.tag.resend >= MOST_EQUAL - 1 &&
  headerValue(one.response?.headers ?? [], 'retry-after') === undefined;

/** What a client remembers of the answers so far, in the order of the record. */
class Patience {
  readonly #gaveUp = new Set<string>();
  /** Operations that are unavailable while others are served. */
  readonly #unavailable = new Set<Exchange['tag']['operation']>();
  #isLimited = false;
  readonly #waited = { probes: 0, cleanUp: 0 };
  #fruitlessWait = 0;

  /** Whether the request of this answer may be given up. */
  mayGiveUp(one: Exchange): boolean {
    const { operation, resend } = one.tag;
    if (resend >= MOST_RESENDS || this.#gaveUp.has(keyOf(one))) return true;
    if (mayBePermanent(one) || (statusOf(one) === UNAVAILABLE && this.#unavailable.has(operation))) return true;
    const isRejected = one.response?.learned?.create === 'rejected';
    if (operation === 'createCall' && (!isRejected || resend >= MOST_CREATE_RESENDS)) return true;
    if (this.#isLimited && statusOf(one) === LIMITED) return true;
    const wait = waitAfter(one);
    if (wait === null || this.#fruitlessWait + wait > MOST_FRUITLESS_WAIT) return true;
    const purpose = purposeOf(one);
    return this.#waited[purpose] + wait > MOST_WAIT[purpose];
  }

  note(one: Exchange, next: Exchange | undefined): void {
    const { operation } = one.tag;
    if (next === undefined && mayBePermanent(one)) this.#unavailable.add(operation);
    else if (statusOf(one) !== UNAVAILABLE) this.#unavailable.delete(operation);
    if (isAccepted(one)) {
      this.#isLimited = false;
      this.#fruitlessWait = 0;
    }
    if (next !== undefined) {
      const waited = waitedBetween(one, next);
      this.#fruitlessWait += waited;
      this.#waited[purposeOf(one)] += waited;
    } else if (isRetryable(one)) {
      this.#gaveUp.add(keyOf(one));
      this.#isLimited ||= one.tag.resend === MOST_RESENDS && statusOf(one) === LIMITED;
    }
  }
}

/** The first exchange, in the order of the record, that should have been sent again and was not. */
export function missingResend(exchanges: readonly Exchange[]): Exchange | undefined {
  const inOrder = exchanges.toSorted((a, b) => a.seq - b.seq);
  const replacements = new Map(inOrder.map((one) => [one.tag.replaces, one]));
  const patience = new Patience();
  return inOrder.find((one) => {
    const next = isRetryable(one) ? replacements.get(one.seq) : undefined;
    const isMissing = next === undefined && isRetryable(one) && !patience.mayGiveUp(one);
    patience.note(one, next);
    return isMissing;
  });
}
