/**
 * What the engine needs to know of a success body, taken from it where the exchange is recorded: the id of a call, the
 * fields that are restored, the assignment of the number (conformance model, section 1).
 */

import type { OperationId } from '../contract/operations.ts';
import type { Learned } from '../exchange/exchange.ts';
import type { WireOutcome } from '../exchange/message.ts';
import type { Redactor } from '../exchange/redaction.ts';
import { callIds } from './call-id.ts';

type Fields = Readonly<Record<string, string | number>>;

/** Fields that a run restores, by the operation whose answer may show them. */
const FIELDS: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  getTrunk: ['name', 'direction', 'status'],
  updateVoiceApplication: ['name', 'ring_timeout_seconds', 'caller_id', 'voice_url', 'callback_url'],
};

const HOLDERS = ['data', 'trunk', 'voice_application', 'application', 'result', 'item', 'record'] as const;

/** Records of an answer, the innermost first: the interface does not say where the record stands. */
function recordsIn(json: unknown): readonly object[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return [...HOLDERS.flatMap((name) => recordsIn(Reflect.get(json, name))), json];
}

/** The named members that hold a string or a number, of the innermost record that has any of them. */
function fieldsIn(json: unknown, names: readonly string[]): Fields {
  for (const record of recordsIn(json)) {
    const shown = names.flatMap((name) => {
      const value: unknown = Reflect.get(record, name);
      return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
    });
    if (shown.length > 0) return Object.fromEntries(shown);
  }
  return {};
}

/** The items of a list, wherever the target puts it. */
function itemsIn(json: unknown, depth = 3): readonly object[] {
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.filter((item) => typeof item === 'object' && item !== null);
  return depth === 0 ? [] : Object.values(json).flatMap((member) => itemsIn(member, depth - 1));
}

/** The carrier connection that a list shows for a number: `null` for none, `undefined` where it does not say. */
function assignmentIn(json: unknown, number: string): string | null | undefined {
  const wanted = number.toLowerCase();
  const item = itemsIn(json).find((one) =>
    Object.values(one).some((value) => typeof value === 'string' && value.toLowerCase() === wanted),
  );
  const shown: unknown = item === undefined ? undefined : Reflect.get(item, 'carrier_connection_id');
  return typeof shown === 'string' || shown === null ? shown : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that holds a secret is not learned: what was redacted cannot be restored. */
function withoutSecrets(fields: Fields, redactor: Redactor): Fields {
  const isClean = (value: string | number): boolean => redactor.redact(String(value)).text === String(value);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isClean(value)));
}

/** What an accepted answer to the operation teaches, or `null`. A body that was cut short teaches nothing. */
export function learn(
  operation: OperationId | null,
  outcome: WireOutcome,
  numberId: string | undefined,
  redactor: Redactor,
): Learned | null {
  if (outcome.kind !== 'answer' || outcome.status < 200 || outcome.status >= 300 || operation === null) return null;
  const names = FIELDS[operation];
  const isWanted = names !== undefined || operation === 'createCall' || operation === 'listNumbers';
  if (!isWanted) return null;
  const text = new TextDecoder().decode(outcome.body);
  const json = outcome.cut ? undefined : parsed(text);
  if (operation === 'createCall') return { callIds: callIds(json, outcome.headers, text) };
  if (names !== undefined) return { fields: withoutSecrets(fieldsIn(json, names), redactor) };
  const assignment = numberId === undefined ? undefined : assignmentIn(json, numberId);
  return assignment === undefined ? null : { assignment };
}
