/** How suites make requests: ids, paths and bodies of one run, the same for the same seed. */

import { hash } from 'node:crypto';
import { MARK_WORD } from '../client/learned.ts';
import type { SuiteRequest } from '../client/request.ts';
import { type OperationId, operationById, pathOf, type ResourceKind } from '../contract/operations.ts';
import { uuidOf } from '../contract/uuid.ts';
import { type Ask, type CredentialForm, PLAIN_REQUEST } from '../exchange/exchange.ts';
import type { JsonValue } from '../generate/json.ts';
import { answered, BOUNDARY } from '../verdict/boundary.ts';
import type { Expects, JudgedRequirement } from '../verdict/requirement.ts';
import { possibleForms, type RunOptions } from './options.ts';

/** A path that is not part of the interface. */
export const UNKNOWN_ROUTE = `/v1/${MARK_WORD}-unknown-route` as const;

/** How a request may differ from the plain request of its operation. */
export type Variation = Partial<Omit<SuiteRequest, 'operation' | 'method'>> & { readonly json?: JsonValue };

/** Makes a function that asks about one of these requirements or gaps; an id that does not exist is a compile error. */
export const asking =
  <Id extends string>() =>
  (id: Id, variation = ''): Ask => ({ id, variation });

/** A requirement as requests ask about it: whether every valid request does, and what it expects of an answer. */
interface AskedRequirement extends Pick<JudgedRequirement, 'id' | 'operations' | 'expect'> {
  readonly send?: { readonly withValid?: true };
}

/** Makes requests. `secret` comes from outside the seed, since it is written to the target. */
export class RequestBuilder {
  readonly options: RunOptions;
  /** Name that marks what this run wrote: ASCII, lower case, the same for the same seed and resources. */
  readonly mark: string;
  readonly secret: string;
  /** The forms that the credentials of the settings can be given. */
  readonly forms: ReadonlySet<CredentialForm>;
  readonly #ofValidRequests: readonly AskedRequirement[];
  readonly #expectations: ReadonlyMap<string, Expects | undefined>;
  #listedTrunk: string | undefined;

  constructor(options: RunOptions, secret: string, requirements: readonly AskedRequirement[]) {
    this.options = options;
    this.secret = secret;
    this.forms = possibleForms(options.credentials);
    this.mark = `${MARK_WORD} ${this.#nameOf('mark', ['trunk', 'voiceApplication'])}`;
    this.#expectations = new Map(requirements.map(({ id, expect }) => [id, expect]));
    this.#ofValidRequests = requirements.filter(({ send }) => send?.withValid);
  }

  /** 64 hexadecimal digits that depend on seed and label alone. */
  digest(label: string): string {
    return hash('sha256', `${this.options.seed}\n${label}`);
  }

  /** Eight hexadecimal digits of the seed and these resources: a service may allow a name once among all of a kind. */
  #nameOf(label: string, kinds: readonly ResourceKind[]): string {
    return this.digest([label, ...kinds.map((kind) => this.named(kind) ?? '')].join('\n')).slice(0, 8);
  }

  /** The user name and the realm to write if the settings name none; they depend on one carrier connection only. */
  get inboundNames(): { readonly username: string; readonly realm: string } {
    const name = this.#nameOf('inbound', ['carrierConnection']);
    return { username: `${MARK_WORD}-${name}`, realm: `${name}.${MARK_WORD}.invalid` };
  }

  /** A version 4 UUID that names nothing on the target. */
  uuid(label: string): string {
    return uuidOf(this.digest(`uuid ${label}`));
  }

  /** Notes the first trunk of a list, for a run without a trunk in its settings. */
  noteListedTrunk(id: string): void {
    this.#listedTrunk ??= id;
  }

  /** The id of that kind of resource from the settings, or of the trunk that a list showed; otherwise `undefined`. */
  named(kind: ResourceKind): string | undefined {
    return this.options.resources[kind] ?? (kind === 'trunk' ? this.#listedTrunk : undefined);
  }

  /** The documented path with its query and the configured ids or, if they are missing, ids that name nothing. */
  path(id: OperationId, ids?: readonly string[]): string {
    const operation = operationById(id);
    const usual = operation.resources.map((kind) => this.named(kind) ?? this.uuid(`unknown ${kind}`));
    const path = pathOf(operation, ids ?? usual);
    const query = this.options.queries[id];
    return query === undefined ? path : `${path}?${query}`;
  }

  /**
   * The documented path without the query of the settings; `undefined` if they give none. The interface promises the
   * bare path: where only the path with the query was protected, a certificate said 342 passed.
   */
  barePath(id: OperationId): string | undefined {
    return this.options.queries[id] === undefined ? undefined : pathOf(operationById(id), []);
  }

  /**
   * A request to the operation: documented path, valid credential, and no body unless one is given. `null`: a read of a
   * route that the interface does not have.
   */
  request(id: OperationId | null, variation: Variation): SuiteRequest {
    const { json, ...rest } = variation;
    const body = json === undefined ? null : new TextEncoder().encode(JSON.stringify(json));
    return {
      operation: id,
      method: id === null ? 'GET' : operationById(id).method,
      path: id === null ? UNKNOWN_ROUTE : this.path(id),
      credential: 'valid',
      body,
      contentType: body === null && rest.body === undefined ? null : 'application/json',
      role: 'probe',
      asks: [],
      control: false,
      about: '',
      ...rest,
    };
  }

  /** What an ask expects of each answer to its requests; `undefined` for gaps, and for checks that judge themselves. */
  expectationOf(ask: Ask): Expects | undefined {
    if (ask.id !== BOUNDARY) return this.#expectations.get(ask.id);
    return (exchange, evidence) => answered(exchange, ask, evidence);
  }

  /** What every valid request to the operation with the valid credential asks. */
  validAsks(id: OperationId): readonly Ask[] {
    const concerned = this.#ofValidRequests.filter(({ operations }) => operations.includes(id));
    return concerned.map(({ id: requirement }) => ({ id: requirement, variation: '' }));
  }

  /** A valid request with the valid credential. */
  control(id: OperationId, variation: Variation = {}): SuiteRequest {
    const asks = [...this.validAsks(id), ...(variation.asks ?? [])];
    return this.request(id, { role: 'control', about: PLAIN_REQUEST, ...variation, asks, control: true });
  }

  /** A valid request that asks nothing: it shows whether the target still answers and accepts the credential. */
  healthCheck(id: OperationId, about: string): SuiteRequest {
    return this.request(id, { role: 'health-check', about, control: true });
  }
}
