/**
 * The commands of an exploration, drawn from the seed alone. Which resource, secret or call a command uses is decided
 * when it is sent (suites/sequences/walk.ts), so the draw never depends on a response.
 */

import fc from 'fast-check';
import { DRAWN } from '../contract/limits.ts';
import { type OperationId, operationById } from '../contract/operations.ts';

/** What may be unusual about a command; each has at most one unusual thing, so that a finding names it. */
export type Unusual =
  | 'unknown id'
  | 'malformed id'
  | 'invalid credential'
  | 'other organization'
  | 'other slash form'
  | 'two at once'
  | 'invalid body'
  | 'boundary value'
  | 'malformed body';

/** One command: a request to an operation, or two equal requests. */
export interface Command {
  readonly operation: OperationId;
  readonly unusual: Unusual | null;
  /** Seeds its body, and its choice from lists known only on sending, such as the ways to make a body invalid. */
  readonly at: number;
}

/** An operation that may be drawn, and what may be unusual about a request to it. */
export interface CommandSubject {
  readonly operation: OperationId;
  readonly unusual: readonly Unusual[];
}

/** The ordinary read of the trunk. */
const PLAIN_READ: Command = { operation: 'getTrunk', unusual: null, at: 0 };

function drawnCommand({ operation, unusual }: CommandSubject): fc.Arbitrary<Command> {
  const ordinary = { weight: DRAWN.ordinary, arbitrary: fc.constant<Unusual | null>(null) };
  return fc.record({
    operation: fc.constant(operation),
    unusual: fc.oneof(ordinary, ...unusual.map((kind) => fc.constant<Unusual | null>(kind))),
    at: fc.nat(),
  });
}

/** Draws the commands from which a walk chooses, in the order of sending; the same seed gives the same. */
export type DrawWalk = (seed: number) => readonly Command[];

/** Prepares the draw of walks over the subjects; throws `RangeError` without one. */
export function walksOver(subjects: readonly CommandSubject[]): DrawWalk {
  if (subjects.length === 0) throw new RangeError('the options leave no operation to explore');
  const length = { minLength: DRAWN.candidates, maxLength: DRAWN.candidates };
  const walk = fc.noBias(fc.array(fc.oneof(...subjects.map(drawnCommand)), length));
  const reads = subjects.some(({ operation }) => operation === PLAIN_READ.operation) ? [PLAIN_READ] : [];
  return (seed) => [...(fc.sample(walk, { seed, numRuns: 1 })[0] ?? []), ...reads];
}

/** A command as a part of a pair: what it is about, and what is unusual about it. */
const nameOf = ({ operation, unusual }: Command): string => (unusual === null ? operation : `${operation}, ${unusual}`);

/** Two consecutive requests. */
export const pairOf = (before: string, after: string): string => `${before}; ${after}`;

const requestsOf = ({ unusual }: Command): number => (unusual === 'two at once' ? 2 : 1);

/** Commands that may change the name of the trunk, which a later read shows. */
const isChange = ({ operation, unusual }: Command): boolean => operation === 'updateTrunk' && unusual !== 'unknown id';

const resourceOf = (id: OperationId): string => operationById(id).path.split('/')[2] ?? '';

/** Pairs of ordinary requests come first, those to one resource before all others. */
function rankBehind(before: Command | undefined, after: Command): number {
  if (before?.unusual !== null || after.unusual !== null) return 2;
  return resourceOf(before.operation) === resourceOf(after.operation) ? 0 : 1;
}

/** Whether the commands change the trunk and do not read it afterwards as its owner. */
function lacksRead(commands: readonly Command[]): boolean {
  const changed = commands.findLastIndex(isChange);
  return changed >= 0 && !commands.slice(changed + 1).some((command) => nameOf(command) === PLAIN_READ.operation);
}

/**
 * Chooses the places of exactly that many requests. Each makes a pair with the previous request that was not `sent`
 * yet, as long as the draw has such pairs, which are then added. Only one has an invalid credential: a target may lock
 * out the sender of several, and the rest would prove nothing. A final read shows what was lost or undone on the way.
 */
export function chosenPlaces(drawn: readonly Command[], sent: Set<string>, most: number): readonly number[] {
  const canRead = drawn.at(-1) === PLAIN_READ;
  const places: number[] = [];
  const chosen: Command[] = [];
  const takes = (command: Command, left: number): boolean => {
    const isSecond =
      command.unusual === 'invalid credential' && chosen.some(({ unusual }) => unusual === command.unusual);
    const isReadDue = canRead && lacksRead([...chosen, command]);
    return !isSecond && requestsOf(command) + (isReadDue ? 1 : 0) <= left;
  };
  for (let left = most; left > 0; ) {
    const before = chosen.at(-1);
    const isNew = (command: Command): boolean =>
      before === undefined ||
      (before.operation !== command.operation && !sent.has(pairOf(nameOf(before), nameOf(command))));
    const open = drawn.flatMap((command, place) =>
      place > (places.at(-1) ?? -1) && takes(command, left) ? [{ command, place }] : [],
    );
    const early = open.slice(0, Math.max(1, open.length - left));
    const isDue = canRead && left === 1 && lacksRead(chosen);
    const fresh = early.filter(({ command }) => isNew(command));
    const next = isDue
      ? open.at(-1)
      : (fresh.toSorted((a, b) => rankBehind(before, a.command) - rankBehind(before, b.command))[0] ?? early[0]);
    if (next === undefined) break;
    places.push(next.place);
    chosen.push(next.command);
    if (before !== undefined) sent.add(pairOf(nameOf(before), nameOf(next.command)));
    left -= requestsOf(next.command);
  }
  return places;
}
