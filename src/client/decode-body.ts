/** Reads a body and removes its content coding, never keeping more bytes than a limit (RFC 9110, section 8.4.1). */

import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { READ } from '../contract/limits.ts';
import type { Header } from '../exchange/message.ts';

interface Bounded {
  readonly body: Uint8Array;
  readonly cut: boolean;
}

/** Collects a stream up to the limit, and destroys it there. Rejects as the stream does. */
async function collect(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Bounded> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, limit - length);
    chunks.push(part);
    length += part.length;
    // Leaving the loop early destroys the stream.
    if (part.length < chunk.length) return { body: Buffer.concat(chunks), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

/**
 * The first `most` bytes of a body, before and after its coding is removed; `null` if the coding is broken. Rejects as the
 * stream does.
 */
export async function readBody(
  stream: AsyncIterable<Uint8Array>,
  headers: readonly Header[],
  most: number,
): Promise<Bounded | null> {
  return await decode(await collect(stream, most), codingsOf(headers), most).catch(() => null);
}

/** The codings of an answer that can be removed, the outermost first; the list ends at the first unknown one. */
export function codingsOf(headers: readonly Header[]): readonly string[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  const unknown = named.findIndex((coding) => !/^(?:x-gzip|gzip|deflate|br)$/.test(coding));
  return named.length > READ.codings ? [] : named.slice(0, unknown === -1 ? undefined : unknown);
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
