/** The bytes of a body, as its recorder kept it: as text, in base64 that is marked or not, as a JSON value, cut, or not at all. */

import { isObject, jsonFault, parsedJson } from '../exchange/json-text.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import { jsonOf } from '../exchange/texts.ts';

/** A body: `null` for none, or why its bytes are unknown. */
export interface Body {
  readonly bytes: Uint8Array | null;
  readonly unknown?: string;
  /** It was kept as a JSON value, not as the text of one. */
  readonly isValue?: true;
  /** It is certainly JSON. */
  readonly isJson?: true;
}

/** What is kept of a body, and what is known of its size. */
export interface KeptBody {
  readonly kept: unknown;
  readonly isBase64: boolean;
  /** The recorder or the client says that some of it is missing. */
  readonly isCut: boolean;
  /** An empty text means that there was no body, not that the recorder did not read it. */
  readonly isNone: boolean;
  /** Its length by Content-Length, if no content coding changes it. */
  readonly announced?: number;
  /** Its length by the recorder. */
  readonly size: unknown;
  readonly isCoded: boolean;
}

/** A longer body is not read, as in a run. */
const LONGEST = 4 * 1024 * 1024;
const BASE64 = /^[\w+/\s-]+={0,2}\s*$/;
/** What a logger writes in place of a value that it prunes: `[Object]`, `[Truncated]`. */
const PRUNED = /"\[[A-Z][\w ]{2,20}\]"/i;
/** A page, which no recorder writes in place of a body. */
const PAGE = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i;
const unknownBody = (unknown: string): Body => ({ bytes: null, unknown });

/** The bytes of a text in base64, or `null`. */
function bytesOf(text: string): Uint8Array | null {
  if (!BASE64.test(text) || text.replace(/[\s=]/g, '').length % 4 === 1) return null;
  return Buffer.from(text, 'base64');
}

const isContainer = (value: unknown): boolean => Array.isArray(value) || isObject(value);

/** The length by Content-Length, unless a content coding changes it. */
export function announcedIn(headers: readonly Header[]): { readonly announced?: number; readonly isCoded: boolean } {
  const isCoded = (headerValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity';
  const length = headerValue(headers, 'content-length') ?? '';
  return isCoded || !/^\s*\d+\s*$/.test(length) ? { isCoded } : { isCoded, announced: Number(length) };
}

/** The body as far as it is known. */
export function bodyOf(body: KeptBody): Body {
  const { kept, isBase64, announced, isNone, isCut } = body;
  if (kept === undefined || kept === null || kept === '') {
    const isTold = announced === 0 || (isNone && announced === undefined && !isCut);
    return isTold ? { bytes: null } : unknownBody('not kept by the recorder');
  }
  if (typeof kept !== 'string') return { bytes: Buffer.from(JSON.stringify(kept)), isValue: true, isJson: true };
  if (kept.length > 2 * LONGEST) return unknownBody('longer than 4 MiB');
  const plain = Buffer.from(kept);
  const value = jsonOf(plain);
  if (value !== undefined) return ofJson(kept, plain, value, announced);
  const fits = announced === plain.length;
  const decoded = isBase64 || !fits ? bytesOf(kept) : null;
  if (decoded === null) {
    return isBase64 ? unknownBody('marked as base64, which it is not') : ofOther(kept, plain, body);
  }
  const text = Buffer.from(decoded).toString();
  const inside = jsonOf(decoded);
  if (inside !== undefined && (isBase64 || isContainer(inside))) return { bytes: decoded, isJson: true };
  return isBase64 ? ofOther(text, decoded, body) : ofOther(kept, plain, body);
}

/** JSON, unless the recorder changed it: a logger may write it as a string, or prune what lies deep in it. */
function ofJson(text: string, plain: Uint8Array, value: unknown, announced: number | undefined): Body {
  if (plain.length > LONGEST) return unknownBody('longer than 4 MiB');
  if (announced !== plain.length) {
    const isQuoted = typeof value === 'string' && isContainer(parsedJson(value));
    const inner = isQuoted ? Buffer.from(value) : plain;
    if (isQuoted && inner.length !== announced) return unknownBody('perhaps quoted once more by the recorder');
    if (PRUNED.test(text)) return unknownBody('pruned by the recorder');
    return { bytes: inner, isJson: true };
  }
  return { bytes: plain, isJson: true };
}

/** Text that is not JSON: the recorder may have made it so, unless it has the announced length or is a page. */
function ofOther(text: string, bytes: Uint8Array, { announced, size, isCoded, isCut, isBase64 }: KeptBody): Body {
  if (bytes.length > LONGEST) return unknownBody('longer than 4 MiB');
  const isPage = PAGE.test(text);
  if (isCut) return unknownBody('cut short by the recorder');
  if (isCoded && !isPage) return unknownBody('kept in its content coding');
  if (!isBase64 && text.includes('\ufffd')) return unknownBody('kept as text, which it is not');
  if (announced !== undefined && announced !== bytes.length) return unknownBody('cut short by the recorder');
  if (announced !== undefined || isPage) return { bytes };
  const isEnded = jsonFault(text) !== 'it ends before the JSON value is complete';
  return isEnded && size === bytes.length ? { bytes } : unknownBody('perhaps cut short by the recorder');
}
