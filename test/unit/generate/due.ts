/** The ways in which each place of a schema can be wrong, listed straight from the schema, apart from the generator. */

import type { SchemaNode } from '../../../src/generate/schema.ts';

const TYPES = ['null', 'string', 'integer', 'boolean', 'array', 'object'];

/** All of them, as `/to missing`. */
export function dueKinds(node: SchemaNode, pointer = '', required = false): string[] {
  const due = (kind: string) => `${pointer} ${kind}`;
  const own = [
    ...TYPES.filter((type) => !allowed(node).includes(type)),
    ...special(node),
    ...(required ? ['missing'] : []),
  ];
  return [...own.map(due), ...below(node, pointer)];
}

function allowed(node: SchemaNode): readonly string[] {
  const type =
    node.const === undefined ? (node.type ?? TYPES) : typeof node.const === 'number' ? 'integer' : typeof node.const;
  return [type].flat().map((name) => (name === 'number' ? 'integer' : name));
}

function special(node: SchemaNode): readonly string[] {
  if (node.const !== undefined) return ['other-constant'];
  if (node.format === 'uuid') return ['word', 'past-f'];
  return node.type === 'integer' ? ['fraction'] : [];
}

function below(node: SchemaNode, pointer: string): readonly string[] {
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
    dueKinds(member, `${pointer}/${name.replace('~', '~0').replace('/', '~1')}`, node.required?.includes(name)),
  );
  const more = node.additionalProperties;
  if (more === false) return [...members, `${pointer}/* undeclared`];
  const pairs = typeof more === 'object' ? dueKinds(more, `${pointer}/*`) : [];
  return [...members, ...pairs, ...(node.items ? dueKinds(node.items, `${pointer}/-`) : [])];
}
