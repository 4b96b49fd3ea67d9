/** A request that a suite asks to send, the documented operation of its path, and its answer. */

import { type CaseOperation, OPERATIONS, type OperationId } from '../contract/operations.ts';
import { withoutQuery } from '../contract/path-text.ts';
import { remedyOf, type TargetSettingName } from '../contract/settings.ts';
import type { Skip } from '../contract/skipped.ts';
import type { CredentialForm, Exchange, ExchangeTag, RecordedRequest, ShownFields } from '../exchange/exchange.ts';
import type { Header, RequestForm } from '../exchange/message.ts';

/** One request to send. `path` is below the base URL and is sent exactly as it stands. */
export interface SuiteRequest
  extends Pick<RecordedRequest, 'method' | 'path' | 'credential'>,
    Pick<ExchangeTag, 'role' | 'asks' | 'control' | 'about' | 'partOf' | 'origin' | 'fresh'> {
  /** The operation whose cases the answer is evidence for; `null` for requests outside the documented operations. */
  readonly operation: OperationId | null;
  readonly body: Uint8Array | null;
  /** `null`: no Content-Type at all. */
  readonly contentType: string | null;
  readonly headers?: readonly Header[];
  /** The form of this request, whatever the form of its sequence. */
  readonly form?: RequestForm;
  /** The JSON text of the valid body from which this one differs in a single element. */
  readonly sibling?: string;
  /** Called with the answer as soon as it comes: of requests that are sent together, the others may get none. */
  readonly says?: (answer: Answer) => void;
  /** A symptom is not repeated by itself: the request is sent again after another request instead. */
  readonly once?: true;
}

const CREATE_PATHS: ReadonlySet<string> = new Set(['/v1/calls', '/v1/calls/']);

/** Whether a request could place a call: a create call on either slash form, under any credential. */
export const isCreate = ({ method, path }: SuiteRequest): boolean => method === 'POST' && CREATE_PATHS.has(path);

/** Whether a target may count the form as an invalid credential. */
export const isInvalid = (form: CredentialForm): boolean => form !== 'valid' && form !== 'other-organization';

/** Where in the plan a request belongs. */
export interface Place {
  readonly sequence: string;
  readonly attempt: number;
  /** The operation of the sequence, which is skipped once that operation hangs; absent if it runs in any case. */
  readonly operation?: CaseOperation;
  /** How often this request was sent alone before. */
  readonly resend?: number;
  /** What the previous sending showed: this one uses a new connection and, after a hang, a longer timeout. */
  readonly after?: 'symptom' | 'hang';
  /** The number of the exchange that it replaces. */
  readonly replaces?: number;
  /** How often a create call that was put off may be sent again. */
  readonly resends?: number;
  /** `true` for requests that restore the target: exempt from every cap, and sent even after the end of a run. */
  readonly cleanUp?: boolean;
  /** `true` for the hang-up of a call of this run; the ledger retries it. */
  readonly isOfLedger?: boolean;
  /** The calls of the sequence on a conformant target, and those of the sequences that have not begun. */
  readonly calls?: { readonly planned: number; readonly ahead: number };
  /** Of a write: the values before the run, for the journal. */
  readonly before?: ShownFields;
  /** The form of the probes of the sequence; their controls keep the usual one. */
  readonly form?: RequestForm;
}

/** A request with its place in the plan. */
export interface PlacedRequest {
  readonly request: SuiteRequest;
  readonly place: Place;
}

/** A settled answer. Suites see only the record of a response. */
export interface Answer {
  /**
   * `confirmed`: every sending showed a symptom. `crashed`: each took the target down. `flaky`: a symptom went away.
   * `put off`: the last answer still asked to retry later. `unsettled`: a symptom could not be repeated often enough.
   */
  readonly kind: 'answered' | 'confirmed' | 'crashed' | 'flaky' | 'put off' | 'unsettled';
  /** The last sending, and its status: `null` where there was no complete response. */
  readonly exchange: Exchange;
  readonly status: number | null;
  readonly accepted: boolean;
  /** All sendings, the last included. */
  readonly attempts: readonly Exchange[];
  /** Of a hang-up that was sent in other forms as well: the answer to its documented form. */
  readonly plain?: Answer;
}

/** Something was not sent, for this reason: the only way to leave questions unasked. */
export class Skipped extends Error {
  readonly skip: Skip;

  constructor(reason: string, skip: Partial<Omit<Skip, 'reason'>> = {}) {
    super(reason);
    this.name = 'Skipped';
    this.skip = { why: 'step', reason, ...skip };
  }
}

/** Why no more calls are placed, and what would help. */
export type Refusal = Pick<Skip, 'reason' | 'remedy'>;

/** Something is not sent because these settings are missing. */
export const unset = (reason: string, ...names: readonly [TargetSettingName, ...TargetSettingName[]]): Skipped =>
  new Skipped(reason, { why: 'setting', needs: names, remedy: remedyOf(...names) });

/** A lawful target need not offer the precondition of a check. */
export const noOccasion = (reason: string): Skipped => new Skipped(reason, { why: 'occasion' });

/** Why a guard blocks a request: the rule, and one sentence that quotes nothing of the request. */
export interface Blocked {
  readonly rule: string;
  readonly sentence: string;
  /** The id was made up, but an answer of the target names it as the id of a resource of its own. */
  readonly isClaimed?: true;
}

/** The safety kernel stopped a request that the suite must never send: a defect of the suite. */
export class GuardRefusal extends Error {
  constructor({ rule, sentence }: Blocked) {
    super(`the safety kernel stopped a request (${rule}): ${sentence}`);
  }
}

/** A documented operation found in a request; `ids` are path segments as sent. */
export interface FoundOperation {
  readonly operation: OperationId;
  /** `false` where the path has the other slash form. */
  readonly documented: boolean;
  readonly ids: readonly string[];
}

const SHAPES = OPERATIONS.map(({ id, method, path }) => {
  const segments = path.replace(/\{[^}]+\}/g, '([^/]+)').replace(/\/?$/, '/?');
  return { operation: id, method, hasSlash: path.endsWith('/'), shape: new RegExp(`^${segments}$`, 's') };
});

/** The operation with this method and path, in either slash form; `path` is below the base URL. */
export function foundOperation(method: string, path: string): FoundOperation | null {
  const bare = withoutQuery(path);
  for (const { operation, hasSlash, shape, ...of } of SHAPES) {
    const match = of.method === method ? shape.exec(bare) : null;
    if (match !== null) return { operation, documented: bare.endsWith('/') === hasSlash, ids: match.slice(1) };
  }
  return null;
}

/** The segment of the id in the path of a hang-up, as it is sent; empty for another path. */
export const hangUpSegment = (path: string): string => /\/calls\/([^/]+)\/hangup\/?$/.exec(path)?.[1] ?? '';

/** The id that a segment of a path stands for; a `%` that escapes nothing stands for itself. */
export function idOfSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
