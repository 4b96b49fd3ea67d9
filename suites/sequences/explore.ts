/**
 * Exploration: walks of random commands over the whole interface, after everything systematic (conformance model,
 * sections 5 and 8). It finds what only a sequence shows, and every walk can be sent again by its path.
 */

import { carry } from '../../src/client/credential.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import { partOf } from '../../src/contract/shard.ts';
import { type Command, type CommandSubject, WALK_REQUESTS, Walks } from '../../src/generate/commands.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { type Sequence, type Session, type Walk, walkName } from '../../src/run/sequence.ts';
import { isOneOf, READS } from '../operations.ts';
import { bodyOptions, bodySchemaOf, CommandBodies } from './command-bodies.ts';
import { credentialWays } from './credentials.ts';
import { Walker } from './walk.ts';

const CREATE = 'createCall';

/**
 * Calls are for the systematic part: an exploration places some only where more of them are allowed than that needs, and
 * none where several runs divide it, since the caps hold for each of them and the line is one.
 */
const mayCall = ({ numbers, maxCalls, shard }: RunOptions): boolean =>
  numbers !== null && shard === undefined && maxCalls > RUN_DEFAULTS.maxCalls;

function isPossible(id: OperationId, builder: RequestBuilder): boolean {
  const { options } = builder;
  if (options.without.includes(id) || (options.profile === 'read-only' && !isOneOf(READS, id))) return false;
  if (id === CREATE) return mayCall(options);
  return id !== 'assignNumber' || builder.named('carrierConnection') !== undefined;
}

function subjectOf(id: OperationId, builder: RequestBuilder): CommandSubject {
  const schema = bodySchemaOf(id);
  const invalid = credentialWays(builder, id).map(({ form }) => form);
  const isOtherKnown = carry('other-organization', builder.options.credentials) !== null;
  return {
    operation: id,
    resource: operationById(id).path.split('/')[2] ?? '',
    forms: [...invalid, ...(isOtherKnown ? (['other-organization'] as const) : [])],
    ...(schema === undefined ? {} : { body: { schema, options: bodyOptions(id, builder) } }),
    isReadOfOthers: id === 'getTrunk' && isOtherKnown,
    isSingle: id === CREATE,
  };
}

/** What all walks of a run share. */
class Exploration {
  readonly #builder: RequestBuilder;
  readonly #bodies: CommandBodies;
  #walks: Walks | null = null;

  constructor(builder: RequestBuilder) {
    this.#builder = builder;
    this.#bodies = new CommandBodies(builder);
  }

  #draw(number: number, most: number) {
    this.#walks ??= new Walks(
      OPERATION_IDS.filter((id) => isPossible(id, this.#builder)).map((id) => subjectOf(id, this.#builder)),
    );
    return this.#walks.draw(Number.parseInt(this.#builder.digest(`walk ${number}`).slice(0, 8), 16) | 0, most);
  }

  /** The commands of a walk of at most so many requests behind its first one, each with its place; or some of them. */
  commands(number: number, most: number, places?: readonly number[]): readonly PlacedCommand[] {
    const commands = this.#draw(number, most).map((command, place) => ({ command, place }));
    return places === undefined ? commands : commands.filter(({ place }) => places.includes(place));
  }

  /** Carries out commands as one walk. */
  async send(session: Session, path: string, commands: readonly PlacedCommand[]): Promise<void> {
    const origin = { seed: this.#builder.options.seed, path, commands: commands.length };
    const walker = new Walker(session, this.#bodies, origin);
    await walker.begin();
    for (const { command, place } of commands) await walker.carryOut(command, place);
    await walker.end();
  }
}

interface PlacedCommand {
  readonly command: Command;
  readonly place: number;
}

/** One walk, or the commands of it at some places. A plan holds up to a hundred thousand of them, so each is small. */
class WalkSequence implements Sequence, Walk {
  readonly name: string;
  readonly number: number;
  readonly #own: Exploration;
  readonly #most: number;
  readonly #places: readonly number[] | undefined;

  constructor(own: Exploration, number: number, most: number, places?: readonly number[]) {
    this.#own = own;
    this.number = number;
    this.#most = most;
    this.#places = places;
    this.name = walkName([number, ...(places ?? [])].join(':'));
  }

  get operation() {
    return 'undocumented' as const;
  }

  get lane() {
    return 'exploration';
  }

  get phase() {
    return 'exploration' as const;
  }

  get asks() {
    return [];
  }

  get walk() {
    return this;
  }

  get #chosen(): readonly PlacedCommand[] {
    return this.#own.commands(this.number, this.#most, this.#places);
  }

  get commands(): number {
    return this.#chosen.length;
  }

  part(at: readonly number[]): Sequence {
    const places = this.#chosen.map(({ place }) => place);
    const chosen = at.flatMap((one) => places[one] ?? []);
    return new WalkSequence(this.#own, this.number, this.#most, chosen);
  }

  get run() {
    return async (session: Session): Promise<void> =>
      this.#own.send(session, this.name.slice(walkName('').length), this.#chosen);
  }
}

/** The walks of `--explore`, or the one that `--path` names. */
export function exploration(builder: RequestBuilder): readonly Sequence[] {
  const { explore, path, walks, shard = { index: 1, count: 1 } } = builder.options;
  const own = new Exploration(builder);
  if (path !== undefined) {
    const [number = 0, ...places] = path.split(':').map(Number);
    return [new WalkSequence(own, number, WALK_REQUESTS - 1, places.length === 0 ? undefined : places)];
  }
  const { from, to } = partOf(shard, Math.ceil(explore / WALK_REQUESTS));
  const all = Array.from({ length: to - from }, (_, at) => from + at);
  const wanted = walks === undefined ? all : all.filter((number) => walks.has(number));
  const mostOf = (number: number): number => Math.min(WALK_REQUESTS, explore - number * WALK_REQUESTS) - 1;
  return wanted.map((number) => new WalkSequence(own, number, mostOf(number)));
}
