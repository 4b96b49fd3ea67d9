/** Removes the content coding of an answer, never keeping more bytes than a limit (RFC 9110, section 8.4.1). */

import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Header } from '../exchange/message.ts';

/** Bytes, and whether more were offered than the limit. */
export interface Bounded {
  readonly body: Uint8Array;
  readonly cut: boolean;
}

/** A longer body grows in one piece: its chunks and what is joined of them would take twice its room. */
const IN_CHUNKS = 262_144;

class Gathered {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #whole: Buffer | null = null;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes what the limit leaves room for, and says whether that was all. */
  take(chunk: Uint8Array): boolean {
    const part = chunk.subarray(0, this.#limit - this.#length);
    // Room that is never written to is never handed out by the system.
    if (this.#whole === null && this.#length + part.length > IN_CHUNKS) this.#join();
    if (this.#whole === null) this.#chunks.push(part);
    else this.#whole.set(part, this.#length);
    this.#length += part.length;
    return part.length === chunk.length;
  }

  #join(): void {
    const whole = Buffer.allocUnsafeSlow(this.#limit);
    let at = 0;
    for (const chunk of this.#chunks.splice(0)) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#whole = whole;
  }

  get body(): Uint8Array {
    return this.#whole?.subarray(0, this.#length) ?? Buffer.concat(this.#chunks);
  }
}

/** Collects a stream up to the limit; leaving the loop early destroys the stream. Rejects as the stream does. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Bounded> {
  const gathered = new Gathered(limit);
  for await (const chunk of chunks) if (!gathered.take(chunk)) return { body: gathered.body, cut: true };
  return { body: gathered.body, cut: false };
}

/** Nobody codes a body more often than this; a longer list is an attack. */
const MOST_CODINGS = 4;

/** The codings of an answer that can be removed, the outermost first; the list ends at the first unknown one. */
export function codingsOf(headers: readonly Header[]): readonly string[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  const unknown = named.findIndex((coding) => !/^(?:x-gzip|gzip|deflate|br)$/.test(coding));
  return named.length > MOST_CODINGS ? [] : named.slice(0, unknown === -1 ? undefined : unknown);
}

/** Removes one coding after the other; rejects where the bytes are not coded so and were not cut either. */
export async function decode(coded: Bounded, codings: readonly string[], limit: number): Promise<Bounded> {
  let bounded = coded;
  for (const coding of codings) {
    if (bounded.body.length === 0) return bounded;
    bounded = await removeOne(bounded, coding, limit);
  }
  return bounded;
}

async function removeOne(coded: Bounded, coding: string, limit: number): Promise<Bounded> {
  const decoder = decoderOf(coding, coded);
  // The loop of `collect` sees the same error; without a listener it would end the process.
  decoder.on('error', () => undefined);
  decoder.end(coded.body);
  const decoded = await collect(decoder, limit);
  return { body: decoded.body, cut: decoded.cut || coded.cut };
}

function decoderOf(coding: string, { body, cut }: Bounded) {
  // What was cut has no proper end: flushed, it gives what can be read of it.
  if (coding === 'br') return createBrotliDecompress(cut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
  const options = cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  if (coding !== 'deflate') return createGunzip(options);
  // Some servers send bare DEFLATE where the standard means zlib's envelope, whose first byte ends in 8.
  return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
}
