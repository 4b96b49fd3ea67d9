/**
 * The operations with a defined shape (specification, section 4), as data: the one source of paths, and of every list
 * of operations.
 */

import type { BODY_SCHEMAS } from './schemas.ts';
import type { SETTING_OF } from './settings.ts';

/** The HTTP methods that the interface documents. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Resources that a path placeholder can name (section 4). */
export type ResourceKind = keyof typeof SETTING_OF;

/** Names of the request body schemas in `schemas/`. */
export type BodySchemaName = keyof typeof BODY_SCHEMAS;

/** One documented operation: where it lives, what it takes and what the specification says of its success. */
export interface Operation {
  readonly id: string;
  /** Short word for the command line, as in `--without answer,mute`. */
  readonly alias: string;
  readonly title: string;
  readonly method: Method;
  /** Path template below the base URL, with its trailing slash exactly as documented. */
  readonly path: string;
  /** What each placeholder of the path names, in the order of the path. */
  readonly resources: readonly ResourceKind[];
  readonly body: BodySchemaName | null;
  /** `true` where the specification says that a body is required (create call only). */
  readonly bodyRequired: boolean;
  /** The exact success status where the specification shows one; otherwise `null`: any 2xx. */
  readonly success: number | null;
  /** It shows and changes nothing that belongs to an organization. */
  readonly isShared: boolean;
}

/** The specification of each operation; one without a body or an exact success status has no such member. */
const DOCUMENTED = [
  {
    id: 'createCall',
    alias: 'create',
    title: 'Create an outbound call',
    method: 'POST',
    path: '/v1/calls/',
    resources: [],
    body: 'call-create',
    bodyRequired: true,
    success: 201,
    isShared: true,
  },
  {
    id: 'updateVoiceApplication',
    alias: 'voice-application',
    title: 'Update a voice application',
    method: 'PATCH',
    path: '/v1/voice-applications/{id}',
    resources: ['voiceApplication'],
    body: 'voice-application-update',
  },
  {
    id: 'setInboundAuth',
    alias: 'inbound-auth',
    title: 'Set inbound carrier authentication',
    method: 'PUT',
    path: '/v1/carrier-connections/{carrier_connection_id}/inbound-auth',
    resources: ['carrierConnection'],
    body: 'inbound-auth',
  },
  {
    id: 'updateTrunk',
    alias: 'update-trunk',
    title: 'Update a trunk',
    method: 'PATCH',
    path: '/v1/trunks/{trunk_id}',
    resources: ['trunk'],
    body: 'trunk-update',
  },
  {
    id: 'assignNumber',
    alias: 'assign',
    title: 'Assign a number to a carrier connection',
    method: 'PUT',
    path: '/v1/numbers/{number_id}/carrier-connection',
    resources: ['number'],
    body: 'number-assignment',
  },
  {
    id: 'getCarrierProvider',
    alias: 'provider',
    title: 'Get a carrier provider',
    method: 'GET',
    path: '/v1/carrier-providers/{carrier_provider_id}',
    resources: ['carrierProvider'],
    isShared: true,
  },
  {
    id: 'searchAvailableNumbers',
    alias: 'available',
    title: 'Search available managed numbers',
    method: 'GET',
    path: '/v1/numbers/available',
    resources: [],
    isShared: true,
  },
  {
    id: 'hangUpCall',
    alias: 'hangup',
    title: 'Hang up a call',
    method: 'POST',
    path: '/v1/calls/{id}/hangup',
    resources: ['call'],
  },
  {
    id: 'answerCall',
    alias: 'answer',
    title: 'Answer a call',
    method: 'POST',
    path: '/v1/calls/{id}/answer',
    resources: ['call'],
  },
  {
    id: 'muteParticipant',
    alias: 'mute',
    title: 'Mute a conference participant',
    method: 'POST',
    path: '/v1/conferences/{id}/participants/{participant_id}/mute',
    resources: ['conference', 'participant'],
  },
  {
    id: 'getTrunk',
    alias: 'trunk',
    title: 'Get a trunk',
    method: 'GET',
    path: '/v1/trunks/{trunk_id}',
    resources: ['trunk'],
  },
  {
    id: 'listNumbers',
    alias: 'list-numbers',
    title: 'List numbers',
    method: 'GET',
    path: '/v1/numbers/',
    resources: [],
    success: 200,
  },
  {
    id: 'listTrunks',
    alias: 'list-trunks',
    title: 'List trunks',
    method: 'GET',
    path: '/v1/trunks/',
    resources: [],
    success: 200,
  },
] as const satisfies readonly Partial<Operation>[];

type Documented = (typeof DOCUMENTED)[number];

/** Identifier of a documented operation. */
export type OperationId = Documented['id'];

/** An operation that changes a resource of the settings. */
export type UpdateId = Extract<Documented, { readonly method: 'PATCH' | 'PUT' }>['id'];

/** An update whose accepted values the interface does not show. */
export type FreeUpdateId = Exclude<UpdateId, Extract<Documented, { readonly body: 'number-assignment' }>['id']>;

/** The operations in the order of section 4 of the specification. */
export const OPERATIONS: readonly (Operation & { readonly id: OperationId })[] = DOCUMENTED.map((operation) => {
  return { body: null, bodyRequired: false, success: null, isShared: false, ...operation };
});

const OPERATION_BY_ID: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.map((operation) => [operation.id, operation]),
);

/** All operation ids in the order of the specification. */
export const OPERATION_IDS: readonly OperationId[] = OPERATIONS.map((operation) => operation.id);

const idsWhere = <Id extends OperationId>(test: (operation: Operation) => boolean): readonly Id[] =>
  OPERATIONS.filter(test).map(({ id }) => id as Id);

/** The GETs. */
export const READS: readonly OperationId[] = idsWhere(({ method }) => method === 'GET');

/** All others. */
export const WRITES: readonly OperationId[] = idsWhere(({ method }) => method !== 'GET');

/** Reads without an id in their path, which may show many resources. */
export const COLLECTIONS: readonly OperationId[] = idsWhere(
  ({ method, resources }) => method === 'GET' && resources.length === 0,
);

/** The lists that show the resources of an organization. */
export const LISTS: readonly OperationId[] = COLLECTIONS.filter((id) => !operationById(id).isShared);

/** They show and change nothing that belongs to an organization. */
export const SHARED: readonly OperationId[] = idsWhere(({ isShared }) => isShared);

/** Operations with a request body. */
export const WITH_BODY: readonly OperationId[] = idsWhere(({ body }) => body !== null);

/** Operations with an id in their path. */
export const WITH_ID: readonly OperationId[] = idsWhere(({ resources }) => resources.length > 0);

/** Operations whose success status is not shown. */
export const STATUS_NOT_SHOWN: readonly OperationId[] = idsWhere(({ success }) => success === null);

/** Hang up, answer, mute: they take no body. */
export const ACTIONS: readonly OperationId[] = idsWhere(({ method, body }) => method === 'POST' && body === null);

/** Actions on a call. */
export const ON_CALLS: readonly OperationId[] = idsWhere(({ resources }) => resources.includes('call'));

/** The operations that change a resource of the settings. */
export const UPDATES: readonly UpdateId[] = idsWhere(({ method }) => method === 'PATCH' || method === 'PUT');

/** Updates whose accepted values the interface does not show. */
export const FREE_UPDATES: readonly FreeUpdateId[] = UPDATES.filter(
  (id): id is FreeUpdateId => operationById(id).body !== 'number-assignment',
);

/** Whether an operation changes a resource of the settings. */
export const isUpdate = (id: string | null): id is UpdateId => UPDATES.some((update) => update === id);

/** Methods that change nothing (RFC 9110, section 9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The operation of that id; every `OperationId` has one. */
export function operationById(id: OperationId): Operation {
  const operation = OPERATION_BY_ID.get(id);
  if (operation === undefined) throw new RangeError(`no operation is called ${id}`);
  return operation;
}

/** The operation's path with each placeholder replaced, in order, by an id that is already percent-encoded. */
export function pathOf(operation: Operation, ids: readonly string[]): string {
  let next = 0;
  return operation.path.replace(/\{[^}]+\}/g, () => ids[next++] ?? '');
}

/** The same path in its other slash form, its query as it is: `/v1/calls/` for `/v1/calls`, and the other way round. */
export function otherSlashForm(path: string): string {
  const [route = ''] = path.split('?', 1);
  return (route.endsWith('/') ? route.slice(0, -1) : `${route}/`) + path.slice(route.length);
}

/** How binding a requirement is: a broken `must` makes a target non-conformant, a broken `should` is a warning. */
export type Level = 'must' | 'should';

/** What a case is about: a documented operation, or requests outside them (other methods, unknown routes). */
export type CaseOperation = OperationId | 'undocumented';

/** Which operations are asked and how: reading only, or everything. */
export type Profile = 'read-only' | 'full';
