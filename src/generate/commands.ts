/**
 * The commands of an exploration, drawn by seed alone. Which resource, secret or call a command meets is decided when it
 * is sent (suites/sequences/walk.ts), so that what is drawn never depends on an answer.
 */

import fc from 'fast-check';
import { DRAWN } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import type { OperationId } from '../contract/operations.ts';
import type { JsonSchema } from '../contract/schemas.ts';
import type { CredentialForm } from '../exchange/exchange.ts';
import type { JsonObject } from './json.ts';
import type { GenerateOptions } from './options.ts';
import { validArbitrary } from './random.ts';

/** The body of a command; `at` chooses from a list that is known when it is sent: how a valid body is made invalid, say. */
export type CommandBody =
  | { readonly kind: 'none' | 'typical' }
  | { readonly kind: 'valid'; readonly value: JsonObject }
  | { readonly kind: 'invalid'; readonly value: JsonObject; readonly at: number }
  | { readonly kind: 'boundary' | 'malformed'; readonly at: number };

/** One command: a request to an operation, or two equal ones. */
export interface Command {
  readonly operation: OperationId;
  readonly ids: 'own' | 'unknown' | 'malformed';
  readonly credential: CredentialForm;
  readonly slash: 'documented' | 'other';
  readonly body: CommandBody;
  readonly pace: 'once' | 'twice' | 'at once';
}

/** An operation that may be drawn. */
export interface CommandSubject {
  readonly operation: OperationId;
  /** What it is about: operations on the same are drawn together. */
  readonly resource: string;
  /** Forms of an invalid credential, and of the other organization's, that can be made of the settings. */
  readonly forms: readonly CredentialForm[];
  /** What its body may be; absent for an operation without one. */
  readonly body?: { readonly schema: JsonSchema; readonly options: GenerateOptions };
  /** Two at once could place two calls. */
  readonly isSingle: boolean;
}

function mostly<T>(usual: T, ...unusual: readonly T[]): fc.Arbitrary<T> {
  const rest = unusual.map((value) => ({ weight: 1, arbitrary: fc.constant(value) }));
  return fc.oneof({ weight: DRAWN.ordinary, arbitrary: fc.constant(usual) }, ...rest);
}

function credentials(forms: readonly CredentialForm[]): fc.Arbitrary<CredentialForm> {
  const invalid = forms.filter((form) => form !== 'other-organization');
  return fc.oneof(
    { weight: DRAWN.ordinary, arbitrary: fc.constant<CredentialForm>('valid') },
    ...(invalid.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...invalid) }]),
    ...(invalid.length === forms.length
      ? []
      : [{ weight: 1, arbitrary: fc.constant<CredentialForm>('other-organization') }]),
  );
}

const place = fc.nat({ max: 0xffff });
const chosen = (kind: 'boundary' | 'malformed'): fc.Arbitrary<CommandBody> => place.map((at) => ({ kind, at }));

function bodies({ body }: CommandSubject): fc.Arbitrary<CommandBody> {
  if (body === undefined) return fc.constant({ kind: 'none' });
  const valid = validArbitrary(body.schema, body.options);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'typical' }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('valid' as const), value: valid }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('invalid' as const), value: valid, at: place }) },
    { weight: 1, arbitrary: chosen('boundary') },
    { weight: 1, arbitrary: chosen('malformed') },
  );
}

function commandOf(subject: CommandSubject): fc.Arbitrary<Command> {
  return fc.record({
    operation: fc.constant(subject.operation),
    ids: mostly<Command['ids']>('own', 'unknown', 'malformed'),
    credential: credentials(subject.forms),
    slash: mostly<Command['slash']>('documented', 'other'),
    body: bodies(subject),
    pace: subject.isSingle ? fc.constant<Command['pace']>('once') : mostly<Command['pace']>('once', 'twice', 'at once'),
  });
}

const requestsOf = ({ pace }: Command): number => (pace === 'once' ? 1 : 2);

/** Whether the credential belongs to no organization. */
const hasInvalidCredential = ({ credential }: Pick<Command, 'credential'>): boolean =>
  credential !== 'valid' && credential !== 'other-organization';

/**
 * The first commands, which make a walk of exactly that many requests. Only the first invalid credential stays one: a
 * target may lock out the sender of several, and the others would prove nothing then.
 */
function fitting(drawn: readonly Command[], most: number): readonly Command[] {
  const tamed = drawn.map((one, at): Command => {
    const isRepeated =
      hasInvalidCredential(one) && (one.pace !== 'once' || drawn.slice(0, at).some(hasInvalidCredential));
    return isRepeated ? { ...one, credential: 'valid' } : one;
  });
  let left = most;
  return tamed.flatMap((one): readonly Command[] => {
    if (left === 0) return [];
    const fits: Command = left === 1 ? { ...one, pace: 'once' } : one;
    left -= requestsOf(fits);
    return [fits];
  });
}

const CHANGE = 'updateTrunk';
/** A command as most of them are, but for the operation and the body. */
const ORDINARY_COMMAND = { ids: 'own', credential: 'valid', slash: 'documented', pace: 'once' } as const;

/** The ordinary read of the trunk. */
export const READ: Command = { ...ORDINARY_COMMAND, operation: 'getTrunk', body: { kind: 'none' } };

const isOrdinary = ({ ids, credential, slash }: Command): boolean =>
  ids === 'own' && credential === 'valid' && slash === 'documented';

/** Whether the walk changes the trunk and does not read it afterwards as its owner. */
function lacksRead(commands: readonly Command[]): boolean {
  const changed = commands.findLastIndex(({ operation, ids }) => operation === CHANGE && ids === 'own');
  const later = commands.slice(changed + 1);
  return changed >= 0 && !later.some((one) => one.operation === READ.operation && isOrdinary(one));
}

/** The commands of a whole walk. What was lost or undone on the way shows in a read at its end. */
function completed(drawn: readonly Command[], canRead: boolean): readonly Command[] {
  const commands = fitting(drawn, DRAWN.walk - 1);
  return canRead && lacksRead(commands) ? [...fitting(drawn, DRAWN.walk - 2), READ] : commands;
}

/** Draws the commands of one walk of at most this many requests behind its first one; the same seed gives the same. */
export type DrawWalk = (seed: number, most: number) => readonly Command[];

/** Prepares the draw of walks over the subjects; throws `RangeError` without one. */
export function walksOver(subjects: readonly CommandSubject[]): DrawWalk {
  const resources = [...groupBy(subjects, ({ resource }) => resource).values()];
  if (resources.length === 0) throw new RangeError('the options leave no operation to explore');
  const canRead = subjects.some(({ operation }) => operation === READ.operation);
  const some = fc.subarray(
    resources.map((own) => fc.oneof(...own.map(commandOf))),
    {
      minLength: Math.min(DRAWN.fewestResources, resources.length),
      maxLength: Math.min(DRAWN.mostResources, resources.length),
    },
  );
  const length = { minLength: DRAWN.walk - 1, maxLength: DRAWN.walk - 1 };
  const walk = fc.noBias(some).chain((chosen) => fc.array(fc.oneof(...chosen), length));
  return (seed, most) => {
    const [drawn = []] = fc.sample(walk, { seed, numRuns: 1 });
    // The beginning of the whole walk, so that a path means the same in both.
    return fitting(completed(drawn, canRead), most);
  };
}
