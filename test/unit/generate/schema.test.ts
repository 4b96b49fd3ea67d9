import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import { isFreeName } from '../../../src/generate/options.ts';
import { membersOf } from '../../../src/generate/schema.ts';

const KEYWORDS: readonly string[] = [
  ...['$schema', '$id', 'title', 'description', 'writeOnly'],
  ...['type', 'required', 'properties', 'additionalProperties', 'items', 'format'],
];

/** What a member, an item or a value of a map uses that the generator would ignore. */
function ignored(node: JsonSchema, at: string, isInner = false): readonly string[] {
  const keywords = Object.keys(node).filter((keyword) => !KEYWORDS.includes(keyword));
  const [type, ...more] = [node.type ?? []].flat().filter((one) => one !== 'null');
  const { items, additionalProperties: values, format } = node;
  const inner = isInner ? undefined : type === 'array' ? items : type === 'object' ? values : undefined;
  const isMap = type === 'object' && node.properties === undefined && node.required === undefined;
  const isKnown =
    inner === undefined ? type === 'string' || type === 'boolean' || type === 'integer' : type === 'array' || isMap;
  const isFormatKnown = format === undefined || (type === 'string' && format === 'uuid');
  return [
    ...keywords.map((keyword) => `the keyword ${keyword} at ${at}`),
    ...(isKnown && more.length === 0 ? [] : [`the type ${JSON.stringify(node.type)} at ${at}`]),
    ...(isFormatKnown ? [] : [`the format ${format} at ${at}`]),
    ...(inner === undefined ? [] : ignored(inner, `${at}/${type === 'array' ? 'items' : 'values'}`, true)),
  ];
}

/** The same of a whole body. */
function ignoredIn({ properties = {}, required = [], ...body }: JsonSchema): readonly string[] {
  const keywords = Object.keys(body).filter((keyword) => !KEYWORDS.includes(keyword));
  return [
    ...keywords.map((keyword) => `the keyword ${keyword}`),
    ...(body.type === 'object' && body.additionalProperties === undefined ? [] : ['a body without named members']),
    ...required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `${name}, which is not declared`),
    ...Object.entries(properties).flatMap(([name, node]) => ignored(node, name)),
  ];
}

describe('what a schema may contain', () => {
  test.each(Object.entries(BODY_SCHEMAS))('%s holds nothing that the generator ignores', (_, schema) => {
    expect(ignoredIn(schema)).toEqual([]);
  });
});

describe('places', () => {
  test('names are escaped in a pointer', () => {
    const schema: JsonSchema = { type: 'object', properties: { 'b/~c': { type: 'string' } } };
    expect(membersOf(schema).map(({ name, pointer }) => [name, pointer])).toEqual([['b/~c', '/b~1~0c']]);
  });

  test('a pair of a map never has the name of a fixed member, in any letter case', () => {
    const options = { fixed: { '/to': '+1' } };
    expect(['to', 'To', 'TO', 'too'].map((name) => isFreeName(name, options))).toEqual([false, false, false, true]);
  });
});
