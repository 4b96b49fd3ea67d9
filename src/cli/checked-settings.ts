/** Checks the settings by harmless reads alone: each configured id, the credentials, the numbers. */

import { isSameOrganization } from '../../suites/expect/configured-credentials.ts';
import type { Client } from '../client/client.ts';
import type { Answer } from '../client/request.ts';
import { type OperationId, operationById } from '../contract/operations.ts';
import { RESOURCE_SETTINGS, SETTING_OF, type TargetSettingName } from '../contract/settings.ts';
import type { CredentialForm, Exchange } from '../exchange/exchange.ts';
import { shownUrl } from '../exchange/url-tokens.ts';
import { type RequestBuilder, UNKNOWN_ROUTE } from '../run/builder.ts';
import { type RunOptions, watchedIds } from '../run/options.ts';
import { firstReads, NO_OPERATION, preflight } from '../run/preflight.ts';

/** Sentences: what is wrong, and what could not be checked. */
export interface Checked {
  readonly wrong: readonly string[];
  readonly unchecked: readonly string[];
}

const FROM = 'PCS_CALL_FROM';

/** What the doctor looks for in the answers: the configured ids, and the digits of the number to call from. */
export function soughtIn(options: RunOptions): ReadonlyMap<string, string> {
  const digits = options.numbers?.from.replaceAll(/\D/g, '');
  return new Map([...watchedIds(options), ...(digits === undefined ? [] : [[digits, FROM] as const])]);
}

/** Reads of one resource. */
const ITEMS = [
  ['getTrunk', 'trunk'],
  ['getCarrierProvider', 'carrierProvider'],
] as const;

/** Members whose names say that a list goes on elsewhere. */
const PAGED = /\/(?:next\w*|cursor|has_more|hasMore|page\w*|offset|total\w*)$/;

/** Sends the reads; `client` never leaves the preflight, so nothing else can be sent. */
export class SettingsCheck {
  readonly #builder: RequestBuilder;
  readonly #client: Client;
  readonly #exchanges: Exchange[] = [];
  readonly #wrong: string[] = [];

  constructor(builder: RequestBuilder, client: Client) {
    this.#builder = builder;
    this.#client = client;
  }

  /** Checks everything that a read can show; if the target is not the service, says only that. */
  async run(hasGatewayHeader: boolean): Promise<Checked> {
    const { options } = this.#builder;
    const reads = firstReads(options);
    const connection = { baseUrl: shownUrl(options.baseUrl), hasGatewayHeader };
    const outcome = await preflight(reads, connection, (read) => this.#read(read === NO_OPERATION ? null : read));
    if ('end' in outcome) return { wrong: [outcome.end], unchecked: [] };
    const named = reads.filter((id) => operationById(id).resources.every((kind) => this.#builder.named(kind)));
    for (const id of named) if (!this.#hasAnswer(id)) await this.#read(id);
    this.#checkItems();
    this.#checkNumbers();
    await this.#checkOther(named);
    await this.#checkRevoked(outcome.healthCheck);
    return { wrong: this.#wrong, unchecked: this.#unchecked() };
  }

  async #read(id: OperationId | null, credential: CredentialForm = 'valid'): Promise<Answer> {
    const variation = { role: 'preflight', credential, about: 'a harmless read' } as const;
    const request =
      id === null
        ? { ...this.#builder.request('listTrunks', { ...variation, path: UNKNOWN_ROUTE }), operation: null }
        : this.#builder.request(id, variation);
    const answer = await this.#client.send(request, { sequence: `doctor/${id} ${credential}`, attempt: 0 });
    this.#exchanges.push(answer.exchange);
    return answer;
  }

  #hasAnswer(id: OperationId): boolean {
    return this.#exchanges.some(({ tag }) => tag.operation === id);
  }

  #answersTo(id: OperationId): readonly Exchange[] {
    return this.#exchanges.filter(({ tag, request }) => tag.operation === id && request.credential === 'valid');
  }

  /** A trunk and a carrier provider have a read of their own. */
  #checkItems(): void {
    for (const [id, kind] of ITEMS) {
      const status = this.#answersTo(id).at(-1)?.response?.status ?? 0;
      if (this.#builder.named(kind) === undefined || status < 300) continue;
      const setting = SETTING_OF[kind];
      this.#wrong.push(`${setting} names nothing that PCS_ACCESS_TOKEN may read (status ${status}): check ${setting}`);
    }
  }

  /** Only a list that is not paged shows that something is missing. */
  #checkNumbers(): void {
    const list = this.#answersTo('listNumbers').find(({ response }) => (response?.status ?? 500) < 300);
    const body = list?.response?.body;
    if (body == null || body.cut === true || body.members.some(({ pointer }) => PAGED.test(pointer))) return;
    const sought: readonly (readonly [string, string | undefined])[] = [
      [SETTING_OF.number, this.#builder.named('number')],
      [FROM, this.#builder.options.numbers?.from.replaceAll(/\D/g, '')],
    ];
    for (const [setting, value] of sought) {
      if (value === undefined || value.length < 8 || body.mentions.includes(setting)) continue;
      this.#wrong.push(`the list of numbers does not show ${setting}: check ${setting}`);
    }
  }

  async #checkOther(reads: readonly OperationId[]): Promise<void> {
    const { access, otherOrganization } = this.#builder.options.credentials;
    if (otherOrganization === undefined) return;
    const setting = 'PCS_OTHER_ORG_ACCESS_TOKEN';
    if (otherOrganization === access) {
      this.#wrong.push(`${setting} is the same as PCS_ACCESS_TOKEN: set it to a credential of a second organization`);
      return;
    }
    const answers: Answer[] = [];
    for (const id of reads) answers.push(await this.#read(id, 'other-organization'));
    if (!answers.some(({ accepted }) => accepted)) {
      this.#wrong.push(`no read accepts ${setting} (status ${answers[0]?.status}): check ${setting}`);
    } else if (isSameOrganization({ exchanges: this.#exchanges })) {
      this.#wrong.push(
        `${setting} reads what PCS_ACCESS_TOKEN reads: set it to a credential of a second organization, unless the target does not separate organizations`,
      );
    }
  }

  async #checkRevoked(read: OperationId): Promise<void> {
    if (this.#builder.options.credentials.revoked === undefined) return;
    const { accepted } = await this.#read(read, 'revoked');
    if (!accepted) return;
    this.#wrong.push(
      `${operationById(read).title} accepts PCS_REVOKED_ACCESS_TOKEN: set it to a credential that is revoked, unless revoking has no effect at the target`,
    );
  }

  /** Settings that no read of this target shows; a call can only be tried. */
  #unchecked(): readonly TargetSettingName[] {
    const { options } = this.#builder;
    const shown = new Set(this.#exchanges.flatMap(({ response }) => response?.body?.mentions ?? []));
    const hasRead = (setting: string): boolean =>
      setting === SETTING_OF.trunk || setting === SETTING_OF.carrierProvider || setting === SETTING_OF.number;
    const hidden = RESOURCE_SETTINGS.filter(
      ([kind, name]) => options.resources[kind] !== undefined && !hasRead(name) && !shown.has(name),
    ).map(([, name]) => name);
    return [...hidden, ...(options.ringingCallId === undefined ? [] : [SETTING_OF.call])];
  }
}
