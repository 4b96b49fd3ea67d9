/**
 * What the engine needs to know of an answer, taken from it where the exchange is recorded: whether a call was placed,
 * the fields that are restored, the assignment of the number (conformance model, section 1).
 */

import type { OperationId } from '../contract/operations.ts';
import { isSuccess } from '../contract/statuses.ts';
import type { Learned } from '../exchange/exchange.ts';
import { readJson } from '../exchange/json-text.ts';
import type { WireAnswer, WireOutcome } from '../exchange/message.ts';
import type { Redactor } from '../exchange/redaction.ts';
import type { SuiteRequest } from './request.ts';
import { type CreateOutcome, createOutcome } from './safety/create-outcome.ts';
import { isCreate } from './wire.ts';

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

/** A longer text is parsed only if it is not nested deeply: as a value, each level takes many times its bytes. */
const LONG = 65_536;
const MOST_LEVELS = 100;

function parsed(text: string): unknown {
  if (text.length > LONG && readJson(text).levels > MOST_LEVELS) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that holds a secret is not learned: what was redacted cannot be used. */
const isClean = (value: string | number, redactor: Redactor): boolean =>
  redactor.redact(String(value)).text === String(value);

function withoutSecrets(fields: Fields, redactor: Redactor): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isClean(value, redactor)));
}

/** What learning needs besides the answer. */
export interface LearnContext {
  /** The configured number, whose assignment a list may show. */
  readonly numberId: string | undefined;
  readonly redactor: Redactor;
  /** Whether an id cannot be that of a new call, since an earlier answer showed it. */
  readonly alreadySeen: (id: string) => boolean;
}

/** What an answer teaches, or `null`. */
export function learn(request: SuiteRequest, outcome: WireOutcome, context: LearnContext): Learned | null {
  if (outcome.kind !== 'answer') return null;
  return isCreate(request)
    ? learnCreate(createOutcome(outcome, request.path, context.alreadySeen), context)
    : learnRead(request.operation, outcome, context);
}

function learnCreate(outcome: CreateOutcome, { redactor }: LearnContext): Learned | null {
  if (outcome.kind === 'unsent') return null;
  const callIds = outcome.kind === 'placed' ? outcome.ids.filter((id) => isClean(id, redactor)) : [];
  if (callIds.length > 0) return { create: 'placed', callIds };
  return { create: outcome.kind === 'rejected' ? 'rejected' : 'unclear' };
}

/** Only an accepted answer teaches, and only if it was not cut short. */
function learnRead(
  operation: OperationId | null,
  { status, body, cut }: WireAnswer,
  { numberId, redactor }: LearnContext,
): Learned | null {
  if (!isSuccess(status) || operation === null) return null;
  const names = FIELDS[operation];
  if (names === undefined && operation !== 'listNumbers') return null;
  const json = cut ? undefined : parsed(new TextDecoder().decode(body));
  if (names !== undefined) return { fields: withoutSecrets(fieldsIn(json, names), redactor) };
  const assignment = numberId === undefined ? undefined : assignmentIn(json, numberId);
  return assignment === undefined ? null : { assignment };
}
