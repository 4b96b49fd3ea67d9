/** The catalogue: every requirement, in the order in which reports name them. */

import { ACCESS } from './access.ts';
import { ANSWERS } from './answers.ts';
import { BODIES } from './bodies.ts';
import type { Requirement } from './requirement.ts';
import { SHOULD } from './should.ts';
import { SUCCESS } from './success.ts';

export type { CaseOperation, Level, Requirement } from './requirement.ts';

const CATALOGUE = [...SUCCESS, ...ACCESS, ...BODIES, ...ANSWERS, ...SHOULD] as const;

/** Id of a requirement of the catalogue. */
export type RequirementId = (typeof CATALOGUE)[number]['id'];

/** Every requirement, in report order. */
export const REQUIREMENTS: readonly (Requirement & { readonly id: RequirementId })[] = CATALOGUE;

const BY_ID: ReadonlyMap<string, (typeof REQUIREMENTS)[number]> = new Map(REQUIREMENTS.map((row) => [row.id, row]));

/** The requirement of that id, or `undefined` where the catalogue has none. */
export function requirementById(id: string): (typeof REQUIREMENTS)[number] | undefined {
  return BY_ID.get(id);
}
