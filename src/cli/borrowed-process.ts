/** vitest and vite treat the process as theirs; this gives it back as it was. */

const EVENTS = ['SIGINT', 'SIGTERM', 'exit', 'unhandledRejection', 'uncaughtException'] as const;
type Listener = (...args: unknown[]) => void;

/** A note of how the process was, to return to. */
export interface BorrowedProcess {
  /** Removes the listeners for signals and crashes that were added since. */
  readonly dropListeners: () => void;
  /** Restores the environment and the exit code. */
  readonly restore: () => void;
}

/**
 * Notes the environment, the exit code and the listeners of the process. vitest writes `PROD`, `DEV`, `MODE` and
 * `BASE_URL` into the environment, sets the exit code to 1 on its own account, and on a signal ends the process after
 * one millisecond, which would leave a placed call open.
 */
export function borrowProcess(): BorrowedProcess {
  const environment = { ...process.env };
  const exitCode = process.exitCode;
  const listeners = EVENTS.map((event) => [event, new Set(listenersOf(event))] as const);
  return {
    dropListeners: () => {
      for (const [event, kept] of listeners) {
        for (const listener of listenersOf(event)) if (!kept.has(listener)) process.off(event, listener);
      }
    },
    restore: () => {
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
      Object.assign(process.env, environment);
      process.exitCode = exitCode;
    },
  };
}

function listenersOf(event: (typeof EVENTS)[number]): readonly Listener[] {
  // Raw listeners: a `once` wrapper is what `off` must be given back in order to be found.
  return process.rawListeners(event) as Listener[];
}
