/** The client of a run, made of its options and ports. */

import { Client } from '../client/client.ts';
import { LiveTarget } from '../client/live-target.ts';
import { Pacer } from '../client/pacing.ts';
import { CallSlot } from '../client/safety/call-slot.ts';
import { IdRegister } from '../client/safety/id-register.ts';
import type { Target } from '../client/target.ts';
import type { ResourceKind } from '../contract/operations.ts';
import type { Exchange, Learned } from '../exchange/exchange.ts';
import { tokensIn } from '../exchange/url-tokens.ts';
import type { RunOptions } from './options.ts';
import type { Ports, RunSecret } from './ports.ts';

/** Everything that the record must not contain: credentials, inbound secrets, a gateway's headers, tokens in URLs. */
function secretsOf(options: RunOptions, inboundSecret: string, ports: Ports): readonly RunSecret[] {
  const { access, otherOrganization, revoked } = options.credentials;
  const values = [
    ['credential', 'credential', access],
    ['credential', "other organization's credential", otherOrganization],
    ['credential', 'revoked credential', revoked],
    ['inbound-secret', 'inbound secret', inboundSecret],
    ['inbound-secret', 'configured inbound secret', options.inbound.secret],
    ...(ports.extraHeaders ?? []).map(([name, value]) => ['gateway-header', `header ${name}`, value] as const),
  ] as const;
  return [
    ...values.flatMap(([kind, label, value]) => (value === undefined ? [] : [{ kind, label, value }])),
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

/** The ids that a run may write to: those of the settings, and those that an earlier run `learned` and left to clean up. */
export function registerOf(options: RunOptions, learned: readonly Learned[] = []): IdRegister {
  const named = new Map<ResourceKind, readonly string[]>();
  for (const [kind, id] of Object.entries(options.resources)) named.set(kind as ResourceKind, [id]);
  if (options.ringingCallId !== undefined) named.set('call', [options.ringingCallId]);
  const register = new IdRegister(named);
  for (const one of learned) register.noteLearned(one);
  return register;
}

/** The target behind the transport of the ports; `learned` by an earlier run. */
export function liveTarget(
  options: RunOptions,
  ports: Ports,
  inboundSecret: string,
  onExchange: (exchange: Exchange) => void,
  learned: readonly Learned[] = [],
): Target {
  const { voiceApplication, trunk, number } = options.resources;
  return new LiveTarget({
    transport: ports.transport,
    prefix: new URL(options.baseUrl).pathname.replace(/\/$/, ''),
    userAgent: `pcs-conformance/${ports.version}`,
    caseSeed: options.caseHeader ? options.seed : null,
    credentials: options.credentials,
    numbers: options.numbers,
    createIds: [voiceApplication, trunk].filter((id) => id !== undefined),
    ...(number === undefined ? {} : { numberId: number }),
    ...(trunk === undefined ? {} : { trunkId: trunk }),
    register: registerOf(options, learned),
    pacer: new Pacer(options.rate, ports.clock),
    clock: ports.clock,
    timeouts: { call: options.callTimeout, other: options.timeout },
    maxRequests: options.maxRequests,
    ...(options.maxInvalidCredentials === undefined ? {} : { maxInvalidCredentials: options.maxInvalidCredentials }),
    credentialPause: options.credentialPause,
    ...(options.callIdPointer === undefined ? {} : { callIdPointer: options.callIdPointer }),
    maxWait: options.maxWait,
    recorder: ports.recorder(secretsOf(options, inboundSecret, ports)),
    onExchange,
    ...(ports.extraHeaders === undefined ? {} : { extraHeaders: ports.extraHeaders }),
    ...(ports.onWait === undefined ? {} : { onWait: ports.onWait }),
    ...(ports.beforeCreate === undefined ? {} : { beforeCreate: ports.beforeCreate }),
    ...(ports.beforeUpdate === undefined ? {} : { beforeUpdate: ports.beforeUpdate }),
  });
}

/** The one client of a run; `learned` by an earlier one. */
export function clientOf(
  options: RunOptions,
  ports: Ports,
  inboundSecret: string,
  onExchange: (exchange: Exchange) => void,
  learned: readonly Learned[] = [],
): Client {
  const target = ports.target?.(onExchange) ?? liveTarget(options, ports, inboundSecret, onExchange, learned);
  const { clock, onWait, onCall } = ports;
  return new Client({
    target,
    slot: new CallSlot(options.maxCalls),
    clock,
    ...(onWait === undefined ? {} : { onWait }),
    ...(onCall === undefined ? {} : { onCall }),
  });
}
