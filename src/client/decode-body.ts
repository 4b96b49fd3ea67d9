/** Reads a body and removes its content coding, never keeping more bytes than a limit (RFC 9110, section 8.4.1). */

import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { collectGarbage } from '../exchange/garbage.ts';
import type { Header } from '../exchange/message.ts';
import { Turns } from './clock.ts';

interface Bounded {
  readonly body: Uint8Array;
  readonly cut: boolean;
}

/** A longer body gets one buffer: its chunks and their concatenation would take twice the memory. */
const IN_CHUNKS = 262_144;

/** Collects a stream up to the limit, and destroys it there. Rejects as the stream does. */
async function collect(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Bounded> {
  const chunks: Uint8Array[] = [];
  let whole: Buffer | null = null;
  let length = 0;
  let cut = false;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, limit - length);
    if (whole === null && length + part.length > IN_CHUNKS) {
      // The system commits no memory to the part of the buffer that is never written.
      whole = Buffer.allocUnsafeSlow(limit);
      Buffer.concat(chunks.splice(0)).copy(whole);
    }
    if (whole === null) chunks.push(part);
    else whole.set(part, length);
    length += part.length;
    cut = part.length < chunk.length;
    // Leaving the loop early destroys the stream.
    if (cut) break;
  }
  return { body: whole?.subarray(0, length) ?? Buffer.concat(chunks), cut };
}

/** Bytes of a body that is read whatever the target has sent before. */
export const LONG = 65_536;
/** Three megabytes for each list of a run take less than half of this. */
const MOST_OF_LONG = 268_435_456;

/**
 * Reads the bodies of a run. Of a target that sends long ones without end only the beginnings are read: all would take
 * minutes of work.
 */
export class BodyReader {
  readonly #most: number;
  #left = MOST_OF_LONG;
  /** One after the other: the memory that a bomb takes is not multiplied by the lanes. */
  readonly #decoding = new Turns();

  /** `most`: bytes of a body that are read, and that are kept once its coding is removed. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The body without its coding, or `null` if the coding is broken. Rejects as the stream does. */
  async read(stream: AsyncIterable<Uint8Array>, headers: readonly Header[]): Promise<Bounded | null> {
    const most = this.#left > 0 ? this.#most : Math.min(LONG, this.#most);
    const coded = await collect(stream, most);
    const plain = await this.#decoding.exclusive(() => decode(coded, codingsOf(headers), most)).catch(() => null);
    if (plain !== null && plain.body.length > LONG) {
      this.#left -= plain.body.length;
      collectGarbage();
    }
    return plain;
  }
}

/** No honest body is coded more often than this. */
const MAX_CODINGS = 4;

/** The codings of an answer that can be removed, the outermost first; the list ends at the first unknown one. */
export function codingsOf(headers: readonly Header[]): readonly string[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  const unknown = named.findIndex((coding) => !/^(?:x-gzip|gzip|deflate|br)$/.test(coding));
  return named.length > MAX_CODINGS ? [] : named.slice(0, unknown === -1 ? undefined : unknown);
}

/** Removes one coding after the other; rejects if the bytes are not coded so and were not cut either. */
async function decode(coded: Bounded, codings: readonly string[], limit: number): Promise<Bounded> {
  let { body, cut } = coded;
  for (const coding of codings) {
    if (body.length === 0) break;
    const decoder = decoderOf(coding, body, cut);
    // `collect` sees the same error; without a listener it would end the process.
    decoder.on('error', () => undefined);
    decoder.end(body);
    const decoded = await collect(decoder, limit);
    body = decoded.body;
    cut ||= decoded.cut;
  }
  return { body, cut };
}

function decoderOf(coding: string, body: Uint8Array, cut: boolean) {
  // A cut body has no proper end; a flush gives what can be read of it.
  if (coding === 'br') return createBrotliDecompress(cut ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {});
  const options = cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  if (coding !== 'deflate') return createGunzip(options);
  // Some servers send bare DEFLATE instead of the zlib format, whose first byte ends in 8.
  return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
}
