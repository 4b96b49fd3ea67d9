/** The session of one attempt of a sequence: it notes every answer. */

import type { Client } from '../client/client.ts';
import type { HangUpAs } from '../client/hang-ups.ts';
import type { Answer, Place, SuiteRequest } from '../client/request.ts';
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

  async send(request: SuiteRequest): Promise<Answer> {
    const answer = await this.#client.send(request, this.#place);
    this.answers.push(answer);
    noteWrite(this.state, request, answer);
    return answer;
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
