/** Operations and credentials that requirements have in common. */

import { OPERATION_IDS, OPERATIONS, type OperationId, type ResourceKind } from '../src/contract/operations.ts';
import type { CredentialForm } from '../src/exchange/exchange.ts';

const idsWhere = (test: (operation: (typeof OPERATIONS)[number]) => boolean): readonly OperationId[] =>
  OPERATIONS.filter(test).map(({ id }) => id);

/** All thirteen. */
export const EVERY_OPERATION: readonly OperationId[] = OPERATION_IDS;

/** The five GETs. */
export const READS = idsWhere(({ method }) => method === 'GET');

/** The eight others. */
export const WRITES = idsWhere(({ method }) => method !== 'GET');

/** Operations with a request body. */
export const WITH_BODY = idsWhere(({ body }) => body !== null);

/** Operations with an id in their path. */
export const WITH_ID = idsWhere(({ resources }) => resources.length > 0);

/** Operations whose success status is not shown. */
export const STATUS_NOT_SHOWN = idsWhere(({ success }) => success === null);

/** The two lists, which show the resources of an organization. */
export const LISTS = ['listNumbers', 'listTrunks'] as const satisfies readonly OperationId[];

/** They show and change nothing that belongs to an organization. */
export const SHARED = [
  'createCall',
  'getCarrierProvider',
  'searchAvailableNumbers',
] as const satisfies readonly OperationId[];

/** What the ids that a call can name stand for. */
export const CALL_IDS = {
  application_id: 'voiceApplication',
  trunk_id: 'trunk',
} as const satisfies Readonly<Record<string, ResourceKind>>;

/** Actions on a call. */
export const ON_CALLS = ['hangUpCall', 'answerCall'] as const satisfies readonly OperationId[];

/** Hang up, answer, mute: they take no body. */
export const ACTIONS = [...ON_CALLS, 'muteParticipant'] as const satisfies readonly OperationId[];

/** Updates whose accepted values the interface does not show. */
export const UPDATES = [
  'updateVoiceApplication',
  'setInboundAuth',
  'updateTrunk',
] as const satisfies readonly OperationId[];

/** One of the three updates. */
export type Update = (typeof UPDATES)[number];

/** Forms of the credential that an authorized caller may present. */
export const RIGHTFUL: readonly CredentialForm[] = ['valid', 'lower-case-scheme', 'other-organization'];

/** Whether a list of operations holds the operation of an exchange, which may be `null`. */
export const isOneOf = (operations: readonly string[], operation: string | null): boolean =>
  operation !== null && operations.includes(operation);
