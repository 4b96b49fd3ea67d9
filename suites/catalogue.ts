/** Every requirement, by family. */

import type { Requirement } from '../src/run/requirement.ts';
import {
  BODY_CHUNKED,
  CALL_CREATE_MINIMAL,
  CONTENT_TYPE_CHARSET,
  NUMBER_ASSIGN_LETTER_CASE,
  UPDATE_FIELD_ALONE,
} from './accepted-bodies.ts';
import { ACCEPTED_CHANGES } from './accepted-changes.ts';
import { AUTH_ALIAS, AUTH_HEAD } from './aliases.ts';
import { ANSWERS, METHOD_ALLOW, NAMED_FAILURES, OTHER_LABEL_ERROR } from './answers.ts';
import { AUTH_ASSIGNMENT_UNCHANGED } from './assignments.ts';
import { AUTH_SCHEME_CASE, AUTHENTICATION, AUTHENTICATION_ADVICE } from './authentication.ts';
import { ORG_CALL } from './calls-of-others.ts';
import { CREATE_CALL } from './create-call.ts';
import { IDS_ADVICE } from './ids.ts';
import { AUTH_CALL_UNCHANGED, METHOD_SAFE } from './open-calls.ts';
import { ORG_ISOLATION } from './organizations.ts';
import { RECORDS_ADVICE } from './records.ts';
import {
  AUTH_APPLICATION_UNCHANGED,
  AUTH_NO_EFFECT,
  ORG_NO_EFFECT,
  UPDATE_REJECTED_NO_EFFECT,
} from './rejected-changes.ts';
import { REPORT_ORDER, type RequirementId } from './report-order.ts';
import { DEVIATIONS_ADVICE, NUMBER_ASSIGN_INVALID, UPDATES_ADVICE } from './updates.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const CATALOGUE = [
  ...VALID_REQUESTS,
  ...AUTHENTICATION,
  AUTH_ALIAS,
  AUTH_HEAD,
  AUTH_NO_EFFECT,
  AUTH_APPLICATION_UNCHANGED,
  AUTH_CALL_UNCHANGED,
  AUTH_ASSIGNMENT_UNCHANGED,
  ORG_ISOLATION,
  ORG_CALL,
  ORG_NO_EFFECT,
  CALL_CREATE_MINIMAL,
  ...CREATE_CALL,
  ...NAMED_FAILURES,
  NUMBER_ASSIGN_INVALID,
  NUMBER_ASSIGN_LETTER_CASE,
  ...ANSWERS,
  ...AUTHENTICATION_ADVICE,
  AUTH_SCHEME_CASE,
  METHOD_ALLOW,
  METHOD_SAFE,
  OTHER_LABEL_ERROR,
  ...IDS_ADVICE,
  ...UPDATES_ADVICE,
  UPDATE_FIELD_ALONE,
  BODY_CHUNKED,
  ...ACCEPTED_CHANGES,
  UPDATE_REJECTED_NO_EFFECT,
  ...RECORDS_ADVICE,
  CONTENT_TYPE_CHARSET,
  ...DEVIATIONS_ADVICE,
] as const;

/** A requirement that names only others that exist as its explanation, and has a place in the order. */
type Ordered = Requirement & { readonly id: RequirementId; readonly explainedBy?: readonly RequirementId[] };

const BY_ID: ReadonlyMap<RequirementId, Requirement> = new Map(
  (CATALOGUE satisfies readonly Ordered[]).map((requirement) => [requirement.id, requirement]),
);

/** Every requirement, in report order. */
export const REQUIREMENTS: readonly Requirement[] = REPORT_ORDER.map((id: (typeof CATALOGUE)[number]['id']) => {
  const requirement = BY_ID.get(id);
  if (requirement === undefined) throw new Error(`no family holds ${id}`);
  return requirement;
});

/** The requirement with that id, or `undefined`. */
export function requirementById(id: string): Requirement | undefined {
  return REQUIREMENTS.find((requirement) => requirement.id === id);
}
