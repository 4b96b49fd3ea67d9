/** Bundles that were made to be expensive: signed with the right key, and with correct digests. */

import type { Bundle } from '../../../src/certificate/bundle.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';

type Texts = Readonly<Record<string, string>>;

const lines = (exchanges: readonly Exchange[]): string => exchanges.map((one) => `${JSON.stringify(one)}\n`).join('');
const numbered = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.map((one, at) => ({ ...one, seq: at + 1 }));
const times = <Value>(count: number, value: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => value(at));

/** By what is too much of it: the files that differ, and the sentence in the rejection. */
export function oversized(files: Bundle['files']): Readonly<Record<string, readonly [texts: Texts, phrase: RegExp]>> {
  const text = files.get('exchanges.ndjson') ?? '';
  const all: readonly Exchange[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const error = all.find(({ response }) => response?.body?.text !== undefined) as Exchange;
  const listed = all.find(({ response }) => response?.body?.text === undefined && response?.body?.members) as Exchange;
  const record = JSON.parse(files.get('record.json') ?? '');
  const withText = (shown: string): string =>
    lines(
      all.map((one) =>
        one === error && one.response?.body
          ? { ...one, response: { ...one.response, body: { ...one.response.body, text: shown } } }
          : one,
      ),
    );
  const members = (count: number) =>
    times(
      count,
      (at) => ({ pointer: at === 0 ? '' : `/m${at}`, type: at === 0 ? 'object' : 'null', digest: '0' }) as const,
    );
  const having = (one: Exchange, count: number): Exchange => ({
    ...one,
    response: one.response?.body
      ? { ...one.response, body: { ...one.response.body, members: members(count) } }
      : one.response,
  });
  const resend = (at: number): Exchange => ({
    ...error,
    tag: { ...error.tag, resend: at },
    response: error.response && { ...error.response, status: 503 },
  });
  return {
    'characters in a line': [
      { 'exchanges.ndjson': withText('x'.repeat(2_000_000)) },
      /line \d+ of exchanges.ndjson has more than 1048576/,
    ],
    resends: [
      { 'exchanges.ndjson': lines(numbered([...all, ...times(5_001 - all.length, resend)])) },
      /more than 5000 exchanges/,
    ],
    'resends within the bound': [
      { 'exchanges.ndjson': lines(numbered([...all, ...times(5_000 - all.length, resend)])) },
      /\w/,
    ],
    exchanges: [{ 'exchanges.ndjson': lines(numbered(times(5_001, () => listed))) }, /more than 5000 exchanges/],
    'exchanges within the bound': [{ 'exchanges.ndjson': lines(numbered(times(5_000, () => listed))) }, /\w/],
    'empty lines': [{ 'exchanges.ndjson': '\n'.repeat(16_000_000) }, /line 1 of exchanges.ndjson is not JSON/],
    'members of one body': [{ 'exchanges.ndjson': lines([having(listed, 8_000)]) }, /does not match its schema/],
    'members in all': [
      { 'exchanges.ndjson': lines(numbered(times(900, () => having(listed, 200)))) },
      /more than 150000 members/,
    ],
    'members in all, within the bound': [
      { 'exchanges.ndjson': lines(numbered(times(740, () => having(listed, 200)))) },
      /\w/,
    ],
    'bytes of exchanges': [
      { 'exchanges.ndjson': 'x'.repeat(2 ** 24 + 1) },
      /has 16777217 bytes, and at most 16777216 are read/,
    ],
    'strings of results': [
      { 'results.json': `[${times(1_000_000, () => '""').join()}]` },
      /results.json does not follow.*characters/,
    ],
    'bytes of results': [
      { 'results.json': `[${times(8_000_000, () => '""').join()}]` },
      /has 24000001 bytes, and at most 4194304 are read/,
    ],
    'notes of the run': [
      {
        'record.json': `${JSON.stringify({ ...record, skipped: times(9_000, () => ({ sequence: 's', operation: 'getTrunk', asks: [], why: 'hang', reason: '' })) })}\n`,
      },
      /\w/,
    ],
    'sentences of the run': [
      { 'record.json': `${JSON.stringify({ ...record, changed: times(250_000, () => '') })}\n` },
      /\w/,
    ],
  };
}
