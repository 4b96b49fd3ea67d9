/**
 * The road between the command and the suites that vitest runs in a worker thread of the same process: a channel named
 * per run. Both ends are here; the module imports nothing but Node, so that either side can have it.
 */

import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** The signals that end a run early. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM';

/** What the command provides to the suites under the key `conformanceRun`. */
export interface ProvidedRun {
  readonly channel: string;
  readonly input: unknown;
}

type ToSuites = { readonly to: 'suites'; readonly type: 'interrupt'; readonly signal: InterruptSignal };
type ToCommand =
  | { readonly to: 'command'; readonly type: 'ready' | 'finished' }
  | { readonly to: 'command'; readonly type: 'event'; readonly event: unknown };
type Message = ToSuites | ToCommand;

/** The command's end: says when the suites are there, what they report and whether they came to their end. */
export interface CommandEnd {
  /** Asks the suites to wind down; kept for them where they have not started yet. */
  readonly interrupt: (signal: InterruptSignal) => void;
  /** Takes in what has been posted and not yet delivered, closes, and says whether the suites came to their end. */
  readonly close: () => { readonly finished: boolean };
}

/** The suites' end. */
export interface SuitesEnd<Event> {
  /** Aborted, with the signal's name as the reason, once the command was interrupted. */
  readonly signal: AbortSignal;
  /** Reports an event, of structured-clone data, to the command. */
  readonly report: (event: Event) => void;
  /** Says that everything was reported, and closes; without it the command holds the suite to be broken. */
  readonly finish: () => void;
}

/** Opens the command's end of the channel; `onEvent` gets every event in the order of reporting. */
export function openCommandEnd<Event>(name: string, onEvent: (event: Event) => void): CommandEnd {
  const channel = new BroadcastChannel(name);
  let pending: InterruptSignal | undefined;
  let finished = false;
  const post = (message: ToSuites): void => channel.postMessage(message);
  const take = (message: Message): void => {
    if (message.to !== 'command') return;
    if (message.type === 'event') onEvent(message.event as Event);
    if (message.type === 'finished') finished = true;
    if (message.type === 'ready' && pending !== undefined) post({ to: 'suites', type: 'interrupt', signal: pending });
  };
  channel.onmessage = (message) => take((message as { readonly data: Message }).data);
  return {
    interrupt: (signal) => {
      pending = signal;
      post({ to: 'suites', type: 'interrupt', signal });
    },
    close: () => {
      // vitest's own port and this channel are not ordered against each other: the last events may still be queued.
      for (let rest = next(channel); rest !== undefined; rest = next(channel)) take(rest.message);
      channel.close();
      return { finished };
    },
  };
}

function next(channel: BroadcastChannel): { readonly message: Message } | undefined {
  // Node takes a broadcast channel here too; its type declarations do not say so.
  return receiveMessageOnPort(channel as unknown as MessagePort) as { readonly message: Message } | undefined;
}

/** Opens the suites' end of the channel of that name. */
export function openSuitesEnd<Event>(name: string): SuitesEnd<Event> {
  const channel = new BroadcastChannel(name);
  const interruption = new AbortController();
  const post = (message: ToCommand): void => channel.postMessage(message);
  channel.onmessage = (message) => {
    const data = (message as { readonly data: Message }).data;
    if (data.to === 'suites') interruption.abort(data.signal);
  };
  post({ to: 'command', type: 'ready' });
  return {
    signal: interruption.signal,
    report: (event) => post({ to: 'command', type: 'event', event }),
    finish: () => {
      post({ to: 'command', type: 'finished' });
      channel.close();
    },
  };
}
