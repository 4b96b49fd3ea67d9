// old names, until the suites are moved
import type { JsonSchema } from '../contract/schemas.ts';
import { isObject, type JsonValue } from './json.ts';
import { type NamedViolation, type ViolationOptions, violations } from './violations.ts';
import { type BreachOptions, renamedOptions } from './wrong.ts';

/** Old name of `NamedViolation`. */
export interface NamedBreach extends Omit<NamedViolation, 'tolerated'> {
  readonly leniency?: 'null';
}

/** Old name of `Violation`. */
export interface Breach extends NamedBreach {
  readonly apply: (valid: JsonValue) => JsonValue | undefined;
}

/** The violation under its old name. */
export function renamedViolation({ tolerated, ...named }: NamedViolation): NamedBreach {
  return { ...named, ...(tolerated && { leniency: tolerated }) };
}

/** Old name of `violations`. */
export function breaches(schema: JsonSchema, options: BreachOptions = {}): readonly Breach[] {
  const renamed: ViolationOptions = renamedOptions(options);
  return violations(schema, renamed).map(({ apply, ...named }) => ({
    ...renamedViolation(named),
    apply: (valid) => (isObject(valid) ? apply(valid) : undefined),
  }));
}
