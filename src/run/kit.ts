/** How suites make requests: ids, paths and bodies of one run, the same for the same seed. */

import { createHash } from 'node:crypto';
import type { Stimulus } from '../client/stimulus.ts';
import { type Operation, type OperationId, operationById, pathOf, type ResourceKind } from '../contract/operations.ts';
import type { JsonValue } from '../generate/json.ts';
import type { RunOptions } from './options.ts';

const MARK_WORD = 'pcs-conformance';

/** What the name of something looks like that a run of this suite has written. */
export const MARK = new RegExp(`^${MARK_WORD} [0-9a-f]{8}\\b`);

/** What may differ from the plain request of an operation. */
export type Variation = Partial<Omit<Stimulus, 'operation' | 'method'>> & { readonly json?: JsonValue };

const encoder = new TextEncoder();

/** Requirements on which every valid request with the good credential bears. */
export function validAsks(operation: Operation): readonly string[] {
  const status = operation.success === null ? 'SUCCESS-STATUS' : 'LIST-STATUS';
  const own = operation.id === 'createCall' ? 'CALL-CREATE-STATUS' : status;
  const isAction = operation.method === 'POST' && operation.body === null;
  return ['PATH-SERVED', 'AUTH-CREDENTIAL-ACCEPTED', own, ...(isAction ? ['ACTION-WITHOUT-BODY'] : [])];
}

/** Makes requests. `secret` comes from outside the seed, since it is written to the target. */
export class Kit {
  readonly options: RunOptions;
  /** Name that marks what this run wrote: ASCII, lower case, the same for the same seed. */
  readonly mark: string;
  readonly secret: string;

  constructor(options: RunOptions, secret: string) {
    this.options = options;
    this.secret = secret;
    this.mark = `${MARK_WORD} ${this.digest('mark').slice(0, 8)}`;
  }

  /** 64 hexadecimal digits that depend on seed and label alone. */
  digest(label: string): string {
    return createHash('sha256').update(`${this.options.seed}\n${label}`).digest('hex');
  }

  /** A version 4 UUID that names nothing on the target. */
  uuid(label: string): string {
    const hex = this.digest(`uuid ${label}`);
    const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
    const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
    return [...groups, hex.slice(20, 32)].join('-');
  }

  /** The id in the settings of that kind of resource, if there is one. */
  named(kind: ResourceKind): string | undefined {
    return this.options.resources[kind];
  }

  /** Whether every resource in the operation's path is named in the settings. */
  isNamed(id: OperationId): boolean {
    return operationById(id).resources.every((kind) => this.named(kind) !== undefined);
  }

  /** The documented path, with the ids of the settings or, where there are none, ids that name nothing. */
  path(id: OperationId, ids?: readonly string[]): string {
    const operation = operationById(id);
    const own = operation.resources.map((kind) => this.named(kind) ?? this.uuid(`unknown ${kind}`));
    const path = pathOf(operation, ids ?? own);
    const query = this.options.availableNumbersQuery;
    return id === 'searchAvailableNumbers' && query !== undefined ? `${path}?${query}` : path;
  }

  /** A request to the operation: documented path, good credential, no body unless one is given. */
  request(id: OperationId, variation: Variation): Stimulus {
    const { json, ...rest } = variation;
    const body = json === undefined ? null : encoder.encode(JSON.stringify(json));
    return {
      operation: id,
      method: operationById(id).method,
      path: this.path(id),
      credential: 'valid',
      body,
      contentType: body === null && rest.body === undefined ? null : 'application/json',
      step: 'request',
      asks: [],
      control: false,
      about: '',
      ...rest,
    };
  }

  /** A valid request with the good credential. */
  control(id: OperationId, variation: Variation = {}): Stimulus {
    const asks = [...validAsks(operationById(id)), ...(variation.asks ?? [])];
    return this.request(id, { step: 'control', about: 'a valid request', ...variation, asks, control: true });
  }
}
