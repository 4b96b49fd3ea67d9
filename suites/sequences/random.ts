/** Random bodies on top of the systematic ones: valid ones for the invariants, invalid ones to be rejected. */

import { type Answer, GuardRefusal } from '../../src/client/request.ts';
import { type BodySchemaName, type OperationId, operationById } from '../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../src/contract/schemas.ts';
import type { Ask, RandomOrigin } from '../../src/exchange/exchange.ts';
import { hunt } from '../../src/generate/hunt.ts';
import { type InvalidOptions, invalidArbitrary } from '../../src/generate/invalid.ts';
import type { JsonValue } from '../../src/generate/json.ts';
import { validArbitrary } from '../../src/generate/valid.ts';
import { ask, type RequestBuilder } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { applicationUrls, baseOf } from '../bodies.ts';
import { REQUIREMENTS } from '../catalogue.ts';
import { callOptions } from './valid-bodies.ts';
import { claimsOf } from './violations.ts';

/** Calls reserved for systematic cases. */
const CALLS_KEPT = 3;

/** An operation with a body, and what generation keeps fixed. */
interface Subject {
  readonly id: OperationId;
  readonly options: (builder: RequestBuilder) => InvalidOptions;
  /** The requirement that every violation asks, unless they are claimed one by one. */
  readonly rejectedBy?: string;
}

const SUBJECTS: readonly Subject[] = [
  { id: 'createCall', options: (builder) => ({ ...callOptions(builder), exclude: [] }) },
  {
    id: 'assignNumber',
    options: (builder) => ({
      pool: { '/carrier_connection_id': [builder.named('carrierConnection') ?? builder.uuid('connection')] },
    }),
    rejectedBy: 'NUMBER-ASSIGN-INVALID',
  },
  {
    id: 'updateVoiceApplication',
    options: ({ options, mark }) => {
      const { voice_url, callback_url } = applicationUrls(options);
      const { numbers } = options;
      return {
        fixed: { '/name': mark, '/voice_url': voice_url, '/callback_url': callback_url },
        ...(numbers === null ? { exclude: ['/caller_id'] } : { typical: { '/caller_id': numbers.from } }),
      };
    },
    rejectedBy: 'UPDATE-FIELD-TYPES',
  },
];

/** Invalid only where no lawful reading makes the body valid: null may be read as absent or empty. */
const isPlainlyInvalid = ({ kind }: { readonly kind: string }): boolean => kind !== 'null';

function isSuspicious(answer: Answer | null, isValid: boolean): boolean {
  if (answer === null) return false;
  const { status } = answer;
  return status === null || (status >= 500 && status !== 503) || (!isValid && answer.accepted);
}

/** `null` where the safety kernel stops the request: a random text may read like a number to dial. */
async function sendRandom(
  session: Session,
  id: OperationId,
  json: JsonValue,
  asks: readonly Ask[],
  origin: RandomOrigin,
): Promise<Answer | null> {
  const variation = { json, asks, about: `random, seed ${origin.seed}, path ${origin.path}`, origin };
  try {
    return await session.send(session.builder.request(id, variation));
  } catch (error) {
    if (error instanceof GuardRefusal) return null;
    throw error;
  }
}

const mayCall = ({ callsLeft }: Session, id: OperationId): boolean => id !== 'createCall' || callsLeft > CALLS_KEPT;

function schemaOf(id: OperationId) {
  return BODY_SCHEMAS[operationById(id).body as BodySchemaName];
}

function originOf({ options }: RequestBuilder, at: number) {
  const { path, seed } = options;
  return { seed: (seed + at) % 0x7fffffff, ...(path === undefined ? {} : { path }) };
}

/** A valid call is placed once and never shrunk, because shrinking must not place calls. */
function valid({ id, options }: Subject, at: number): Sequence {
  return sequence(id, `random valid ${at}`, [], async (session) => {
    demandNamed(session, id);
    baseOf(session, id);
    if (!mayCall(session, id)) return;
    let wasTried = false;
    const arbitrary = validArbitrary(schemaOf(id), options(session.builder));
    await hunt(arbitrary, originOf(session.builder, at), async (value, origin) => {
      if (wasTried && id === 'createCall') return false;
      wasTried = true;
      return isSuspicious(await sendRandom(session, id, value, [], origin), true);
    });
  });
}

function asksFor({ id, rejectedBy }: Subject, violation: { readonly pointer: string; readonly kind: string }) {
  const variation = `random ${violation.pointer} ${violation.kind}`;
  return rejectedBy === undefined ? claimsOf(id, violation, variation) : [{ id: rejectedBy, variation }];
}

function invalid(subject: Subject, at: number): Sequence {
  const { id, options, rejectedBy } = subject;
  const rejecting = REQUIREMENTS.filter((one) =>
    rejectedBy === undefined
      ? one.level === 'must' && typeof one.send === 'object' && 'violations' in one.send && one.operations.includes(id)
      : one.id === rejectedBy,
  );
  const run = async (session: Session): Promise<void> => {
    demandNamed(session, id);
    baseOf(session, id);
    if (!mayCall(session, id)) return;
    const arbitrary = invalidArbitrary(schemaOf(id), { ...options(session.builder), where: isPlainlyInvalid });
    await hunt(arbitrary, originOf(session.builder, at), async ({ value, violation }, origin) => {
      if (!mayCall(session, id)) return false;
      return isSuspicious(await sendRandom(session, id, value, asksFor(subject, violation), origin), false);
    });
  };
  return sequence(id, `random invalid ${at}`, [], run, { mayAsk: rejecting.map((one) => ask(one)) });
}

/** `--runs` random bodies of each kind for each operation; none by default. */
export function randomBodies({ options }: RequestBuilder): readonly Sequence[] {
  const subjects = SUBJECTS.filter(({ id }) => id !== 'createCall' || options.numbers !== null);
  return subjects.flatMap((subject) =>
    Array.from({ length: options.runs }, (_, at) => [valid(subject, at), invalid(subject, at)]).flat(),
  );
}
