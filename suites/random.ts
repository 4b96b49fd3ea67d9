/** Random bodies on top of the systematic ones (`--runs`): valid ones for the invariants, invalid ones to be refused. */

import { type Answer, GuardRefusal } from '../src/client/stimulus.ts';
import { type BodySchemaName, type OperationId, operationById } from '../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import type { NamedBreach } from '../src/generate/breach.ts';
import { hunt } from '../src/generate/hunt.ts';
import { type InvalidOptions, invalidArbitrary } from '../src/generate/invalid.ts';
import type { JsonValue } from '../src/generate/json.ts';
import type { Origin } from '../src/generate/origin.ts';
import { validArbitrary } from '../src/generate/valid.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { requirementOf } from './call-bodies.ts';
import { callOptions } from './call-valid.ts';
import { baseOf } from './controls.ts';

/** Calls that are kept for what is not random. */
const CALLS_KEPT = 3;

/** An operation with a body: its lane, what generation keeps fixed, and what an invalid body asks. */
interface Field {
  readonly id: OperationId;
  readonly schema: BodySchemaName;
  readonly lane: string;
  readonly options: (kit: Kit) => InvalidOptions;
  /** The requirement that refuses the breach. */
  readonly asks: (breach: NamedBreach) => string;
  /** Every requirement that `asks` may name. */
  readonly maySettle: readonly string[];
}

const HOST = 'https://voice.pcs-conformance.invalid';

const FIELDS: readonly Field[] = [
  {
    id: 'createCall',
    schema: 'call-create',
    lane: 'call',
    options: (kit) => ({ ...callOptions(kit), exclude: [] }),
    asks: requirementOf,
    maySettle: ['CALL-CREATE-BODY', 'CALL-CREATE-REQUIRED-FIELDS', 'CALL-CREATE-UUID', 'CALL-CREATE-FIELD-TYPES'],
  },
  {
    id: 'assignNumber',
    schema: 'number-assignment',
    lane: 'number',
    options: (kit) => ({
      pool: { '/carrier_connection_id': [kit.named('carrierConnection') ?? kit.uuid('connection')] },
    }),
    asks: () => 'NUMBER-ASSIGN-INVALID',
    maySettle: ['NUMBER-ASSIGN-INVALID'],
  },
  {
    id: 'updateVoiceApplication',
    schema: 'voice-application-update',
    lane: 'voice application',
    options: (kit) => ({
      fixed: { '/name': kit.mark, '/voice_url': `${HOST}/voice`, '/callback_url': `${HOST}/callback` },
      ...(kit.options.numbers === null ? { exclude: ['/caller_id'] } : {}),
      ...(kit.options.numbers === null ? {} : { plain: { '/caller_id': kit.options.numbers.from } }),
    }),
    asks: () => 'UPDATE-FIELD-TYPES',
    maySettle: ['UPDATE-FIELD-TYPES'],
  },
];

/** Wrong bodies only where no lawful reading makes them right: null may be read as absent or empty. */
const isPlainlyWrong = ({ kind }: { readonly kind: string }): boolean => kind !== 'null';

function isSuspicious(answer: Answer | null, isValid: boolean): boolean {
  if (answer === null) return false;
  const { status } = answer;
  if (status === null || (status >= 500 && status !== 503)) return true;
  return !isValid && answer.accepted;
}

/** What the safety kernel keeps back (a random text that reads like a number to dial) is dropped: `null`. */
async function sendRandom(
  talk: Talk,
  field: Field,
  json: JsonValue,
  asks: readonly string[],
  label: string,
): Promise<Answer | null> {
  try {
    return await talk.send(talk.kit.request(field.id, { json, asks, step: label, about: label }));
  } catch (error) {
    if (error instanceof GuardRefusal) return null;
    throw error;
  }
}

function mayCall(talk: Talk, field: Field): boolean {
  return field.id !== 'createCall' || talk.callsLeft > CALLS_KEPT;
}

function sequence(kit: Kit, field: Field, at: number, isValid: boolean): Sequence {
  const { path } = kit.options;
  const origin = { seed: (kit.options.seed + at) % 0x7fffffff, ...(path === undefined ? {} : { path }) };
  const schema = BODY_SCHEMAS[field.schema];
  return {
    name: `${field.id}/random ${isValid ? 'valid' : 'invalid'} ${at}`,
    operation: field.id,
    lane: field.lane,
    phase: 'main',
    serves: [],
    ...(isValid ? {} : { maySettle: field.maySettle }),
    run: async (talk) => {
      demandNamed(kit, field.id);
      baseOf(talk, field.id);
      if (!mayCall(talk, field)) return;
      if (isValid) await tryValid(talk, field, origin);
      else {
        await hunt(
          invalidArbitrary(schema, { ...field.options(kit), where: isPlainlyWrong }),
          origin,
          async (one, label) => {
            if (!mayCall(talk, field)) return false;
            const asks = [`${field.asks(one.breach)}#random ${one.breach.pointer} ${one.breach.kind}`];
            return isSuspicious(await sendRandom(talk, field, one.value, asks, label), false);
          },
        );
      }
    },
  };
}

/** A valid call is placed once and never shrunk: shrinking places no call. */
async function tryValid(talk: Talk, field: Field, origin: Origin): Promise<void> {
  const places = field.id === 'createCall';
  let tried = false;
  await hunt(validArbitrary(BODY_SCHEMAS[field.schema], field.options(talk.kit)), origin, async (value, label) => {
    if (tried && places) return false;
    tried = true;
    return isSuspicious(await sendRandom(talk, field, value, [], label), true);
  });
}

/** `--runs` random bodies of each kind for each operation; none by default. */
export const RANDOM_SUITE: Suite = {
  name: 'random',
  sequences: (kit) =>
    FIELDS.filter(({ id }) => id !== 'createCall' || kit.options.numbers !== null)
      .filter(({ id }) => operationById(id).body !== null)
      .flatMap((field) =>
        Array.from({ length: kit.options.runs }, (_, at) => [
          sequence(kit, field, at, true),
          sequence(kit, field, at, false),
        ]).flat(),
      ),
};
