/**
 * Decides what each exchange of a recording leaves unknown, before any is judged: an absent field is evidence only if
 * the recorder keeps that field elsewhere. The judging code sees only what is unknown, never the habits of recorders.
 */

import { jsonOfBytes } from '../exchange/json-text.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import type { TrafficEntry, Unknown } from './entry.ts';
import type { Piece } from './reader.ts';

/** Fields of a response whose absence breaks a requirement. */
const TELLING = ['content-type', 'www-authenticate', 'allow'] as const;
/** Fields that no script or gateway would choose to log: a recorder that keeps any of them keeps every field. */
const UNCHOSEN = /^(?:connection|date|keep-alive|server|transfer-encoding|vary|via)$/i;
/** Before the first exchange is judged, up to 1,000 are examined, within a limit on the total size of their bodies. */
const [AHEAD, AHEAD_BYTES] = [1_000, 16 * 1024 * 1024];

const isEntry = (entry: Piece['entry']): entry is TrafficEntry => typeof entry === 'object' && entry !== null;

const hasField = (headers: readonly Header[], name: string): boolean => headerValue(headers, name) !== undefined;
const answerFields = (outcome: TrafficEntry['outcome']): readonly Header[] =>
  outcome?.kind === 'answer' ? outcome.headers : [];

/** What the recorder of a file evidently keeps. */
class Recording {
  readonly #kept = new Set<string>();

  note({ request, token, body, outcome }: TrafficEntry): void {
    if (token !== undefined) {
      this.#kept.add('authorization');
      if (hasField(request.headers, 'host')) this.#kept.add('host');
    }
    if (outcome === null) return;
    for (const [name] of answerFields(outcome))
      this.#kept.add(UNCHOSEN.test(name) ? 'every field' : name.toLowerCase());
    if (body.bytes !== null) this.#kept.add('body');
    if (body.isValue) this.#kept.add('value');
  }

  /** The exchange, with everything that is unknown of it. */
  settled(entry: TrafficEntry): TrafficEntry {
    if (entry.facts !== undefined || entry.outcome === null) return entry;
    const unknown: Unknown = { ...entry.unknown };
    for (const name of TELLING) if (!this.#shows(entry, name)) unknown[name] = 'not kept by the recorder';
    if (entry.token === undefined && !this.#keepsCredentials(entry))
      unknown.authorization ??= 'not kept by the recorder';
    const { bytes, unknown: reason } = entry.body;
    const keepsValues = this.#kept.has('value');
    const isLeftOut = bytes === null && entry.isSaid && (keepsValues || !this.#kept.has('body'));
    if (reason !== undefined || isLeftOut) unknown.body ??= reason ?? 'not kept by the recorder';
    else if (bytes !== null && keepsValues && jsonOfBytes(bytes) === undefined) unknown.body ??= 'kept as a value';
    return Object.keys(unknown).length === 0 ? entry : { ...entry, unknown };
  }

  /** Whether the field came, or is known to be absent. */
  #shows({ outcome }: TrafficEntry, name: string): boolean {
    const fields = answerFields(outcome);
    if (fields.length === 0 || hasField(fields, name)) return fields.length > 0;
    // A recorder that leaves out what looks secret leaves out credentials as well.
    const isHidden = name === 'www-authenticate' && !this.#kept.has('authorization');
    return this.#kept.has(name) || (this.#kept.has('every field') && !isHidden);
  }

  /** Without Host, a browser shows only the fields that its script set, and not the credential. */
  #keepsCredentials({ request: { headers } }: TrafficEntry): boolean {
    if (headers.length === 0 || !this.#kept.has('authorization')) return false;
    return !this.#kept.has('host') || hasField(headers, 'host');
  }
}

/** The pieces of a file, each with what is unknown of it. */
export async function* settledPieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const recording = new Recording();
  const last = ({ line, entry }: Piece): Piece => ({ line, entry: isEntry(entry) ? recording.settled(entry) : entry });
  const ahead: Piece[] = [];
  let [isAhead, bytes] = [true, 0];
  for await (const piece of pieces) {
    if (isEntry(piece.entry)) {
      recording.note(piece.entry);
      bytes += piece.entry.body.bytes?.length ?? 0;
    }
    if (!isAhead) yield last(piece);
    else if (ahead.push(piece) === AHEAD || bytes > AHEAD_BYTES) {
      isAhead = false;
      yield* ahead.splice(0).map(last);
    }
  }
  yield* ahead.map(last);
}
