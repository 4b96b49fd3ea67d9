/** For each operation that takes a body: what is tried, in order, until one is accepted (conformance model, 6). */

import type { OperationId } from '../src/contract/operations.ts';
import { isObject, type JsonObject, type JsonValue } from '../src/generate/json.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Memory } from '../src/run/memory.ts';

/** The body of create call that holds no more than it has to; `null` without numbers to dial. */
export function minimalCall(kit: Kit): JsonObject | null {
  const { numbers } = kit.options;
  return numbers === null ? null : { from: numbers.from, to: numbers.to };
}

function calls(kit: Kit): readonly JsonObject[] {
  const minimal = minimalCall(kit);
  if (minimal === null) return [];
  const application = kit.named('voiceApplication');
  const trunk = kit.named('trunk');
  const withTrunk = trunk === undefined ? [] : [{ ...minimal, trunk_id: trunk }];
  const withApplication = application === undefined ? [] : [{ ...minimal, application_id: application }];
  const both =
    trunk === undefined || application === undefined
      ? []
      : [{ ...minimal, application_id: application, trunk_id: trunk }];
  return [minimal, ...withTrunk, ...withApplication, ...both];
}

function applications(kit: Kit): readonly JsonObject[] {
  const name = kit.mark;
  const rest = {
    ring_timeout_seconds: 30,
    ...(kit.options.numbers === null ? {} : { caller_id: kit.options.numbers.from }),
    voice_url: 'https://voice.pcs-conformance.invalid/voice',
    callback_url: 'https://voice.pcs-conformance.invalid/callback',
  };
  return [{ name }, { name, ...rest }, rest];
}

const METHODS = ['digest', 'userpass', 'password', 'credentials', 'sip_digest', 'basic'] as const;

function inboundAuth(kit: Kit): readonly JsonObject[] {
  const { username = 'pcs-conformance', realm = 'sip.pcs-conformance.invalid' } = kit.options.inbound;
  return METHODS.map((method) => ({ method, username, realm, secret: kit.secret }));
}

function trunks(kit: Kit, memory: Memory): readonly JsonObject[] {
  const shown = memory.trunk ?? {};
  const state = {
    ...(shown['direction'] === undefined ? {} : { direction: shown['direction'] }),
    ...(shown['status'] === undefined ? {} : { status: shown['status'] }),
  };
  return [{ name: kit.mark }, { name: kit.mark, ...state }];
}

/** Bodies to try for an operation; a sample of the caller's comes first and alone. Empty where none can be made. */
export function candidatesFor(id: OperationId, kit: Kit, memory: Memory): readonly JsonValue[] {
  const sample = kit.options.samples[id];
  if (sample === undefined) return ownBodies(id, kit, memory);
  // A secret that stands in a file is nobody's: what is written is this run's own.
  return [id === 'setInboundAuth' && isObject(sample) ? { ...sample, secret: kit.secret } : sample];
}

/** A plain value of each field of an operation's body for which the suite has one, its first candidates' before others. */
export function plainFields(id: OperationId, kit: Kit, memory: Memory): JsonObject {
  return Object.assign({}, ...ownBodies(id, kit, memory).toReversed());
}

function ownBodies(id: OperationId, kit: Kit, memory: Memory): readonly JsonObject[] {
  switch (id) {
    case 'createCall':
      return calls(kit);
    case 'updateVoiceApplication':
      return applications(kit);
    case 'setInboundAuth':
      return inboundAuth(kit);
    case 'updateTrunk':
      return trunks(kit, memory);
    case 'assignNumber': {
      const connection = kit.named('carrierConnection');
      return connection === undefined ? [] : [{ carrier_connection_id: connection }];
    }
    default:
      return [];
  }
}
