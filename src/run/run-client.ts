/** The client of a run, made of its options and ports, and the secrets of the run. */

import { Client } from '../client/client.ts';
import type { Dialling } from '../client/client-options.ts';
import { carriedForms } from '../client/credential.ts';
import type { Refusal } from '../client/request.ts';
import { CallLedger } from '../client/safety/call-ledger.ts';
import { Admission } from '../client/safety/guard.ts';
import { IdRegister } from '../client/safety/id-register.ts';
import { LiveWire, type LiveWireOptions, type Wire } from '../client/wire.ts';
import { KEPT } from '../contract/limits.ts';
import type { ResourceKind } from '../contract/operations.ts';
import { DRAWN_UUID } from '../contract/uuid.ts';
import type { Learned } from '../exchange/exchange.ts';
import { constantOf, isSecretField } from '../exchange/header-fields.ts';
import { isObject } from '../exchange/json-text.ts';
import type { Header } from '../exchange/message.ts';
import { isOrdinary, type Secret } from '../exchange/redaction.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import { type RunOptions, readsListedTrunk } from './options.ts';
import type { Ports } from './ports.ts';

/** The secrets that the record must not contain: credentials, inbound secrets, a gateway's headers, tokens in URLs. */
export function secretsOf(
  options: RunOptions,
  inboundSecret: string,
  ports: Pick<Ports, 'extraHeaders'>,
): readonly Secret[] {
  const { access, otherOrganization, revoked } = options.credentials;
  const values = [
    ['credential', 'credential', access],
    ['credential', "other organization's credential", otherOrganization],
    ['credential', 'revoked credential', revoked],
    ['inbound-secret', 'inbound secret', inboundSecret],
    ['inbound-secret', 'configured inbound secret', options.inbound.secret],
    ...(ports.extraHeaders ?? [])
      .filter(isSecretField)
      .map(([name, value]) => ['gateway-header', `header ${name}`, constantOf(value)] as const),
  ] as const;
  // A credential is always searched for, and a secret that the run draws is never an ordinary text.
  const drawn = new Set([access, otherOrganization, revoked, inboundSecret]);
  return [
    ...values.flatMap(([kind, label, value]) =>
      value === undefined ? [] : [{ kind, label, value, isOrdinary: !drawn.has(value) && isOrdinary(value) }],
    ),
    ...tokensIn('token in the base URL', options.baseUrl),
    ...tokensIn('token in the voice URL', options.voiceUrl ?? ''),
    ...Object.values(options.queries).flatMap((query) => tokensIn('token in a list query', `?${query}`)),
  ];
}

/** Redacts a text as the record of this run does. */
export function redactionOf(options: RunOptions, ports: Ports, inboundSecret: string): (text: string) => string {
  const { redactor } = ports.recorder(secretsOf(options, inboundSecret, ports));
  return (text) => redactor.redact(text).text;
}

const valuesGiven = (...values: readonly (string | undefined)[]): readonly string[] =>
  values.filter((value) => value !== undefined);

/** The ids that a run may write to: those of the settings, and those that an earlier run `learned` and left. */
function registerOf(options: RunOptions, learned: readonly Learned[]): IdRegister {
  const named = new Map<ResourceKind, readonly string[]>();
  for (const [kind, id] of Object.entries(options.resources)) named.set(kind as ResourceKind, [id]);
  if (options.ringingCallId !== undefined) named.set('call', [options.ringingCallId]);
  const register = new IdRegister(named);
  if (options.otherConnection !== undefined) register.addConnectionOfOthers(options.otherConnection);
  for (const fact of learned) register.learn(fact);
  return register;
}

/**
 * Why no call is placed with these header fields; `null` if calls are allowed. With an idempotency key, a service takes
 * a second create call for the first, or rejects it (draft-ietf-httpapi-idempotency-key-header): six cases failed.
 */
function refusalOf(added: readonly Header[]): Refusal | null {
  const [name] = added.find(([field, value]) => /idempoten/i.test(field) && !value.includes(DRAWN_UUID)) ?? [];
  if (name === undefined) return null;
  return {
    reason: `${name} is the same in each request, so that no create call is a new one`,
    remedy: `give --header '${name}: ${DRAWN_UUID}', which is drawn anew for each request`,
  };
}

/** What a client reports to its run and requests from it. */
type Hooks = Partial<Pick<LiveWireOptions, 'onExchange' | 'broke' | 'check' | 'onGone' | 'validCall'>>;

/** The client of a run; `learned` comes from an earlier run. */
export function clientOf(
  options: RunOptions,
  ports: Ports,
  inboundSecret: string,
  { onExchange = () => undefined, ...hooks }: Hooks,
  learned: readonly Learned[] = [],
): Client {
  const ledger = new CallLedger(
    options.maxCalls,
    options.callIdPointer !== undefined,
    refusalOf(ports.extraHeaders ?? []),
  );
  const { numbers, resources, trunkFrom, otherFrom, otherApplication, otherTrunk } = options;
  const dialling = (caller?: string, application?: string, trunk?: string): Dialling => ({
    numbers: numbers && { ...numbers, callers: valuesGiven(trunkFrom, caller) },
    ids: {
      application: valuesGiven(resources.voiceApplication, application),
      trunk: valuesGiven(resources.trunk, trunk),
    },
  });
  const sending = {
    ...ports,
    ...options,
    credentials: carriedForms(options.credentials),
    userAgent: `pcs-conformance/${ports.version}`,
    ours: dialling(),
    // Calls with the other organization's credential may also name our resources.
    ofOthers: dialling(otherFrom, otherApplication, otherTrunk),
    register: registerOf(options, learned),
    prefix: new URL(options.baseUrl).pathname.replace(/\/$/, ''),
    admission: new Admission(),
  };
  const live = (): Wire =>
    new LiveWire({
      ...sending,
      readsListedTrunk: readsListedTrunk(options),
      recorder: ports.recorder(secretsOf(options, inboundSecret, ports)),
      onExchange,
      ...hooks,
    });
  const wire = ports.wire?.(sending, onExchange) ?? live();
  return new Client({ ...sending, ...hooks, wire, ledger });
}

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

/** The secret of the settings, or else that of the sample. */
function secretText({ inbound, samples }: Pick<RunOptions, 'inbound' | 'samples'>): string {
  const { setInboundAuth: sample } = samples;
  const shape = inbound.secret ?? (isObject(sample) ? sample['secret'] : undefined);
  return typeof shape === 'string' && shape.length <= KEPT.name ? shape : '';
}

/**
 * A secret to write (model, section 7). Where the options hold one, each of its letters and digits is drawn again
 * within its class, and everything else stays: `12-ab-CD34ef` may become `70-xk-QM19za`.
 */
export function inboundSecret(options: Pick<RunOptions, 'inbound' | 'samples'>, ports: Pick<Ports, 'random'>): string {
  const characters = [...secretText(options)];
  const classes = characters.map((character) => CLASSES.find((among) => among.includes(character)));
  const drawn = classes.filter((among) => among !== undefined).length;
  // All kinds of characters and a medium length, since a target may have password rules.
  if (drawn < KEPT.unmistakable) return `Pc9${ports.random(8)}`;
  const number = (): number => Number.parseInt(ports.random(4), 16);
  return classes.map((among, at) => among?.[number() % among.length] ?? characters[at]).join('');
}
