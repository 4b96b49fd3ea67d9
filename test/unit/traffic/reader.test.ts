/** Files of any kind and in any state: what can be read is judged, and the rest is one sentence with its line. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type Piece, piecesOf } from '../../../src/traffic/reader.ts';
import { judgeTexts } from '../../proof/judged-traffic.ts';
import { BASE, line, TRUNK } from './recording.ts';

const entry = (path = '/v1/trunks/', more: object = {}) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 3,
  request: { method: 'GET', url: `${BASE}${path}`, headers: [{ name: 'Authorization', value: 'Bearer x' }] },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 2, mimeType: 'application/json', text: '[]' },
    bodySize: 2,
    ...more,
  },
});
const har = (entries: readonly object[], before: object = {}): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, ...before, entries } }, null, 2);

async function read(text: string, size?: number) {
  const { results } = await judgeTexts({ file: text }, {}, size);
  const { verdict, traffic, summary } = results;
  return { verdict, judged: traffic?.judged, problems: traffic?.problems, summary };
}

const HOSTILE = {
  request: { method: 'GET', url: `${BASE}/v1/trunks/`, headers: [1, { name: 2 }] },
  response: { status: 200, headers: 'x', content: 7 },
};

describe('a HAR', () => {
  const strange = har([entry(), entry(TRUNK), { ...entry(), comment: 'a "quote", a \\ and {[ in a text' }], {
    comment: 'entries": [{"request"',
    pages: [{ title: 'entries' }, { entries: [{}] }],
  });

  test.each([1, 7, 64, 100_000])('is read in chunks of %s characters', async (size) => {
    expect(await read(strange, size)).toMatchObject({ verdict: 'no breach', judged: 3, problems: [] });
  });

  test('whose last entry is cut off keeps what came before, and says where it ends', async () => {
    const text = har([entry(), entry(), entry()]);
    const cut = text.slice(0, text.lastIndexOf('"response"'));
    const lines = cut.split('\n').length;
    expect(await read(cut)).toMatchObject({
      verdict: 'incomplete',
      judged: 2,
      problems: [`file, line ${lines}: the file ends in the middle of its JSON`],
    });
  });

  test.each([
    ['an entry that is none', har([entry(), { request: 1 }, entry()]), 2, /line \d+: it is not an exchange/],
    [
      'an entry that is not JSON',
      har([entry(), entry()]).replace(': 3,', ': 03,'),
      1,
      /line \d+: an entry is not JSON: it is not a JSON value/,
    ],
    ['no entries', '{"log": {"version": "1.2"}}', 0, /has no log\.entries/],
    ['brackets that close nothing', '{"log": {"entries": []}}]', 0, /is not JSON/],
    ['hostile types', har([entry(), HOSTILE]), 2, undefined],
  ])('with %s', async (_, text, judged, problem) => {
    const came = await read(text);
    expect(came.judged).toBe(judged);
    if (problem === undefined) expect(came.problems).toEqual([]);
    else expect(came.problems).toEqual([expect.stringMatching(problem)]);
  });

  test('with a body in base64 is judged by its bytes', async () => {
    const text = Buffer.from([0x22, 0xff, 0x22]).toString('base64');
    const content = { encoding: 'base64', mimeType: 'application/json', size: 3, text };
    expect((await read(har([entry(), entry(TRUNK, { content })]))).summary).toContain('JSON-SYNTAX/getTrunk');
  });
});

describe('NDJSON', () => {
  test.each([1, 13, 100_000])(
    'is read in chunks of %s characters, around lines that are no exchanges',
    async (size) => {
      const text = `${line()}\n{"a": \r\nnull\n${line({ path: '/x' })}${line().trimEnd()}`;
      expect(await read(text, size)).toMatchObject({
        verdict: 'incomplete',
        judged: 2,
        problems: [
          'file, line 3: the line is not JSON: it ends before the JSON value is complete (and 1 more such places)',
        ],
      });
    },
  );

  test('that is empty belongs to nothing', async () => {
    expect(await read('')).toMatchObject({ verdict: 'incomplete', judged: 0, problems: [] });
  });

  test('keeps its schema', () => {
    const path = fileURLToPath(new URL('../../../schemas/traffic.schema.json', import.meta.url));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path, 'utf8')));
    expect(validate(JSON.parse(line({ time: 1 })))).toBe(true);
    const page = readFileSync(fileURLToPath(new URL('../../../docs/traffic.md', import.meta.url)), 'utf8');
    const [, example = ''] = /```json\n(.*)\n```/.exec(page) ?? [];
    expect(validate(JSON.parse(example))).toBe(true);
    expect(validate({ request: { method: 'GET' }, response: null })).toBe(false);
  });
});

test.each([
  ['a line', `${line()}${JSON.stringify({ x: 'x'.repeat(9_000) })}\n${line()}`, 2],
  ['an entry', har([entry(), { x: 'x'.repeat(9_000) }, entry()]), 37],
])('%s that is too long ends the reading, and is named', async (_, text, at) => {
  const pieces: Piece[] = [];
  const chunks = (async function* () {
    for (let start = 0; start < text.length; start += 500) yield text.slice(start, start + 500);
  })();
  for await (const piece of piecesOf(chunks, 2_000)) pieces.push(piece);
  expect(pieces.slice(1)).toEqual([{ line: at, entry: 'the exchange is too long: it and what follows were not read' }]);
});
