/** Operations and credentials that requirements have in common. */

import { OPERATION_IDS, type OperationId, type ResourceKind, SHARED } from '../src/contract/operations.ts';
import type { TargetSettingName } from '../src/contract/settings.ts';
import type { CredentialForm } from '../src/exchange/exchange.ts';

export {
  ACTIONS,
  FREE_UPDATES as UPDATES,
  type FreeUpdateId as Update,
  LISTS,
  ON_CALLS,
  READS,
  SHARED,
  STATUS_NOT_SHOWN,
  WITH_BODY,
  WITH_ID,
  WRITES,
} from '../src/contract/operations.ts';

/** Operations that have a name of their own here. */
export const CREATE = 'createCall';
export const HANG_UP = 'hangUpCall';
export const ASSIGN = 'assignNumber';
export const TRUNK = 'updateTrunk';
export const APPLICATION = 'updateVoiceApplication';
export const INBOUND_AUTH = 'setInboundAuth';

/** All of them. */
export const EVERY_OPERATION: readonly OperationId[] = OPERATION_IDS;

/** Provider definitions and the inventory of numbers belong to no organization. */
export const OWNED: readonly OperationId[] = OPERATION_IDS.filter((id) => !SHARED.includes(id));

/** The resources for which the ids in a call stand. */
export const CALL_IDS = {
  application_id: 'voiceApplication',
  trunk_id: 'trunk',
} as const satisfies Readonly<Record<string, ResourceKind>>;

/** A member of a create call that holds an id. */
export type CallIdName = keyof typeof CALL_IDS;

/** The settings that give the other organization an id of its own for that member. */
export const OTHERS_ID = {
  application_id: 'PCS_OTHER_ORG_VOICE_APPLICATION_ID',
  trunk_id: 'PCS_OTHER_ORG_TRUNK_ID',
} as const satisfies Record<CallIdName, TargetSettingName>;

/** The form of the credential that belongs to the second organization. */
export const OTHERS_CREDENTIAL = 'other-organization' satisfies CredentialForm;

/** Forms of the credential that an authorized caller may present. */
export const RIGHTFUL: readonly CredentialForm[] = ['valid', 'lower-case-scheme', OTHERS_CREDENTIAL];

/** Forms of the credential that no wrong setting makes valid. */
export const NEVER_VALID = ['none', 'wrong-secret'] as const satisfies readonly CredentialForm[];

/** Whether a list of operations contains that of an exchange, which may be `null`. */
export const isOneOf = (operations: readonly (string | null)[], operation: string | null): boolean =>
  operations.includes(operation);
