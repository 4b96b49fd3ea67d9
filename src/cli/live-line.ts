/** The live line of a run on a terminal; plain lines where nobody looks at a terminal. */

import { advance, NO_PROGRESS, pipeLine, progressLine } from '../report/progress.ts';
import type { SuiteEvent } from '../run/suite-run.ts';
import type { Interruption } from './interruption.ts';
import type { Terminal } from './terminal.ts';

/** Shows events until it is ended. */
export interface LiveLine {
  readonly show: (event: SuiteEvent) => void;
  /** Takes the line away again. */
  readonly end: () => void;
}

/** How often a terminal's line is drawn anew, in milliseconds. */
const REDRAW = 100;

/** A live line on standard error; `quiet` shows nothing. */
export function liveLine(terminal: Terminal, quiet: boolean): LiveLine {
  let progress = NO_PROGRESS;
  let drawn = Number.NEGATIVE_INFINITY;
  const draw = terminal.redraw;
  return {
    show: (event) => {
      const at = terminal.now();
      progress = advance(progress, event, at);
      if (quiet) return;
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

/** Shows events on the line, and keeps for a second signal which call would stay open. */
export function watched(interruption: Interruption, line: LiveLine): (event: SuiteEvent) => void {
  let open: readonly string[] = [];
  interruption.setLastWords(() => (open.length === 0 ? undefined : `Possibly still open: ${open.join('; ')}.`));
  return (event) => {
    if (event.kind === 'calls') open = event.open;
    line.show(event);
  };
}
