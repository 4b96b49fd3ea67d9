import { describe, expect, test } from 'vitest';
import { DRAWN } from '../../../src/contract/limits.ts';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { bytesAt, EDGE_INTEGERS, EDGE_MAPS, type Edge, edgesOf, pointersOf } from '../../../src/generate/edges.ts';
import { nested, sizeOf, textWith } from '../../../src/generate/json.ts';
import { oracle, serialized } from './oracle.ts';
import { CALL_OPTIONS } from './subjects.ts';

const TRUNK = edgesOf(BODY_SCHEMAS['trunk-update']);

/** Edges, and what several of them are made of. */
const withParts = (edges: readonly Edge[]): readonly Edge[] => edges.flatMap((edge) => [edge, ...edge.parts]);

function named(edges: readonly Edge[], label: string): Edge {
  const edge = withParts(edges).find((one) => one.label === label);
  if (edge === undefined) throw new Error(`there is no edge ${label}`);
  return edge;
}

const textOf = (edge: Edge, pointers = pointersOf(edge)): string =>
  Buffer.from(bytesAt(edge, { name: 'a' }, pointers)).toString('latin1');

describe('edges of a body', () => {
  test.each([
    ['empty strings', '{"name":"","direction":"","status":""}'],
    ['strings with an unpaired surrogate', '{"name":"a\\ud800b","direction":"a\\ud800b","status":"a\\ud800b"}'],
    ['strings that are not UTF-8', '{"name":"a\xffb","direction":"a\xffb","status":"a\xffb"}'],
    ['members that are []', '{"name":[],"direction":[],"status":[]}'],
  ])('%s are sent as they are written', (label, bytes) => {
    expect(textOf(named(TRUNK, label))).toBe(bytes);
  });

  test('stand together where a target may accept them all, and say which they are', () => {
    const all = named(TRUNK, 'strings of unusual characters');
    const [name = ''] = Object.values<string>(JSON.parse(textOf(all)));
    const alone = all.parts.slice(0, -1).map((part) => Object.values<string>(JSON.parse(textOf(part)))[0] ?? '');
    expect(alone.filter((text) => !name.includes(text))).toEqual([]);
    const texts = all.parts.filter(({ texts }) => '/name' in texts);
    expect(all.values['/name']).toEqual(texts.map(({ label }) => label));
    expect(all.parts.flatMap(({ values }) => Object.values(values)[0] ?? [])).toEqual(
      all.parts.map(({ label }) => label),
    );
    expect(JSON.parse(textOf(all, ['/pcs_conformance_note']))).toEqual({
      name: 'a',
      pcs_conformance_note: JSON.parse(nested(400)),
    });
    expect(named(TRUNK, 'long strings, turn 2').values['/name']).toEqual(['strings of 300 three-byte letters']);
    expect(named(TRUNK, 'members that are []').values).toEqual({});
  });

  test('are long and of other letters at the same time, so that a cut by bytes splits a letter', () => {
    const all = Buffer.from(
      JSON.parse(bytesAt(named(TRUNK, 'strings of unusual characters'), {}, ['/name']).toString()).name,
    );
    const isSplit = (at: number): boolean => all.subarray(0, at).toString().endsWith('\uFFFD');
    expect([25, 32, 64, 128].filter((at) => !isSplit(at))).toEqual([]);
  });

  test('keep what the caller fixes and what stands before a string', () => {
    const url = { '/voice_url': 'https://a.invalid/' };
    const options = { fixed: { '/caller_id': '+1' }, before: { '/callback_url': 'own ' }, beforeText: url };
    for (const edge of edgesOf(BODY_SCHEMAS['voice-application-update'], options, true)) {
      const text = textOf(edge);
      expect(text).not.toContain('caller_id');
      expect(text.includes('"callback_url":"')).toBe(text.includes('"callback_url":"own '));
      const [, written = ''] = /"voice_url":"([^"]*)/.exec(text) ?? [];
      expect(written === '' || /^https:\/\/a\.invalid\//i.test(written)).toBe(true);
    }
  });
});

describe('edges of a map', () => {
  const rejectionsOf = oracle(BODY_SCHEMAS['call-create']);

  test.each(Object.entries(EDGE_MAPS))('are valid, small, and come back from serialization: %s', (_, variables) => {
    const { '/from': from, '/to': to } = CALL_OPTIONS.fixed;
    const call = { from, to, variables };
    expect(rejectionsOf(call)).toEqual([]);
    expect(sizeOf(call)).toBeLessThan(DRAWN.body);
    expect(JSON.stringify(serialized(call))).toBe(JSON.stringify(call));
  });
});

describe('integers at the limits', () => {
  const rejectionsOf = oracle(BODY_SCHEMAS['voice-application-update']);

  test.each(EDGE_INTEGERS)('%s is valid and keeps its notation in the text', (literal) => {
    const text = textWith({ name: 'a', ring_timeout_seconds: 30 }, { ring_timeout_seconds: literal });
    expect(text).toBe(`{"name":"a","ring_timeout_seconds":${literal}}`);
    expect(rejectionsOf(JSON.parse(text))).toEqual([]);
  });
});
