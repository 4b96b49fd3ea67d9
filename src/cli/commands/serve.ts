/** `pcs-conformance serve`: the reference service on a socket, as it is or with faults. */

import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { FAULTS, type Fault } from '../../../fixtures/faults/index.ts';
import { createReference, type Reference } from '../../../fixtures/service/reference.ts';
import { listen } from '../../../fixtures/service/serve.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { TIME } from '../../contract/limits.ts';
import { UsageError, unknownName, withUsageError } from '../../contract/usage-error.ts';
import { UNKNOWN_ROUTE } from '../../run/builder.ts';
import { codeOf, readTextFile } from '../../run/disk.ts';
import type { StartedReference } from '../target.ts';
import { EXIT_CODES, type ExitCode, listenAt, nextSignal, type Terminal } from '../terminal.ts';

/** What to serve and where, as written on the command line. */
export interface ServeOptions {
  readonly fault?: readonly string[];
  readonly host: string;
  readonly port: string;
  readonly out?: string;
  readonly list?: boolean;
}

/** The first line of a file that this command wrote and may overwrite. */
const WRITTEN = '# Written by pcs-conformance serve, which overwrites this file.';

/**
 * Listens, prints the settings as lines of a `.env` (or writes them to a file once the port is open), and runs
 * until a signal arrives. With `list` it only names what it can serve. Throws `UsageError`.
 */
export async function serve(options: ServeOptions, terminal: Terminal, start = startServed): Promise<ExitCode> {
  if (options.list === true) return listFaults(terminal);
  if (options.out !== undefined) demandOwn(options.out);
  const started = await listenAt(options, (address) => start(address, options.fault));
  // Listen for signals before printing: a reader of the last line may stop the service at once.
  const stopped = nextSignal(terminal);
  try {
    giveOut(servedLines(started), options, terminal);
    const faults =
      options.fault === undefined ? '' : ` with ${options.fault.map((name) => `the fault ${name}`).join(', ')}`;
    terminal.err(`The reference service${faults} listens at ${started.url}. Press Ctrl-C to stop it.`);
    await stopped;
  } finally {
    await started.close();
  }
  return EXIT_CODES.conformant;
}

function listFaults(terminal: Terminal): ExitCode {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  terminal.out('Faults (--fault NAME, repeatable):');
  for (const { name, defect } of FAULTS) terminal.out(`  ${name.padEnd(width)}  ${defect}`);
  return EXIT_CODES.conformant;
}

const servedLines = ({ url, settings }: StartedReference): readonly string[] =>
  Object.entries({ PCS_BASE_URL: url, ...settings }).flatMap(([name, value]) =>
    value === undefined ? [] : [envLine(name, value)],
  );

/** Never overwrites a user's settings with those of a trial service. */
function demandOwn(file: string): void {
  let text: string;
  try {
    text = readTextFile(file, `--out ${file}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === 'ENOENT') return;
    throw new UsageError(`--out ${file} cannot be read (${codeOf(error)})`, 'name another file');
  }
  if (text.trim() === '' || text.startsWith(WRITTEN)) return;
  throw new UsageError(`--out ${file} holds settings that serve did not write`, 'name another file, or remove it');
}

function giveOut(lines: readonly string[], { out }: ServeOptions, terminal: Terminal): void {
  if (out === undefined) {
    for (const line of lines) terminal.out(line);
    return;
  }
  const write = (): void => writeFileSync(out, `${[WRITTEN, ...lines].join('\n')}\n`);
  withUsageError(write, (cause) => `--out ${out} cannot be written (${codeOf(cause)})`, 'name another file');
  terminal.err(`Settings written to ${out}.`);
}

/** One line of a `.env` file, quoted if necessary. */
export function envLine(name: string, value: string): string {
  if (/^[\w+./:@=&?%~-]*$/.test(value)) return `${name}=${value}`;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'";
  return `${name}=${quote}${value}${quote}`;
}

/** Starts the reference service with these faults. Throws `UsageError` for an unknown name. */
export async function startServed(
  address: { readonly host: string; readonly port: number },
  names: readonly string[] = [],
): Promise<StartedReference> {
  const faults = names.map(faultNamed);
  const reference = createReference({ now: Date.now, wait: (time) => setTimeout(time) });
  const service = faults.reduce((faulty, { inject }) => inject(faulty, reference.settings), reference.service);
  const settings = faults.reduce((changed, fault) => fault.settings?.(changed) ?? changed, reference.settings);
  return { ...(await listen(ringingAgain({ ...reference, service }, Date.now), address)), settings: { ...settings } };
}

/**
 * A service whose inbound call rings again for each run, so that every run has a call to answer. A run begins with a
 * read of an undocumented route; connections say nothing, since a gateway keeps them open.
 */
function ringingAgain({ service, ringAgain, ring, confer }: Reference, now: () => number): Service {
  /** A telephone, which is not part of the interface: `integrations/fixtures` starts it. */
  const started: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    'POST /telephone/calls': () => ({ id: ring() }),
    'POST /telephone/conferences': confer,
  };
  let last = now();
  return async (request) => {
    const start = started[`${request.method} ${request.target}`];
    if (start !== undefined) {
      return { status: 201, headers: [['Content-Type', 'application/json']], body: JSON.stringify(start()) };
    }
    if (request.target === UNKNOWN_ROUTE || now() - last >= TIME.abandoned) ringAgain();
    last = now();
    return service(request);
  };
}

function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found !== undefined) return found;
  const names = FAULTS.map((fault) => fault.name);
  throw unknownName(`--fault ${JSON.stringify(name)} is unknown`, name, names, 'serve --list shows the names');
}
