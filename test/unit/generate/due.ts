/** The ways in which each place of a schema can be wrong, read from the schema without the generator. */

import type { JsonSchema } from '../../../src/contract/schemas.ts';

const TYPES = ['null', 'string', 'integer', 'boolean', 'array', 'object'];

/** Kinds of texts that are no UUIDs. */
export const NO_UUID_KINDS: readonly string[] = [
  ...['word', 'text-blank', 'text-null', 'text-none', 'text-undefined'],
  ...['past-f', 'led', 'trailed', 'around-letters', 'around-parentheses', 'around-blanks', 'around-brackets'],
];

/** All of them, as `/to missing`. */
export function dueKinds(node: JsonSchema, pointer = '', required = false): string[] {
  const due = (kind: string) => `${pointer} ${kind}`;
  const own = [
    ...TYPES.filter((type) => !allowed(node).includes(type)),
    ...special(node),
    ...(required ? ['missing'] : []),
  ];
  return [...own.map(due), ...below(node, pointer)];
}

const allowed = (node: JsonSchema): readonly string[] => [node.type ?? TYPES].flat();

function special(node: JsonSchema): readonly string[] {
  if (node.format === 'uuid') return NO_UUID_KINDS;
  return allowed(node).includes('integer') ? ['fraction'] : [];
}

function below(node: JsonSchema, pointer: string): readonly string[] {
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) =>
    dueKinds(member, `${pointer}/${name.replace('~', '~0').replace('/', '~1')}`, node.required?.includes(name)),
  );
  const pairs = node.additionalProperties ? dueKinds(node.additionalProperties, `${pointer}/*`) : [];
  return [...members, ...pairs, ...(node.items ? dueKinds(node.items, `${pointer}/-`) : [])];
}
