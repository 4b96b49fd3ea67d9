/** Turns exchanges on the wire into the record: the only place where secrets and customers' values are removed. */

import { KEPT } from '../contract/limits.ts';
import type {
  Exchange,
  RecordedBody,
  RecordedFailure,
  RecordedHeader,
  RecordedLeak,
  RecordedRequest,
  RecordedResponse,
} from './exchange.ts';
import { bodyFacts, type Digest, type FactOptions } from './facts.ts';
import { HEADER_FIELDS, READ_FIELDS } from './header-fields.ts';
import type { Header, WireAnswer, WireFailure, WireOutcome, WireRequest } from './message.ts';
import { isOrdinary, type Redactor } from './redaction.ts';

/** One request and its outcome, as the client knows them. `path` is below the base URL. */
export interface LiveExchange
  extends Pick<Exchange, 'seq' | 'tag' | 'at' | 'took'>,
    Pick<RecordedRequest, 'path' | 'credential'> {
  readonly request: WireRequest;
  readonly outcome: WireOutcome;
}

/** What recording needs to know about the run. */
export interface RecorderContext {
  readonly redactor: Redactor;
  /** Digests under the run's random key. */
  readonly digest: Digest;
  /** Ids of resources and calls, each with its label. */
  readonly watch: ReadonlyMap<string, string>;
  /** `true`: success bodies are recorded whole, redacted (for `doctor`, which writes no record). */
  readonly fullEvidence: boolean;
  /** The facts of the bodies that were recorded before, where the secrets do not change meanwhile. */
  readonly known?: Map<string, RecordedBody>;
}

function recordedHeaders(headers: readonly Header[], redact: (text: string) => string): readonly RecordedHeader[] {
  return headers.map(([name, value]) => {
    // A value is searched even if it is not recorded: it may leak a secret.
    const clean = redact(value);
    // A secret such as `application/json-9fK2` shares words with judged values. The words stay: they reveal nothing.
    const isPublic = clean !== value && READ_FIELDS.has(name.toLowerCase()) && isOrdinary(value);
    const mark = HEADER_FIELDS.get(name.toLowerCase())?.masked;
    // A masked field keeps only its mark and the placeholders of the secrets that it leaked.
    if (mark !== undefined) return [redact(name), [...new Set([mark, ...(clean.match(/⟦[^⟦⟧]*⟧/g) ?? [])])].join('')];
    return [redact(name), isPublic ? value : clean];
  });
}

/** The facts of a body without a leak, made once for equal ones of a kind: of 734 errors of a run 41 differ. */
function sharedFacts(
  bytes: Uint8Array,
  kind: string,
  options: FactOptions,
  { known, watch }: RecorderContext,
  leaks: ReadonlyMap<string, RecordedLeak> = new Map(),
): RecordedBody {
  if (known === undefined || bytes.length > KEPT.rememberedText) return bodyFacts(bytes, options);
  const key = `${kind} ${watch.size} ${Buffer.from(bytes).toString('latin1')}`;
  const facts = known.get(key) ?? bodyFacts(bytes, options);
  if (leaks.size === 0 && known.size < KEPT.rememberedTexts) known.set(key, facts);
  return facts;
}

function recordedAnswer(answer: WireAnswer, context: RecorderContext): RecordedResponse {
  const leaks = new Map<string, RecordedLeak>();
  const watching =
    (where: RecordedLeak['where']) =>
    (text: string): string => {
      const clean = context.redactor.redact(text);
      for (const leak of clean.leaks) leaks.set(`${leak.secret} ${leak.encoding} ${where}`, { ...leak, where });
      return clean.text;
    };
  const headers = recordedHeaders(answer.headers, watching('header'));
  const success = answer.status < 300;
  const options: FactOptions = {
    keepText: !success || context.fullEvidence,
    keepWhole: context.fullEvidence,
    isError: answer.status >= 400,
    redact: watching('body'),
    digest: context.digest,
    watch: context.watch,
    cut: answer.cut,
  };
  const kind = `${options.keepText} ${options.isError} ${answer.cut}`;
  const body = answer.body.length === 0 ? null : sharedFacts(answer.body, kind, options, context, leaks);
  const cut = answer.headersCut === true ? { headersCut: true as const } : {};
  return { status: answer.status, headers, ...cut, body, leaks: [...leaks.values()] };
}

function recordedFailure(outcome: WireFailure, redact: (text: string) => string): RecordedFailure {
  const { failure: kind, status } = outcome;
  return { kind, detail: redact(outcome.detail), ...(status === undefined ? {} : { status }) };
}

/** The record of one request and its outcome: no credential, no secret and, by default, no value of a success body. */
export function recordExchange(live: LiveExchange, context: RecorderContext): Exchange {
  const { seq, tag, request, outcome, at, took } = live;
  const { digest, watch, redactor } = context;
  const { redactSent } = redactor;
  const redact = (text: string): string => redactor.redact(text).text;
  const options = { keepText: true, keepWhole: true, redact: redactSent, digest, watch };
  const sent = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization');
  return {
    seq,
    tag: { ...tag, about: redact(tag.about) },
    request: {
      method: request.method,
      path: redact(live.path),
      credential: live.credential,
      headers: recordedHeaders(sent, redactSent),
      body: request.body && sharedFacts(request.body, 'sent', options, context),
    },
    response: outcome.kind === 'answer' ? recordedAnswer(outcome, context) : null,
    failure: outcome.kind === 'answer' ? null : recordedFailure(outcome, redact),
    at,
    took,
  };
}
