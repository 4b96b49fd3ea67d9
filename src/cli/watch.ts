/** A run on a terminal: the live line, and the signals that interrupt it. */

import { TIME } from '../contract/limits.ts';
import { cleanCommand } from '../report/command-line.ts';
import { advance, NO_PROGRESS, pipeLine, progressLine, quietLine } from '../report/progress.ts';
import { RunEnd } from '../run/ports.ts';
import { sentenceOf } from '../run/run.ts';
import type { SuiteEvent } from '../run/suite-run.ts';
import { EXIT_CODES, type ExitCode, INTERRUPT_SIGNALS, type InterruptSignal, type Terminal } from './terminal.ts';

const STOPPED = 'Stopped before the end. This hangs up every call that may be open and restores what the run wrote';

/** What a run needs to be followed and interrupted. */
export interface Watch {
  /** Aborted by the first signal, whose name is the reason, or by an error. */
  readonly signal: AbortSignal;
  readonly show: (event: SuiteEvent) => void;
  /** Removes the live line. */
  readonly end: () => void;
}

/**
 * Runs a command and listens to its terminal meanwhile. The first signal winds the run down, the second one stops the
 * process. An uncaught error winds it down, too. Resolves with the exit code of whatever ended it. `quiet` hides the
 * live line.
 */
export async function watched(
  terminal: Terminal,
  quiet: boolean,
  work: (watch: Watch) => Promise<ExitCode>,
): Promise<ExitCode> {
  const controller = new AbortController();
  let first: { readonly signal: InterruptSignal; readonly at: number } | null = null;
  let isBroken = false;
  let open: readonly string[] = [];
  let written: Extract<SuiteEvent, { readonly kind: 'write' }> | null = null;
  const line = liveLine(terminal, quiet);
  const onSignal = (signal: InterruptSignal): void => {
    if (first === null) {
      first = { signal, at: terminal.now() };
      terminal.err('Interrupted: winding down and hanging up open calls. Interrupt again to stop at once.');
      controller.abort(signal);
    } else if (terminal.now() - first.at >= TIME.press) {
      if (open.length > 0) terminal.err(`Possibly still open: ${open.join('; ')}.`);
      if (written !== null) terminal.err(`${STOPPED}: ${cleanCommand(written)}`);
      terminal.exit(EXIT_CODES[signal]);
    }
  };
  const onError = (cause: unknown): void => {
    if (isBroken) return;
    isBroken = true;
    terminal.err(`The suite itself broke: ${sentenceOf(cause)}: winding down and hanging up open calls.`);
    controller.abort(new RunEnd('the suite itself broke'));
  };
  const presses = INTERRUPT_SIGNALS.map((signal) => [signal, () => onSignal(signal)] as const);
  const errors = (['uncaughtException', 'unhandledRejection'] as const).map((event) => [event, onError] as const);
  const listeners = [...presses, ...errors];
  for (const [event, listener] of listeners) terminal.signals.on(event, listener);
  const show = (event: SuiteEvent): void => {
    if (event.kind === 'calls') open = event.open;
    if (event.kind === 'write') written = event;
    line.show(event);
  };
  try {
    const code = await work({ signal: controller.signal, show, end: line.end });
    return exitAfter(code, isBroken, first);
  } finally {
    line.stop();
    // After a second press at the very end, an interrupted run still exits with its code, not by the signal.
    const isInterrupted = controller.signal.aborted && !isBroken;
    for (const [event, listener] of isInterrupted ? errors : listeners) terminal.signals.off(event, listener);
  }
}

function exitAfter(code: ExitCode, isBroken: boolean, first: { readonly signal: InterruptSignal } | null): ExitCode {
  if (isBroken) return EXIT_CODES.void;
  return first === null ? code : EXIT_CODES[first.signal];
}

/** The live line on standard error; plain lines if it is not a terminal. It keeps counting in silence, until `stop`. */
function liveLine(terminal: Terminal, quiet: boolean): Omit<Watch, 'signal'> & { readonly stop: () => void } {
  let progress = NO_PROGRESS;
  let drawn = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  const draw = terminal.redraw;
  const tick = (): void => {
    const at = terminal.now();
    if (progress.planned === 0) return;
    draw?.(progressLine(progress, at, terminal.liveWidth ?? 80));
    const line = quietLine(progress, at, toldAt);
    if (draw !== undefined || line === null) return;
    toldAt = at;
    terminal.err(line);
  };
  const timer = quiet ? undefined : setInterval(tick, TIME.tick);
  timer?.unref();
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    show: (event) => {
      if (quiet) return;
      const at = terminal.now();
      progress = advance(progress, event, at);
      if (draw === undefined) {
        const line = pipeLine(progress, event, at);
        if (line !== null) terminal.err(line);
      } else if (at - drawn >= TIME.redraw || event.kind === 'wait') {
        drawn = at;
        draw(progressLine(progress, at, terminal.liveWidth ?? 80));
      }
    },
    end: () => {
      stop();
      if (!quiet) draw?.('');
    },
  };
}
