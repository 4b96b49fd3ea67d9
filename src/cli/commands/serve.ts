/** `pcs-conformance serve`: the reference service on a socket, or a variant of it, or one with a fault. */

import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { FAULTS, type Fault } from '../../../fixtures/faults/index.ts';
import type { Reference } from '../../../fixtures/service/reference.ts';
import { listen } from '../../../fixtures/service/serve.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { createVariant, samplesOf } from '../../../fixtures/variants/variant.ts';
import { VARIATION_POINTS } from '../../../fixtures/variants/variation-points.ts';
import { TIME } from '../../contract/limits.ts';
import { UsageError, withUsageError } from '../../contract/usage-error.ts';
import { UNKNOWN_ROUTE } from '../../run/builder.ts';
import { codeOf, readTextFile } from '../../run/disk.ts';
import { unknownName } from '../../settings/unknown-names.ts';
import type { StartedReference } from '../target.ts';
import { EXIT_CODES, type ExitCode, listenAt, nextSignal, type Terminal } from '../terminal.ts';

/** What to serve and where, as written on the command line. */
export interface ServeOptions extends Differences {
  readonly host: string;
  readonly port: string;
  readonly out?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** The first line of a file that this command wrote, and may write again. */
const WRITTEN = '# Written by pcs-conformance serve, which overwrites this file.';

/**
 * Listens, gives out the settings as lines of a `.env` (printed, or written to a file once the port is open), and stays
 * until a signal comes. With `list` it only names what it can serve. Throws `UsageError`.
 */
export async function serve(options: ServeOptions, terminal: Terminal, start = startServed): Promise<ExitCode> {
  if (options.list === true) return list(options, terminal);
  if (options.out !== undefined) demandOwn(options.out);
  const started = await listenAt(options, (address) => start(address, options));
  // Signals are heard before anything is printed: a reader of the last line may stop the service at once.
  const stopped = nextSignal(terminal);
  try {
    giveOut(linesOf(started), options, terminal);
    terminal.err(`The reference service${differences(options)} listens at ${started.url}. Press Ctrl-C to stop it.`);
    await stopped;
  } finally {
    await started.close();
  }
  return EXIT_CODES.conformant;
}

function list({ json }: ServeOptions, terminal: Terminal): ExitCode {
  const { faults, variants } = servable();
  if (json === true) terminal.out(JSON.stringify({ faults, variants }, null, 2));
  else {
    const width = Math.max(...faults.map(({ name }) => name.length));
    terminal.out('Faults (--fault NAME, repeatable):');
    for (const { name, defect } of faults) terminal.out(`  ${name.padEnd(width)}  ${defect}`);
    terminal.out('Lawful variants (--variant NAME, repeatable):');
    for (const name of variants) terminal.out(`  ${name}`);
  }
  return EXIT_CODES.conformant;
}

function differences({ fault = [], variant = [] }: Differences): string {
  const names = [...fault.map((name) => `the fault ${name}`), ...variant];
  return names.length === 0 ? '' : ` with ${names.join(', ')}`;
}

function linesOf({ url, settings, samples }: Served): readonly string[] {
  const variables = Object.entries({ PCS_BASE_URL: url, ...settings }).flatMap(([name, value]) =>
    value === undefined ? [] : [envLine(name, value)],
  );
  const note = `# This variant accepts only certain updates: run with --samples FILE, which holds ${JSON.stringify(samples)}`;
  return samples === undefined ? variables : [...variables, note];
}

/** Settings of somebody's target must not be lost to a service for trying out. */
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

/** Names of what differs from the reference service; a variant is written as `point=choice`. */
export interface Differences {
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
}

/** A service that listens, and what a run against it needs besides the settings. */
export interface Served extends StartedReference {
  /** Request bodies that a run needs as `--samples`, if any. */
  readonly samples?: Readonly<Record<string, unknown>>;
}

/** Every fault and every lawful choice that differs from the reference service. */
function servable() {
  return {
    faults: FAULTS.map(({ name, defect, breaks }) => ({ name, defect, breaks })),
    variants: VARIATION_POINTS.flatMap(({ name, choices }) => choices.slice(1).map((one) => `${name}=${one.name}`)),
  };
}

/** Starts a service with these differences. Throws `UsageError` for an unknown name. */
export async function startServed(
  address: { readonly host: string; readonly port: number },
  { fault: names = [], variant = [] }: Differences = {},
): Promise<Served> {
  const choices = Object.fromEntries(variant.map(choiceOf));
  const faults = names.map(faultOf);
  const inject: Fault['inject'] = (service, settings) =>
    faults.reduce((faulty, fault) => fault.inject(faulty, settings), service);
  const served = createVariant(choices, { now: Date.now, wait: (time) => setTimeout(time) }, inject);
  const settings = faults.reduce((changed, fault) => fault.settings?.(changed) ?? changed, served.settings);
  const samples = samplesOf(choices);
  const listening = await listen(ringingAgain(served, Date.now), address);
  return { ...listening, settings: { ...settings }, ...(Object.keys(samples).length === 0 ? {} : { samples }) };
}

/**
 * A service whose inbound call rings again for each run, so that every run has one to answer. A run begins with a read of
 * an undocumented route; connections tell nothing, since a gateway keeps them.
 */
function ringingAgain({ service, ringAgain }: Reference, now: () => number): Service {
  let last = now();
  return (request) => {
    if (request.target === UNKNOWN_ROUTE || now() - last >= TIME.abandoned) ringAgain();
    last = now();
    return service(request);
  };
}

function faultOf(name: string): Fault {
  const names = FAULTS.map((fault) => fault.name);
  return FAULTS.find((fault) => fault.name === name) ?? unknown('--fault', name, names);
}

function choiceOf(text: string): readonly [point: string, choice: string] {
  const [point = '', choice = ''] = text.split('=', 2);
  const isKnown = VARIATION_POINTS.some(
    ({ name, choices }) => name === point && choices.some((one) => one.name === choice),
  );
  return isKnown ? [point, choice] : unknown('--variant', text, servable().variants);
}

function unknown(flag: string, name: string, known: readonly string[]): never {
  throw unknownName(`${flag} ${JSON.stringify(name)} is unknown`, name, known, 'serve --list shows the names');
}
