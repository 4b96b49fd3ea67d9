/** The rule for extra header fields: one a line, `Name: value`, and none that the suite or HTTP itself sets. */

import type { Reading } from './kinds.ts';

/** A header field as given. */
type ExtraHeader = readonly [name: string, value: string];

/** Fields that the suite or HTTP itself sets. */
const TAKEN: ReadonlySet<string> = new Set([
  'authorization',
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-conformance-case',
]);

/** Fields with which gateways replace the method or the path of a request: the guards read what is sent. */
const OVERRIDE = /^x[-_](?:http[-_])?method|^x[-_](?:original|rewrite|override)[-_]ur[il]$/;

/** The header fields of a text, or what is wrong with it (a clause) and what to do (an imperative). */
export function readHeaders(text: string): Reading<readonly ExtraHeader[]> {
  const headers: ExtraHeader[] = [];
  for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\x20-\x7e\t]*?)\s*$/.exec(line) ?? [];
    if (name === '' || value === '') {
      return { wrong: 'is not a header field', remedy: 'write it as in "X-Gateway-Key: value", in ASCII' };
    }
    const plain = name.toLowerCase();
    if (TAKEN.has(plain) || OVERRIDE.test(plain)) {
      return { wrong: `names the field ${name}, which is reserved`, remedy: 'remove that field' };
    }
    headers.push([name, value]);
  }
  return headers.length > 0 ? { value: headers } : { wrong: 'is empty', remedy: 'give a header field or leave it out' };
}
