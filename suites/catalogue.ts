/** Every requirement, by family. */

import type { Requirement } from '../src/run/requirement.ts';
import { ACCEPTED_BODIES } from './accepted-bodies.ts';
import { ACCEPTED_CHANGES } from './accepted-changes.ts';
import { ALIASES } from './aliases.ts';
import { ANSWERS } from './answers.ts';
import { AUTH_ASSIGNMENT_UNCHANGED } from './assignments.ts';
import { AUTHENTICATION } from './authentication.ts';
import { ORG_CALL } from './calls-of-others.ts';
import { CREATE_CALL } from './create-call.ts';
import { IDS } from './ids.ts';
import { OPEN_CALLS } from './open-calls.ts';
import { ORG_ISOLATION } from './organizations.ts';
import { REJECTED_CHANGES } from './rejected-changes.ts';
import { REPORT_ORDER, type RequirementId } from './report-order.ts';
import { UPDATE_BODIES } from './updates.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const CATALOGUE = [
  ...VALID_REQUESTS,
  ...AUTHENTICATION,
  ...ALIASES,
  ...REJECTED_CHANGES,
  ...OPEN_CALLS,
  AUTH_ASSIGNMENT_UNCHANGED,
  ORG_ISOLATION,
  ORG_CALL,
  ...CREATE_CALL,
  ...UPDATE_BODIES,
  ...ACCEPTED_BODIES,
  ...ANSWERS,
  ...IDS,
  ...ACCEPTED_CHANGES,
] as const;

/** A requirement that has a place in the order, and whose `explainedBy` names only existing requirements. */
type Ordered = Requirement & { readonly id: RequirementId; readonly explainedBy?: readonly RequirementId[] };

const REQUIREMENT_BY_ID: ReadonlyMap<RequirementId, Requirement> = new Map(
  (CATALOGUE satisfies readonly Ordered[]).map((requirement) => [requirement.id, requirement]),
);

/** Every requirement, in report order. */
export const REQUIREMENTS: readonly Requirement[] = REPORT_ORDER.map((id: (typeof CATALOGUE)[number]['id']) => {
  const requirement = REQUIREMENT_BY_ID.get(id);
  if (requirement === undefined) throw new Error(`no family holds ${id}`);
  return requirement;
});

/** The requirement with that id, or `undefined`. */
export function requirementById(id: string): Requirement | undefined {
  return REQUIREMENTS.find((requirement) => requirement.id === id);
}
