/**
 * Exploration: walks of random commands over the whole interface, after everything systematic (conformance model,
 * sections 5 and 8). It finds what only a sequence shows, and every walk can be repeated by its path.
 */

import { DRAWN } from '../../src/contract/limits.ts';
import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import {
  type Command,
  type CommandSubject,
  chosenPlaces,
  type DrawWalk,
  pairOf,
  walksOver,
} from '../../src/generate/commands.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence, Session, WalkSequence } from '../../src/run/sequence.ts';
import { isAccepted, isOurs } from '../../src/verdict/answer.ts';
import { idForBody } from '../bodies.ts';
import { CREATE, isOneOf, OTHERS_CREDENTIAL, READS } from '../operations.ts';
import { invalidForms, stimuliOf, Walker } from './walk.ts';

function isPossible(id: OperationId, builder: RequestBuilder): boolean {
  const { options } = builder;
  if (options.without.includes(id) || (options.profile === 'read-only' && !isOneOf(READS, id))) return false;
  // Calls are for the systematic part: an exploration only places some if more are allowed than that needs.
  if (id === CREATE) return options.numbers !== null && options.maxCalls > RUN_DEFAULTS.maxCalls;
  return id !== 'assignNumber' || idForBody(builder, 'carrierConnection') !== undefined;
}

function commandSubject(operation: OperationId, builder: RequestBuilder): CommandSubject {
  const { resources, body } = operationById(operation);
  return {
    operation,
    unusual: [
      'other slash form',
      ...(resources.length === 0 ? [] : (['unknown id', 'malformed id'] as const)),
      ...(body === null ? [] : (['invalid body', 'boundary value', 'malformed body'] as const)),
      ...(invalidForms(builder, operation).length === 0 ? [] : (['invalid credential'] as const)),
      ...(builder.forms.has(OTHERS_CREDENTIAL) ? (['other organization'] as const) : []),
      // Two at once could place two calls.
      ...(operation === CREATE ? [] : (['two at once'] as const)),
    ],
  };
}

/** The pairs of ordinary requests that the systematic part sent in succession, most of them to one resource. */
function pairsIn(exchanges: readonly Exchange[]): Set<string> {
  const isPart = (exchange: Exchange | undefined): exchange is Exchange =>
    exchange?.tag.documented === true && isOurs(exchange) && isAccepted(exchange);
  const pairs = exchanges.flatMap((exchange, at) => {
    const before = exchanges[at - 1];
    return isPart(before) && isPart(exchange) ? [pairOf(`${before.tag.operation}`, `${exchange.tag.operation}`)] : [];
  });
  return new Set(pairs);
}

/** What the walks of a run share; nothing is prepared until the first. */
class Walks {
  readonly #builder: RequestBuilder;
  #draw: DrawWalk | undefined;
  #sent: Set<string> | undefined;

  constructor(builder: RequestBuilder) {
    this.#builder = builder;
  }

  drawn(number: number): readonly Command[] {
    this.#draw ??= walksOver(
      OPERATION_IDS.filter((id) => isPossible(id, this.#builder)).map((id) => commandSubject(id, this.#builder)),
    );
    return this.#draw(Number.parseInt(this.#builder.digest(`walk ${number}`).slice(0, 8), 16) | 0);
  }

  chosen(number: number, most: number, exchanges: readonly Exchange[]): readonly number[] {
    this.#sent ??= pairsIn(exchanges);
    return chosenPlaces(this.drawn(number), this.#sent, most);
  }
}

const walkName = (path: string): string => `exploration/${path}`;

/** One walk with the commands at some places of its draw; without places it chooses them before it is sent. */
function walkOf(walks: Walks, number: number, most: number, places?: readonly number[], name?: string): WalkSequence {
  const path = [number, ...(places ?? [])].join(':');
  return {
    operation: 'undocumented',
    lane: 'exploration',
    phase: 'exploration',
    asks: [],
    name: name ?? walkName(path),
    walk: {
      commands: places?.length ?? 0,
      chosen: (sent) => walkOf(walks, number, most, places ?? walks.chosen(number, most, sent), walkName(path)),
      part: (at) => {
        const some = at.flatMap((index) => places?.[index] ?? []);
        return walkOf(walks, number, most, some);
      },
    },
    run: (session) => carryOut(session, walks.drawn(number), number, places ?? []),
  };
}

/** Sends the commands at these places, except those that took the target down before. */
async function carryOut(session: Session, drawn: readonly Command[], number: number, places: readonly number[]) {
  const { builder, state } = session;
  const fatalIn = (place: number): readonly string[] => {
    const command = drawn[place];
    return command === undefined ? [] : stimuliOf(command, builder).filter((stimulus) => state.fatal.has(stimulus));
  };
  const sent = places.filter((place) => fatalIn(place).length === 0);
  if (sent.length === 0) return;
  // The path names what is sent, so it is the same if the walk is sent alone.
  const origin = { seed: builder.options.seed, path: [number, ...sent].join(':'), commands: sent.length };
  const walker = new Walker(session, origin);
  await walker.begin([...new Set(places.flatMap(fatalIn))]);
  for (const place of sent) {
    const command = drawn[place];
    if (command !== undefined) await walker.carryOut(command, place);
  }
  await walker.end();
}

/** The walks of `--explore`, or the one that `--path` names. */
export function exploration(builder: RequestBuilder): readonly Sequence[] {
  const { explore, path } = builder.options;
  const walks = new Walks(builder);
  if (path !== undefined) {
    const [number = 0, ...places] = path.split(':').map(Number);
    return [walkOf(walks, number, DRAWN.walk - 1, places.length === 0 ? undefined : places)];
  }
  const numbers = Array.from({ length: Math.ceil(explore / DRAWN.walk) }, (_, number) => number);
  return numbers.map((number) => walkOf(walks, number, Math.min(DRAWN.walk, explore - number * DRAWN.walk) - 1));
}
