/**
 * Decides what each exchange of a recording leaves unknown, before any is judged: an absent field shows something only if
 * the recorder keeps that field elsewhere. What judges sees only what is unknown, and no habits of recorders.
 */

import type { Entry, Unknown } from './entry.ts';
import type { Piece } from './reader.ts';

/** Fields of a response whose absence breaks something. */
const TELLING = ['content-type', 'www-authenticate', 'allow'] as const;
/** Fields that no script or gateway would choose to log: a recorder that keeps one of them keeps every field. */
const UNCHOSEN = /^(?:connection|date|keep-alive|server|transfer-encoding|vary|via)$/;
/** Exchanges that are looked at before the first is judged, and the bytes of their bodies at most. */
const AHEAD = 1_000;
const AHEAD_BYTES = 16 * 1024 * 1024;

/** What the recorder of a file is seen to keep. */
class Recording {
  readonly #kept = new Set<string>();

  note({ fields, sent, token, body, outcome }: Entry): void {
    if (token !== undefined) {
      this.#kept.add('authorization');
      if (sent.has('host')) this.#kept.add('host');
    }
    if (outcome === null) return;
    for (const name of fields) this.#kept.add(UNCHOSEN.test(name) ? 'every field' : name);
    if (body.bytes !== null) this.#kept.add('body');
    if (body.isValue) this.#kept.add('value');
  }

  /** The exchange, with everything that is unknown of it. */
  settled(entry: Entry): Entry {
    if (entry.own !== undefined) return entry;
    const unknown: Unknown = { ...entry.unknown };
    for (const name of TELLING)
      if (!entry.fields.has(name) && !this.#keepsField(entry, name)) unknown[name] = 'not kept by the recorder';
    if (entry.token === undefined && !this.#keepsCredentials(entry))
      unknown.authorization ??= 'not kept by the recorder';
    const { bytes, isJson, unknown: reason } = entry.body;
    if (reason !== undefined) unknown.body ??= reason;
    else if (
      bytes === null &&
      entry.isSaid &&
      entry.outcome !== null &&
      (!this.#kept.has('body') || this.#kept.has('value'))
    )
      unknown.body ??= 'not kept by the recorder';
    else if (bytes !== null && !isJson && this.#kept.has('value')) unknown.body ??= 'kept as a value';
    return { ...entry, unknown };
  }

  #keepsField({ fields }: Entry, name: string): boolean {
    if (fields.size === 0) return false;
    // A recorder that leaves out what looks secret leaves out credentials as well.
    const isHidden = name === 'www-authenticate' && !this.#kept.has('authorization');
    return this.#kept.has(name) || (this.#kept.has('every field') && !isHidden);
  }

  /** Without Host, a browser shows only the fields that its script set, and not the credential. */
  #keepsCredentials({ sent }: Entry): boolean {
    return sent.size > 0 && this.#kept.has('authorization') && (!this.#kept.has('host') || sent.has('host'));
  }
}

/** The pieces of a file, each with what is unknown of it. */
export async function* settled(batches: AsyncIterable<Iterable<Piece>>): AsyncGenerator<Iterable<Piece>> {
  const recording = new Recording();
  const last = ({ line, entry }: Piece): Piece =>
    typeof entry === 'string' || entry === null ? { line, entry } : { line, entry: recording.settled(entry) };
  let ahead: Piece[] | null = [];
  let bytes = 0;
  function* noted(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) {
      if (piece.entry !== null && typeof piece.entry !== 'string') {
        recording.note(piece.entry);
        bytes += piece.entry.body.bytes?.length ?? 0;
      }
      if (ahead === null) yield last(piece);
      else if (ahead.push(piece) >= AHEAD || bytes > AHEAD_BYTES) {
        yield* ahead.map(last);
        ahead = null;
      }
    }
  }
  for await (const batch of batches) yield noted(batch);
  yield (ahead ?? []).map(last);
}
