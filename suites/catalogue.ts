/** Every requirement, in the order in which reports name them. */

import type { Requirement } from '../src/run/requirement.ts';
import { ACCEPTED_CHANGES } from './accepted-changes.ts';
import { ANSWERS, METHOD_ALLOW, METHOD_SAFE } from './answers.ts';
import { AUTHENTICATION, AUTHENTICATION_ADVICE } from './authentication.ts';
import { CREATE_CALL } from './create-call.ts';
import { IDS_ADVICE } from './ids.ts';
import { ORGANIZATIONS } from './organizations.ts';
import { RECORDS_ADVICE } from './records.ts';
import {
  AUTH_APPLICATION_UNCHANGED,
  AUTH_NO_EFFECT,
  ORG_NO_EFFECT,
  UPDATE_REJECTED_NO_EFFECT,
} from './rejected-changes.ts';
import { DEVIATIONS_ADVICE, NUMBER_ASSIGN_INVALID, NUMBER_ASSIGN_LETTER_CASE, UPDATES_ADVICE } from './updates.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const CATALOGUE = [
  ...VALID_REQUESTS,
  ...AUTHENTICATION,
  AUTH_NO_EFFECT,
  AUTH_APPLICATION_UNCHANGED,
  ...ORGANIZATIONS,
  ORG_NO_EFFECT,
  ...CREATE_CALL,
  NUMBER_ASSIGN_INVALID,
  NUMBER_ASSIGN_LETTER_CASE,
  ...ANSWERS,
  ...AUTHENTICATION_ADVICE,
  METHOD_ALLOW,
  METHOD_SAFE,
  ...IDS_ADVICE,
  ...UPDATES_ADVICE,
  ...ACCEPTED_CHANGES,
  UPDATE_REJECTED_NO_EFFECT,
  ...RECORDS_ADVICE,
  ...DEVIATIONS_ADVICE,
] as const;

/** Id of a requirement. */
export type RequirementId = (typeof CATALOGUE)[number]['id'];

/** A requirement that names only others that exist as its explanation. */
type Explained = Requirement & { readonly explainedBy?: readonly RequirementId[] };

/** Every requirement, in report order. */
export const REQUIREMENTS: readonly Requirement[] = CATALOGUE satisfies readonly Explained[];

/** The requirement with that id, or `undefined`. */
export function requirementById(id: string): Requirement | undefined {
  return REQUIREMENTS.find((one) => one.id === id);
}
