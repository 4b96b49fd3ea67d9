import { describe, expect, test } from 'vitest';
import { breaches } from '../../../src/generate/breach.ts';
import { coveringSet } from '../../../src/generate/covering.ts';
import { edit } from '../../../src/generate/edit.ts';
import { invalidArbitrary } from '../../../src/generate/invalid.ts';
import { isFreeName } from '../../../src/generate/options.ts';
import { lastName, memberPointer } from '../../../src/generate/pointer.ts';
import { SchemaError, type SchemaNode } from '../../../src/generate/schema.ts';
import { seededWords } from '../../../src/generate/seeded.ts';
import { shapeOf } from '../../../src/generate/shape.ts';
import { validArbitrary } from '../../../src/generate/valid.ts';

const named = (x: object): SchemaNode => ({
  $id: 'https://example.invalid/schemas/call-create.schema.json',
  type: 'object',
  properties: { x },
});

describe('what a schema may say', () => {
  test.each([
    [{ oneOf: [] }, 'schema call-create uses the keyword "oneOf" at /properties/x, which the generator does not know'],
    [{ type: 'string', minLength: 1 }, 'the keyword "minLength" at /properties/x'],
    [{ type: 'string', format: 'email' }, 'the format "email" at /properties/x'],
    [{ type: 'text' }, 'the type "text" at /properties/x'],
    [{ type: ['string', 'integer'] }, 'the types "string, integer" at /properties/x'],
    [{ type: 'null' }, 'the types "null" at /properties/x'],
    [{ type: 'array', items: { enum: [] } }, 'the keyword "enum" at /properties/x/items'],
    [
      { type: 'object', additionalProperties: { $ref: '#' } },
      'the keyword "$ref" at /properties/x/additionalProperties',
    ],
    [{ type: 'object', required: ['y'] }, 'schema call-create requires "y" at /properties/x without declaring it'],
  ])('%j is refused', (x, message) => {
    expect(() => shapeOf(named(x))).toThrow(SchemaError);
    expect(() => shapeOf(named(x))).toThrow(message);
  });

  test('an unknown keyword at the top is refused by every generator', () => {
    const schema = { title: 'odd', type: 'object', anyOf: [] };
    const message = 'schema odd uses the keyword "anyOf" at its top, which the generator does not know';
    for (const generate of [coveringSet, breaches, validArbitrary, invalidArbitrary]) {
      expect(() => generate(schema)).toThrow(message);
    }
  });
});

describe('places', () => {
  test('names are escaped in a pointer and read back', () => {
    expect(memberPointer('/a', 'b/~c')).toBe('/a/b~1~0c');
    expect(lastName('/a/b~1~0c')).toBe('b/~c');
  });

  test('a pair of a map takes no name of a fixed member, in any letter case', () => {
    const options = { fixed: { '/to': '+1' } };
    expect(['to', 'To', 'TO', 'too'].map((name) => isFreeName(name, options))).toEqual([false, false, false, true]);
  });

  test('a place that would need members of its own is not made', () => {
    const inner: SchemaNode = { type: 'object', required: ['a', 'b'], properties: { a: {}, b: { type: 'string' } } };
    const shape = shapeOf(named(inner));
    const steps = ['x', 'b'].map((name) => ({ to: 'member', name }) as const);
    expect(edit({}, shape, steps, { to: 'put', value: 1 })).toBeUndefined();
    const inherited = shapeOf({ type: 'object', properties: { constructor: inner } });
    const below = ['constructor', 'b'].map((name) => ({ to: 'member', name }) as const);
    expect(edit({}, inherited, below, { to: 'put', value: 1 })).toBeUndefined();
    expect(edit({ x: { a: 1, b: '' } }, shape, steps, { to: 'put', value: 1 })).toEqual({ x: { a: 1, b: 1 } });
  });
});

describe('seeded words', () => {
  test('are the same for the same seed, different from each other and from those of another seed', () => {
    const words = seededWords(5, 200);
    expect(seededWords(5, 200)).toEqual(words);
    expect(new Set(words).size).toBe(200);
    expect(words.every((word) => /^[a-z]{6,10}$/.test(word))).toBe(true);
    expect(seededWords(6, 200)).not.toEqual(words);
  });
});
