/** The JSON Schemas in `schemas/`, compiled when the package is built (`scripts/compile-schemas.mjs`). */

import { createRequire } from 'node:module';

/** A violation: where, the keyword of the schema with its parameters, and what it demands. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
}

const load = createRequire(import.meta.url);

/** The violations of a value: the first one, or all where the module lists them all. */
export function schemaErrors(
  module: 'envelope' | 'journal' | 'files',
  schema: string,
  value: unknown,
): readonly SchemaError[] {
  // Loaded on first use: most commands check no file.
  const validate: Validator = load(`#validators/${module}.cjs`)[schema];
  return validate(value) ? [] : (validate.errors ?? []);
}

/** The value at a JSON Pointer (RFC 6901), or `undefined`. */
export function valueAt(json: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((holder, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
      ? Reflect.get(holder, name)
      : undefined;
  }, json);
}
