/** The table of header fields: it names each that the suite reads, and what may hold a secret is masked in every record. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { keyedDigest } from '../../../src/exchange/facts.ts';
import { HEADER_FIELDS, isSecretField, READ_FIELDS } from '../../../src/exchange/header-fields.ts';
import { recordExchange } from '../../../src/exchange/recorder.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { TrafficRecorder } from '../../../src/traffic/record.ts';
import { READ } from '../rules/exchanges.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Names of fields that a file looks for in a response. */
function readIn(text: string): readonly string[] {
  const looks = [...text.matchAll(/\b(?:headerOf|headersOf|headerValues?|fieldOf)\((.*?), '([a-z-]+)'\)/g)];
  return looks.flatMap(([, where = '', name = '']) => (/request/i.test(where) ? [] : [name]));
}

const SOURCES = ['src', 'suites'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
);

test('names in lower case each field that is read in a response', () => {
  const read = SOURCES.flatMap(readIn);
  expect(new Set(read).size).toBeGreaterThan(10);
  expect(read.filter((name) => !READ_FIELDS.has(name))).toEqual([]);
  expect(readIn("headerOf(exchange, 'x-new'), headerValue(request.headers, 'x-own')")).toEqual(['x-new']);
  expect([...HEADER_FIELDS.keys()].filter((name) => name !== name.toLowerCase())).toEqual([]);
});

test.each([
  ['X-Gateway-Key', 'words alone', true],
  ['apikey', 'a', true],
  ['Cookie', 'a=b', true],
  ['X-Session-Token', 'a', true],
  ['X-Client', 'sk_live_51Hx9fK2xQ7Lm4Zt', true],
  ['X-Client', 'Key sk_live_51Hx9fK2xQ7Lm4Zt', true],
  ['X-Response-Format', 'application/json; charset=utf-8', false],
  ['X-Tenant', 'acme-2', false],
  ['X-Tenant', 'acme-2 12345678901234567', false],
  ['X-Tenant', 'a1-a1-a1-a1-a1-a1-a1', false],
  ['X-Keyboard', 'qwerty', false],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', false],
  ['Idempotency-Key', 'run-{uuid}', false],
  ['X-Session-Token', 'sk_live_51Hx-{uuid}', true],
])('%s: %s of the user is a secret: %s', (name, value, isSecret) =>
  expect(isSecretField([name, value])).toBe(isSecret),
);

describe('a field that may hold a secret', () => {
  const masked = [...HEADER_FIELDS].filter(([, field]) => field.masked !== undefined);

  test('is there, and none of those that are known to be secret is missing', () => {
    const known = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];
    expect(masked.map(([name]) => name).toSorted()).toEqual(known);
  });

  test.each(masked)('is masked in recorded traffic, whether the table keeps it or not: %s', (name, field) => {
    const headers = [
      [name.toUpperCase(), 'session=a-b-c'],
      ['X-Plain', 'seen'],
    ] as const;
    const [redactor, body] = [new Redactor(), new Uint8Array()];
    const live = {
      ...{ ...READ, path: '/v1/trunks/', credential: 'valid' as const },
      request: { method: 'GET', path: '/v1/trunks/', headers, body: null, timeout: 0 },
      outcome: { kind: 'answer' as const, status: 200, headers, body, cut: false },
    };
    const recorded = recordExchange(live, {
      redactor,
      digest: keyedDigest(new Uint8Array(32)),
      watch: new Map(),
      fullEvidence: false,
    });
    const { request, response } = new TrafficRecorder().kept(recorded);
    const due = [
      [name.toUpperCase(), field.masked],
      ['X-Plain', 'seen'],
    ];
    // Of a request the field Authorization is not recorded at all.
    expect([request.headers, response?.headers]).toEqual([name === 'authorization' ? due.slice(1) : due, due]);
  });
});
