/** The part of JSON Schema (2020-12) that the generator reads; anything else is refused, never passed over. */

/** One schema; compatible with what `schemas/` holds. */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly format?: string;
  readonly writeOnly?: boolean;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'title',
  'description',
  'type',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'format',
  'writeOnly',
] satisfies readonly (keyof SchemaNode)[]);

/** A schema says something that the generator cannot honour. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** What a schema is called: the last part of its `$id` without the file's ending, otherwise its title. */
export function schemaName(schema: SchemaNode): string {
  const file = schema.$id?.split('/').at(-1);
  return file?.replace(/(\.schema)?\.json$/, '') ?? schema.title ?? 'without a name';
}

/** Refuses a schema node that uses a keyword which is not listed here. */
export function refuseUnknownKeywords(node: SchemaNode, schema: string, pointer: string): void {
  for (const keyword of Object.keys(node)) {
    if (!KEYWORDS.has(keyword)) throw unknownTo(schema, `the keyword "${keyword}"`, pointer);
  }
}

/** The error for something in a schema that the generator does not know; `what` is a noun phrase. */
export function unknownTo(schema: string, what: string, pointer: string): SchemaError {
  return new SchemaError(
    `schema ${schema} uses ${what} at ${pointer === '' ? 'its top' : pointer}, which the generator does not know`,
  );
}
