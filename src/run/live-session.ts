/** The session of one attempt of a sequence: it notes every answer. */

import type { Client } from '../client/client.ts';
import type { HangUpAs } from '../client/hang-ups.ts';
import { type Answer, type Place, Skipped, type SuiteRequest } from '../client/request.ts';
import type { RequestBuilder } from './builder.ts';
import type { Session } from './sequence.ts';
import type { RunState } from './state.ts';
import { noteWrite } from './written.ts';

/** Sends through the client, at one place of the plan. */
export class LiveSession implements Session {
  readonly builder: RequestBuilder;
  readonly state: RunState;
  readonly answers: Answer[] = [];
  readonly #client: Client;
  readonly #place: Place;

  constructor(client: Client, builder: RequestBuilder, state: RunState, place: Place) {
    this.#client = client;
    this.builder = builder;
    this.state = state;
    this.#place = place;
  }

  get callsLeft(): number {
    return this.#client.slot.left;
  }

  keepCalls(count: number): void {
    this.#client.slot.demand(count);
  }

  async send(request: SuiteRequest): Promise<Answer> {
    this.#demandSelected(request);
    const answer = await this.#client.send(request, this.#place);
    this.answers.push(answer);
    noteWrite(this.state, request, answer);
    return answer;
  }

  /** What `--without` leaves out is not sent for the sake of another operation either, unless to restore the target. */
  #demandSelected({ operation }: SuiteRequest): void {
    const { without } = this.builder.options;
    if (operation === null || !without.includes(operation) || this.#place.cleanUp === true) return;
    throw new Skipped(`${operation} is left out`, `do not leave ${operation} out with --without`);
  }

  async hangUp(as?: HangUpAs): Promise<Answer | null> {
    const answer = await this.#client.hangUp(this.#place, as);
    if (answer !== null) this.answers.push(answer);
    return answer;
  }

  async endOther(id: string, as: HangUpAs): Promise<Answer> {
    const answer = await this.#client.endOther(id, this.#place, as);
    this.answers.push(answer);
    return answer;
  }

  openCall(): string | null {
    return this.#client.slot.open?.ids[0] ?? null;
  }
}
