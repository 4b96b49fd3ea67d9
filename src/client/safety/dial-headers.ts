/** Header fields that would make a server read other bytes, another method or another path than the guard reads. */

import type { Header } from '../../exchange/message.ts';
import type { Refusal } from './refusal.ts';

/** Fields with which gateways and frameworks replace the method or the path of a request. */
const OVERRIDES: ReadonlySet<string> = new Set([
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-override-url',
]);

/** Media types whose readers either read JSON or find no member in a JSON text. */
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'text/json',
  'text/plain',
  'text/html',
  'text/xml',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

const JSON_TYPE = /^(?:application|text)\/(?:json|[a-z0-9.-]+\+json)$/;

function valuesOf(headers: readonly Header[], name: string): readonly string[] {
  return headers.filter((header) => plainName(header) === name).map(([, value]) => value);
}

/** Servers that pass fields on as variables take an underscore for a hyphen. */
function plainName([name]: Header): string {
  return name.trim().toLowerCase().replaceAll('_', '-');
}

/** Why these header fields must not travel with any request, or `null`. */
export function judgeOverrides(headers: readonly Header[]): Refusal | null {
  if (!headers.some((header) => OVERRIDES.has(plainName(header)))) return null;
  return { rule: 'override-header', sentence: 'No header field replaces the method or the path of a request.' };
}

/** Why these header fields must not travel with a create-call request of that body, or `null`. */
export function judgeBodyHeaders(headers: readonly Header[], body: Uint8Array): Refusal | null {
  for (const name of ['content-encoding', 'transfer-encoding']) {
    if (valuesOf(headers, name).length > 0) return refuse('the body travels without a coding');
  }
  const lengths = valuesOf(headers, 'content-length');
  if (lengths.some((length) => length !== String(body.length)))
    return refuse('Content-Length is the length of the body');
  const types = valuesOf(headers, 'content-type');
  if (types.length > 1) return refuse('there is one Content-Type at most');
  return judgeType(types[0] ?? '', body);
}

function judgeType(type: string, body: Uint8Array): Refusal | null {
  const media = (type.split(';')[0] ?? '').trim().toLowerCase();
  const json = JSON_TYPE.test(media);
  if (media !== '' && !json && !MEDIA_TYPES.has(media)) return refuse('the media type is one whose readers are known');
  const named = type.toLowerCase().split('charset').length - 1;
  const utf8 = type.match(/;\s*charset=(?:utf-?8|"utf-?8")\s*(?=;|$)/gi)?.length ?? 0;
  if (named !== utf8) return refuse('the body is declared as UTF-8 or not at all');
  if (!json && body.includes(0x3d)) return refuse('a body not declared as JSON holds no equals sign');
  return null;
}

function refuse(rule: string): Refusal {
  return { rule: 'create-headers', sentence: `On create call, ${rule}.` };
}
