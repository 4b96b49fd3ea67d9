/** `pcs-conformance serve`: the reference service on a socket. */

import { UsageError } from '../../contract/usage-error.ts';
import { type StartedReference, startReference } from '../target.ts';
import { EXIT_CODES, type ExitCode, type InterruptSignal, type Terminal } from '../terminal.ts';

/** Where to listen, as written on the command line. */
export interface ServeOptions {
  readonly host: string;
  readonly port: string;
}

/** Listens, prints the settings as lines of a `.env`, and stays until a signal comes. Throws `UsageError`. */
export async function serve(options: ServeOptions, terminal: Terminal, start = startReference): Promise<ExitCode> {
  const started = await listening(options, start);
  // Signals are heard before anything is printed: a reader of the last line may stop the service at once.
  const stopped = nextSignal(terminal);
  for (const [name, value] of Object.entries({ PCS_BASE_URL: started.url, ...started.settings })) {
    if (value !== undefined) terminal.out(envLine(name, value));
  }
  terminal.err(`The reference service listens at ${started.url}. Press Ctrl-C to stop it.`);
  await stopped;
  await started.close();
  return EXIT_CODES.conformant;
}

/** One line of a `.env` file, quoted if necessary. */
export function envLine(name: string, value: string): string {
  if (/^[\w+./:@=&?%~-]*$/.test(value)) return `${name}=${value}`;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${name}=${quote}${value}${quote}`;
}

async function listening({ host, port }: ServeOptions, start: typeof startReference): Promise<StartedReference> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--port (${JSON.stringify(port)}) is not a port`, 'write a whole number from 0 to 65535');
  }
  try {
    return await start({ host, port: Number(port) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    // Only codes of the socket call: any other error is a bug of ours.
    if (code === undefined || !/^(EADDR|EACCES|ENOTFOUND|EAI_)/.test(code)) throw error;
    throw new UsageError(`Cannot listen on ${host} port ${port} (${code})`, 'give another --host or --port');
  }
}

function nextSignal({ signals }: Terminal): Promise<InterruptSignal> {
  return new Promise((resolve) => {
    const listeners = (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, () => onSignal(signal)] as const);
    const onSignal = (signal: InterruptSignal): void => {
      for (const [name, listener] of listeners) signals.off(name, listener);
      resolve(signal);
    };
    for (const [signal, listener] of listeners) signals.on(signal, listener);
  });
}
