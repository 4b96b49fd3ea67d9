// old names, until the suites are moved
import { malformations as all, type Malformation as Renamed } from './malformations.ts';

export type { MalformationKind } from './malformations.ts';

/** Old form of `Malformation`. */
export interface Malformation extends Omit<Renamed, 'syntax'> {
  readonly syntax: 'invalid' | 'leniency';
}

/** Old form of `malformations`. */
export function malformations(text: string, protect: readonly string[]): readonly Malformation[] {
  return all(text, protect).map((one) => ({ ...one, syntax: one.syntax === 'tolerated' ? 'leniency' : 'invalid' }));
}
