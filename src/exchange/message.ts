/** Complete messages on the wire. Only the client and the recorder see them, never an expectation. */

/** One header field, name and value as on the wire. */
export type Header = readonly [name: string, value: string];

/** The value of the first field of that name (in lower case), if there is one. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([field]) => field.toLowerCase() === name)?.[1];
}

/** The values of all fields of that name (in lower case). */
export function headerValues(headers: readonly Header[], name: string): readonly string[] {
  return headers.flatMap(([field, value]) => (field.toLowerCase() === name ? [value] : []));
}

/**
 * Forms of a request with the same meaning in HTTP (RFC 9110, sections 5.1, 12.5.1 and 12.5.3), with the change of its
 * header fields in words.
 */
export const FORMS = {
  gzip: 'with Accept-Encoding: gzip',
  'no-accept': 'without Accept',
  'lower-case': 'with header field names in lower case',
} as const;

/** One of the forms. */
export type RequestForm = keyof typeof FORMS;

/** Every form. */
export const FORM_IDS = Object.keys(FORMS) as [RequestForm, ...RequestForm[]];

/** The forms in turn, from 0. */
export const nthForm = (at: number): RequestForm => FORM_IDS[at % FORM_IDS.length] ?? FORM_IDS[0];

/** A request as sent: `path` is the whole request target, base prefix included. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | null;
  /** Milliseconds within which the complete response must arrive. */
  readonly timeout: number;
  /** On a new connection, even if another could be reused. */
  readonly fresh?: true;
  /** The most connections that are open meanwhile, its own included. */
  readonly room?: number;
  /** The same object for each of the requests, so many, that leave at one moment. */
  readonly moment?: { readonly count: number };
}

/** A complete response without its content coding; `body` is empty if there is none. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: readonly Header[];
  /** There were more header fields than are kept. */
  readonly headersCut?: true;
  readonly body: Uint8Array;
  /** `true` if the body exceeded the limit and the rest was not read. */
  readonly cut: boolean;
}

/** The reasons why there is no complete response. */
export type FailureKind = 'refused' | 'unresolved' | 'tls' | 'reset' | 'timeout' | 'malformed' | 'short' | 'too-large';

/** A failure: no complete response. */
export interface WireFailure {
  readonly kind: 'failure';
  readonly failure: FailureKind;
  readonly detail: string;
  readonly status?: number;
}

/** The outcome of a request. */
export type WireOutcome = WireAnswer | WireFailure;

/** Sends one request and resolves with its outcome. It follows no redirect, repeats nothing and never rejects. */
export type Transport = (request: WireRequest) => Promise<WireOutcome>;
