import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { integerEdges } from '../../../src/generate/edges.ts';
import { exoticGroups } from '../../../src/generate/exotic.ts';
import { BODY_LIMIT, type JsonObject, sizeOf } from '../../../src/generate/json.ts';
import type { SchemaNode } from '../../../src/generate/schema.ts';
import { oracle } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

const groupsOf = (name: 'call-create' | 'trunk-update', options = {}) => exoticGroups(BODY_SCHEMAS[name], options);

describe.each(SUBJECTS)('exotic values of $name', ({ schema, options, base }) => {
  const refusalsOf = oracle(schema);

  test('are valid, small, and come back from serialization', () => {
    for (const { value } of exoticGroups(schema, options)) {
      expect(refusalsOf(value)).toEqual([]);
      expect(sizeOf(value)).toBeLessThan(BODY_LIMIT);
      expect(JSON.stringify(JSON.parse(JSON.stringify(value)))).toBe(JSON.stringify(value));
    }
  });

  test('have integers at the edges that break nothing', () => {
    for (const { textOf, literal } of integerEdges(schema, options)) {
      const text = textOf(base);
      if (text === undefined) continue;
      expect(text).toContain(literal);
      expect(refusalsOf(JSON.parse(text))).toEqual([]);
    }
  });
});

describe('exotic create bodies', () => {
  const groups = groupsOf('call-create', CALL_OPTIONS);
  const body = (theme: string) => groups.find((group) => group.theme === theme)?.value as JsonObject;

  test('come in five groups that leave numbers and ids alone', () => {
    expect(groups.map(({ theme }) => theme)).toEqual(['empty', 'many', 'long', 'characters', 'null-character']);
    for (const { value } of groups) {
      expect(value).toMatchObject({ from: '+15550100', to: '+15550101' });
      expect(Object.keys(value as JsonObject).filter((name) => name.endsWith('_id'))).toEqual([]);
    }
  });

  test('carry several exotic values each', () => {
    expect(body('empty')).toMatchObject({ variables: {}, dtmf_mode: '', codecs: [], media_encryption: '' });
    expect(Object.keys(body('many')['variables'] ?? {})).toHaveLength(40);
    expect(body('many')['codecs']).toHaveLength(20);
    expect(body('many')['dtmf_mode']).toHaveLength(300);
    expect(body('long')['variables']).toEqual({ key: 'x'.repeat(5000) });
    expect(JSON.stringify(body('null-character'))).toContain('a\\u0000b');
  });

  test('keep names that every object inherits as members of their own', () => {
    const { variables } = JSON.parse(JSON.stringify(body('characters'))) as { variables: object };
    expect(Object.keys(variables)).toEqual(['', '__proto__', 'constructor', 'größe', '😀', 'a"b\\c']);
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
  });

  test('say what is exotic and where', () => {
    expect(groups[0]?.label).toBe('/variables: {}, /dtmf_mode: empty, /codecs: [], /media_encryption: empty');
    expect(groups[2]?.features).toEqual([{ pointer: '/variables', choice: '5,000 characters in a pair' }]);
  });

  test('travel in variables alone where the rest is kept out', () => {
    const few = groupsOf('call-create', { ...CALL_OPTIONS, exclude: ['/dtmf_mode', '/codecs', '/media_encryption'] });
    expect(few.map(({ features }) => features.map(({ pointer }) => pointer))).toEqual(few.map(() => ['/variables']));
    expect(few).toHaveLength(5);
  });
});

describe('exotic values', () => {
  test('show non-ASCII, astral characters and escapes in three strings', () => {
    const characters = groupsOf('trunk-update').find(({ theme }) => theme === 'characters');
    expect(characters?.features.map(({ choice }) => choice)).toEqual([
      'non-ASCII characters',
      'astral characters',
      'escapes',
    ]);
  });

  test('stay out as far as a body would otherwise grow too large', () => {
    const names = Array.from({ length: 40 }, (_, index) => `m${index}`);
    const schema: SchemaNode = {
      type: 'object',
      properties: Object.fromEntries(names.map((n) => [n, { type: 'string' }])),
    };
    const many = exoticGroups(schema).find(({ theme }) => theme === 'many');
    expect(many?.features).toHaveLength(26);
    expect(sizeOf(many?.value ?? null)).toBeLessThan(BODY_LIMIT);
  });

  test('say nothing of characters or length where a list or map holds no strings', () => {
    const integer: SchemaNode = { type: 'integer' };
    const properties = {
      list: { type: 'array', items: integer },
      map: { type: 'object', additionalProperties: integer },
    };
    const labels = exoticGroups({ type: 'object', properties }).map(({ theme, label }) => `${theme}: ${label}`);
    expect(labels).toEqual([
      'empty: /list: [], /map: {}',
      'many: /list: 20 items, /map: 40 pairs',
      'characters: /map: exotic names and values',
    ]);
  });

  test('fill a body with one long string at most', () => {
    expect(groupsOf('trunk-update').find(({ theme }) => theme === 'long')?.label).toBe('/name: 5,000 characters');
  });

  test('are none where nothing but an id can vary', () => {
    expect(exoticGroups(BODY_SCHEMAS['number-assignment'], { fixed: { '/carrier_connection_id': 'an id' } })).toEqual(
      [],
    );
  });
});

describe('integers at the edges', () => {
  test('keep their notation in the text', () => {
    const edges = integerEdges(BODY_SCHEMAS['voice-application-update']);
    expect(edges.map(({ textOf }) => textOf({ name: 'a' }))).toEqual(
      ['0', '-1', '2147483648', '1e308', '1.0'].map((literal) => `{"name":"a","ring_timeout_seconds":${literal}}`),
    );
    expect(edges.at(-1)?.label).toBe('/ring_timeout_seconds is 1.0');
  });

  test('leave fixed and excluded places alone', () => {
    const schema = BODY_SCHEMAS['voice-application-update'];
    expect(integerEdges(schema, { exclude: ['/ring_timeout_seconds'] })).toEqual([]);
    expect(integerEdges(schema, { fixed: { '/ring_timeout_seconds': 20 } })).toEqual([]);
  });
});
