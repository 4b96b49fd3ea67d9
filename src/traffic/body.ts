/** The bytes of a body as its recorder kept it: text, base64 (marked or not), a JSON value, truncated, or nothing. */

import { BUNDLE, READ } from '../contract/limits.ts';
import { EARLY_END, isDeeperThan, isObject, jsonFault, jsonOfBytes, parsedJson } from '../exchange/json-text.ts';
import { type Header, headerValue } from '../exchange/message.ts';

/** Unchecked members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** A body: `null` for none, or why its bytes are unknown. */
export interface Body {
  readonly bytes: Uint8Array | null;
  readonly unknown?: string;
  /** It was kept as a JSON value, not as JSON text. */
  readonly isValue?: true;
}

const BASE64 = /^[\w+/\s-]+={0,2}\s*$/;
/** What a logger writes in place of a value that it prunes: `[Object]`, `[Truncated]`. */
const PRUNED = /"\[[A-Z][\w ]{2,20}\]"/i;
/** A page: no recorder writes one in place of a body. */
const PAGE = /^\s*<(?:!doctype|html|head|body|\?xml)\b/i;
/** Members that say that a part of the body is missing. */
const CUT = /trunc|(?:^|_)cut|partial|incomplete|discarded|omitted/i;

const unknownBody = (unknown: string): Body => ({ bytes: null, unknown });
const isContainer = (value: unknown): boolean => Array.isArray(value) || isObject(value);
const isEmpty = (value: unknown): boolean => (isContainer(value) ? Object.keys(Object(value)).length === 0 : !value);

/** Whether a matching member is set to anything but an empty list or object. */
export const isMemberSet = (members: Members, name: RegExp): boolean =>
  Object.keys(members).some((key) => name.test(key) && !isEmpty(members[key]));

/** The body of a message, as far as known; `content` is the part of a HAR that holds it. */
export function bodyIn(
  message: Members,
  content: Members | undefined,
  headers: readonly Header[],
  isAborted = false,
): Body {
  const { body, bodyBase64, status } = message;
  const kept = content?.['text'] ?? bodyBase64 ?? body;
  const isBase64 = content === undefined ? bodyBase64 !== undefined : /^base64$/i.test(String(content['encoding']));
  const isCut = (): boolean => isAborted || isMemberSet(message, CUT) || isMemberSet(content ?? {}, CUT);
  const isCoded = (headerValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase() !== 'identity';
  const length = headerValue(headers, 'content-length') ?? '';
  const announced = isCoded || !/^\s*\d+\s*$/.test(length) ? undefined : Number(length);
  if (kept === undefined || kept === null || kept === '') {
    // An empty text of a HAR may mean that the recorder did not read the body.
    const isNone = (content === undefined && kept !== undefined) || status === 204;
    const isTold = announced === 0 || (isNone && announced === undefined && !isCut());
    return isTold ? { bytes: null } : unknownBody('not kept by the recorder');
  }
  if (typeof kept !== 'string') return ofValue(kept, announced);
  if (kept.length > READ.body) return unknownBody('longer than 4 MiB');
  const plain = Buffer.from(kept);
  const value = jsonOfBytes(plain);
  // Polly.js keeps a packed body as a JSON list of its pieces, each in base64 or in hex.
  if (Array.isArray(value) && (isBase64 || content?.['_isBinary'] === true)) return unknownBody('kept in pieces');
  if (value !== undefined) return ofJson(kept, plain, value, announced);
  const isWritten = BASE64.test(kept) && (isBase64 || announced !== plain.length);
  const decoded = isWritten ? Buffer.from(kept, 'base64') : null;
  const inside = decoded === null ? undefined : jsonOfBytes(decoded);
  if (decoded !== null && inside !== undefined && (isBase64 || isContainer(inside))) return { bytes: decoded };
  if (isBase64 && decoded === null) return unknownBody('marked as base64, which it is not');
  // Text that is not JSON: the recorder may have made it so, unless it has the announced length or is a page.
  const bytes = isBase64 && decoded !== null ? decoded : plain;
  const text = isBase64 ? Buffer.from(bytes).toString() : kept;
  const isPage = PAGE.test(text);
  if (isCoded && !isPage) return unknownBody('kept in its content coding');
  if (!isBase64 && text.includes('\ufffd')) return unknownBody('kept as text, which it is not');
  if ((announced ?? bytes.length) !== bytes.length || isCut()) return unknownBody('cut short by the recorder');
  if (announced !== undefined || isPage) return { bytes };
  const isEnded = jsonFault(text) !== EARLY_END;
  // A recorder that cuts or replaces a text does not write the rest in base64.
  const isWhole = content?.['size'] === bytes.length || (isBase64 && /^\s*[[{]/.test(text) && !text.includes('\ufffd'));
  return isEnded && isWhole ? { bytes } : unknownBody('perhaps cut short by the recorder');
}

/** A JSON value of a log. Node writes a buffer as `{"type":"Buffer","data":[123,34]}`. */
function ofValue(value: unknown, announced: number | undefined): Body {
  const { type, data } = Object(value);
  if (type === 'Buffer' && Array.isArray(data)) return { bytes: Buffer.from(data) };
  // A value of 100,000 levels can be parsed but not serialized.
  if (isDeeperThan(BUNDLE.levels, value)) return unknownBody('nested too deeply');
  const text = JSON.stringify(value);
  return { ...ofJson(text, Buffer.from(text), value, announced), isValue: true };
}

/** Whether a logger pruned what lies deep in a body, or wrote `{"truncated":true}` in its place. */
const isPruned = (text: string, value: unknown): boolean =>
  PRUNED.test(text) || (isObject(value) && isMemberSet(value, CUT));

/** JSON, unless the recorder changed it: a logger may write it as a string, prune it, or put a word in its place. */
function ofJson(text: string, bytes: Uint8Array, value: unknown, announced: number | undefined): Body {
  if (announced === bytes.length) return { bytes };
  if (typeof value === 'string' && isContainer(parsedJson(value))) {
    const inner = Buffer.from(value);
    return inner.length === announced ? { bytes: inner } : unknownBody('perhaps quoted once more by the recorder');
  }
  const isWord = typeof value === 'string' && announced !== undefined;
  return isWord || isPruned(text, value) ? unknownBody('pruned by the recorder') : { bytes };
}
