/** Ctrl-C and SIGTERM: the first asks the run to wind down, the second ends the process. */

import { exitCodeOf } from './exit-codes.ts';
import type { InterruptSignal, Terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const satisfies readonly InterruptSignal[];

/** npm passes on the signal that the terminal has sent already: what comes so close together is one signal. */
const ONE_PRESS = 300;

/** A run's view of the signals. */
export interface Interruption {
  /** Aborted by the first signal; its name is the reason. */
  readonly signal: AbortSignal;
  /** Sets what to say when a second signal ends the process at once: the call that may still be open. */
  readonly setLastWords: (words: () => string | undefined) => void;
  /** The first signal so far. */
  readonly received: () => InterruptSignal | undefined;
  /** Stops listening. */
  readonly release: () => void;
}

/** Listens to the signals of a terminal until released. */
export function listenForSignals(terminal: Terminal): Interruption {
  const controller = new AbortController();
  let first: { readonly signal: InterruptSignal; readonly at: number } | undefined;
  let lastWords: () => string | undefined = () => undefined;
  const on = (signal: InterruptSignal): void => {
    if (first === undefined) {
      first = { signal, at: terminal.now() };
      terminal.err('Interrupted: winding down, and hanging up what is open. Once more stops at once.');
      controller.abort(signal);
    } else if (terminal.now() - first.at >= ONE_PRESS) {
      const words = lastWords();
      if (words !== undefined) terminal.err(words);
      terminal.exit(exitCodeOf(signal));
    }
  };
  const listeners = SIGNALS.map((signal) => [signal, () => on(signal)] as const);
  for (const [signal, listener] of listeners) terminal.signals.on(signal, listener);
  return {
    signal: controller.signal,
    setLastWords: (words) => {
      lastWords = words;
    },
    received: () => first?.signal,
    release: () => {
      for (const [signal, listener] of listeners) terminal.signals.off(signal, listener);
    },
  };
}
