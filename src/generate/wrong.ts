// old names, until the suites are moved
import type { JsonValue } from './json.ts';
import type { ByPointer } from './options.ts';
import type { ViolationOptions } from './violations.ts';

export type { WrongValues } from './violations.ts';

/** Old name of `ViolationOptions`. */
export interface BreachOptions extends ViolationOptions {
  readonly plain?: ByPointer<JsonValue>;
}

/** The options under their new names. */
export function renamedOptions<T extends BreachOptions>({ plain, ...rest }: T): Omit<T, 'plain'> {
  return { ...rest, ...(plain && { typical: plain }) };
}
