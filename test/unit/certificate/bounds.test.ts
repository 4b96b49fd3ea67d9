/** Bundles that were made to be expensive, signed with the right key, are rejected by a count before they are. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyBundle } from '../../../src/certificate/verify.ts';
import { openBundle } from '../../../src/cli/bundle-folder.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { narrowBundle, newKeys, VERSION, verified } from './certified.ts';
import { rejectionOf, signedAgain } from './tampering.ts';

const keys = newKeys();
const { files } = await narrowBundle(keys.own);

const times = <Value>(count: number, value: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => value(at));
const exchanges = (all: readonly Exchange[]) => {
  return { 'exchanges.ndjson': all.map((one, at) => `${JSON.stringify({ ...one, seq: at + 1 })}\n`).join('') };
};
const all: readonly Exchange[] = JSON.parse(`[${files.get('exchanges.ndjson')?.trimEnd().replaceAll('\n', ',')}]`);
const listed = all.find(({ response }) => response?.body?.text === undefined && response?.body?.members) as Exchange;
const withBody = (one: Exchange, changes: object): Exchange =>
  one.response?.body ? { ...one, response: { ...one.response, body: { ...one.response.body, ...changes } } } : one;
const having = (count: number): Exchange => {
  const members = times(count, (at) => ({ pointer: at === 0 ? '' : `/m${at}`, type: 'null', digest: '0' }));
  return withBody(listed, { members: members.with(0, { pointer: '', type: 'object', digest: '0' }) });
};
const results = (count: number) => ({ 'results.json': `[${times(count, () => '""').join()}]` });

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['characters in a line', exchanges([withBody(listed, { text: 'x'.repeat(2_000_000) })]), /more than 1048576/],
  ['exchanges', exchanges(times(5_001, () => listed)), /more than 5000 exchanges/],
  ['empty lines', { 'exchanges.ndjson': '\n'.repeat(16_000_000) }, /line 1 of exchanges.ndjson is not JSON/],
  ['members of one body', exchanges([having(8_000)]), /does not match its schema/],
  ['members in all', exchanges(times(900, () => having(200))), /more than 150000 members/],
  ['bytes of exchanges', { 'exchanges.ndjson': 'x'.repeat(2 ** 24 + 1) }, /bytes, and at most 16777216 are read/],
  ['strings of results', results(1_000_000), /results.json does not follow.*characters/],
  ['bytes of results', results(8_000_000), /has 24000001 bytes, and at most 4194304 are read/],
])('too many %s', async (_, texts, phrase) => {
  expect(await rejectionOf(signedAgain(files, texts, keys.own), keys.known)).toMatch(phrase);
});

test('the bundle itself is verified, and signed again, too', async () => {
  await verified(signedAgain(files, {}, keys.own), keys.known);
});

test('of a folder, no more entries are listed than a hundred', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-entries-')), 'bundle');
  mkdirSync(folder);
  for (let at = 0; at < 200; at += 1) writeFileSync(join(folder, `file-${at}`), '');
  const entries = openBundle(folder);
  expect(entries.size).toBeLessThan(2);
  await expect(verifyBundle(entries, { signer: keys.known }, VERSION)).rejects.toThrow('more than 100 entries');
});
