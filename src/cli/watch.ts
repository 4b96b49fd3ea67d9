/** A run on a terminal: the live line, Ctrl-C and SIGTERM. */

import { advance, NO_PROGRESS, pipeLine, progressLine } from '../report/progress.ts';
import type { SuiteEvent } from '../run/suite-run.ts';
import { type ExitCode, exitCodeOf, type InterruptSignal, type Terminal } from './terminal.ts';

/** npm passes on a signal that the terminal has sent already: two signals this close together (ms) are one. */
const ONE_PRESS = 300;

/** How often the live line is drawn again, in milliseconds. */
const REDRAW = 100;

/** What a run needs to be followed and interrupted. */
export interface Watch {
  /** Aborted by the first signal; its name is the reason. */
  readonly signal: AbortSignal;
  readonly show: (event: SuiteEvent) => void;
  /** Removes the live line. */
  readonly end: () => void;
}

/**
 * Runs a command and listens to the signals of its terminal meanwhile. The first signal winds the run down, the second
 * one stops the process. Resolves with the exit code of the signal if one came. `quiet` hides the live line.
 */
export async function watched(
  terminal: Terminal,
  quiet: boolean,
  work: (watch: Watch) => Promise<ExitCode>,
): Promise<ExitCode> {
  const controller = new AbortController();
  let firstAt = 0;
  let open: readonly string[] = [];
  const line = liveLine(terminal, quiet);
  const on = (signal: InterruptSignal): void => {
    if (!controller.signal.aborted) {
      firstAt = terminal.now();
      terminal.err('Interrupted: winding down and hanging up open calls. Interrupt again to stop at once.');
      controller.abort(signal);
    } else if (terminal.now() - firstAt >= ONE_PRESS) {
      if (open.length > 0) terminal.err(`Possibly still open: ${open.join('; ')}.`);
      terminal.exit(exitCodeOf(signal));
    }
  };
  const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, () => on(signal)] as const);
  for (const [signal, listener] of listeners) terminal.signals.on(signal, listener);
  const show = (event: SuiteEvent): void => {
    if (event.kind === 'calls') open = event.open;
    line.show(event);
  };
  try {
    const code = await work({ signal: controller.signal, show, end: line.end });
    return controller.signal.aborted ? exitCodeOf(controller.signal.reason) : code;
  } finally {
    for (const [signal, listener] of listeners) terminal.signals.off(signal, listener);
  }
}

/** The live line on standard error; plain lines if that is not a terminal. */
function liveLine(terminal: Terminal, quiet: boolean): Omit<Watch, 'signal'> {
  let progress = NO_PROGRESS;
  let drawn = Number.NEGATIVE_INFINITY;
  const draw = terminal.redraw;
  return {
    show: (event) => {
      if (quiet) return;
      const at = terminal.now();
      progress = advance(progress, event, at);
      if (draw === undefined) {
        const line = pipeLine(progress, event, at);
        if (line !== null) terminal.err(line);
      } else if (at - drawn >= REDRAW || event.kind === 'wait') {
        drawn = at;
        draw(progressLine(progress, at, terminal.width ?? 80));
      }
    },
    end: () => {
      if (!quiet) draw?.('');
    },
  };
}
