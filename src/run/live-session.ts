/** The session of one attempt of a sequence: it notes every answer. */

import type { Client } from '../client/client.ts';
import type { HangUpAs } from '../client/hang-ups.ts';
import { type Answer, type Place, type SuiteRequest, Unrecorded } from '../client/request.ts';
import { operationById } from '../contract/operations.ts';
import type { RequestBuilder } from './builder.ts';
import type { Session } from './sequence.ts';
import type { RunState } from './state.ts';

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
    const answer = await this.#client.send(request, this.#place).catch((error) => {
      if (error instanceof Unrecorded) this.#nameLost(request);
      throw error;
    });
    this.answers.push(answer);
    this.#noteWritten(request, answer.status);
    return answer;
  }

  /** The sequence that would restore the value, or name it, ends here. */
  #nameLost(request: SuiteRequest): void {
    this.#noteWritten(request, null);
    const { operation } = request;
    if (operation === null || !this.state.written.has(operation)) return;
    const { title } = operationById(operation);
    this.state.changed.add(`${title}: an update may have taken effect whose answer was lost (${request.about})`);
  }

  /** An update without a response may still have taken effect. */
  #noteWritten({ operation, method, credential, body }: SuiteRequest, status: number | null): void {
    const isEmpty = body === null || body.length <= '{}'.length;
    if (operation === null || method === 'GET' || isEmpty) return;
    const rejected = status !== null && status >= 300 && status < 500;
    if (!rejected && (credential === 'valid' || status !== null)) this.state.written.add(operation);
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
