/**
 * Exploration: walks of random commands over the whole interface, after everything systematic (conformance model,
 * sections 5 and 8). It finds what only a sequence shows, and every walk can be sent again by its path.
 */

import { possibleForms } from '../../src/client/credential.ts';
import { DRAWN } from '../../src/contract/limits.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import { type Command, type CommandSubject, type DrawWalk, walksOver } from '../../src/generate/commands.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { type Sequence, type Session, type Walk, walkName } from '../../src/run/sequence.ts';
import { schemaOf } from '../bodies.ts';
import { CREATE, isOneOf, READS } from '../operations.ts';
import { credentialWays } from './credentials.ts';
import { bodyOptions, OTHER, stimuliOf, Walker } from './walk.ts';

/** Calls are for the systematic part: an exploration places some only where more of them are allowed than that needs. */
const mayCall = ({ numbers, maxCalls }: RunOptions): boolean => numbers !== null && maxCalls > RUN_DEFAULTS.maxCalls;

function isPossible(id: OperationId, builder: RequestBuilder): boolean {
  const { options } = builder;
  if (options.without.includes(id) || (options.profile === 'read-only' && !isOneOf(READS, id))) return false;
  if (id === CREATE) return mayCall(options);
  return id !== 'assignNumber' || builder.named('carrierConnection') !== undefined;
}

function commandSubject(id: OperationId, builder: RequestBuilder): CommandSubject {
  const { path, body } = operationById(id);
  const possible = possibleForms(builder.options.credentials);
  const invalid = credentialWays(builder, id).flatMap(({ form }) => (possible.has(form) ? [form] : []));
  return {
    operation: id,
    resource: path.split('/')[2] ?? '',
    forms: [...invalid, ...(possible.has(OTHER) ? ([OTHER] as const) : [])],
    ...(body === null ? {} : { body: { schema: schemaOf(id), options: bodyOptions(id, builder) } }),
    isSingle: id === CREATE,
  };
}

/** The operations that walks may draw. */
const subjectsFor = (builder: RequestBuilder): readonly CommandSubject[] =>
  OPERATION_IDS.filter((id) => isPossible(id, builder)).map((id) => commandSubject(id, builder));

type Draw = (number: number, most: number) => readonly Command[];

/** Draws the commands of a walk of at most this many requests behind its first one; nothing is prepared until the first. */
function drawing(builder: RequestBuilder): Draw {
  let drawWalk: DrawWalk | undefined;
  return (number, most) => {
    const seed = Number.parseInt(builder.digest(`walk ${number}`).slice(0, 8), 16) | 0;
    drawWalk ??= walksOver(subjectsFor(builder));
    return drawWalk(seed, most);
  };
}

/** A command, and its place in the whole walk. */
interface PlacedCommand {
  readonly command: Command;
  readonly place: number;
}

const NO_ASKS: Sequence['asks'] = [];

/** One walk, or the commands of it at some places. A plan holds up to five hundred of them, and draws each when it is sent. */
class WalkSequence implements Sequence, Walk {
  readonly operation = 'undocumented';
  readonly lane = 'exploration';
  readonly phase = 'exploration';
  readonly asks = NO_ASKS;
  readonly name: string;
  readonly number: number;
  readonly #path: string;
  readonly #draw: Draw;
  readonly #most: number;
  readonly #places: readonly number[] | undefined;

  constructor(draw: Draw, number: number, most: number, places?: readonly number[]) {
    this.#draw = draw;
    this.number = number;
    this.#most = most;
    this.#places = places;
    this.#path = [number, ...(places ?? [])].join(':');
    this.name = walkName(this.#path);
  }

  get walk() {
    return this;
  }

  get #chosen(): readonly PlacedCommand[] {
    const places = this.#places;
    const commands = this.#draw(this.number, this.#most).map((command, place) => ({ command, place }));
    return places === undefined ? commands : commands.filter(({ place }) => places.includes(place));
  }

  get commands(): number {
    return this.#chosen.length;
  }

  part(at: readonly number[]): Sequence {
    const places = this.#chosen.map(({ place }) => place);
    const chosen = at.flatMap((one) => places[one] ?? []);
    return new WalkSequence(this.#draw, this.number, this.#most, chosen);
  }

  async run(session: Session): Promise<void> {
    const drawn = this.#chosen;
    const { fatal } = session.state;
    const fatalIn = ({ command, place }: PlacedCommand) => stimuliOf(command, place).filter((one) => fatal.has(one));
    const commands = drawn.filter((one) => fatalIn(one).length === 0);
    if (commands.length === 0) return;
    // The path names what is sent, so that it is the same where the walk is sent alone.
    const places = commands.length === drawn.length ? [] : commands.map(({ place }) => place);
    const path = places.length === 0 ? this.#path : [this.number, ...places].join(':');
    const { seed } = session.builder.options;
    const walker = new Walker(session, { seed, path, commands: commands.length });
    await walker.begin([...new Set(drawn.flatMap(fatalIn))]);
    for (const { command, place } of commands) await walker.carryOut(command, place);
    await walker.end();
  }
}

/** The walks of `--explore`, or the one that `--path` names. */
export function exploration(builder: RequestBuilder): readonly Sequence[] {
  const { explore, path } = builder.options;
  const draw = drawing(builder);
  if (path !== undefined) {
    const [number = 0, ...places] = path.split(':').map(Number);
    return [new WalkSequence(draw, number, DRAWN.walk - 1, places.length === 0 ? undefined : places)];
  }
  const numbers = Array.from({ length: Math.ceil(explore / DRAWN.walk) }, (_, number) => number);
  const mostOf = (number: number): number => Math.min(DRAWN.walk, explore - number * DRAWN.walk) - 1;
  return numbers.map((number) => new WalkSequence(draw, number, mostOf(number)));
}
