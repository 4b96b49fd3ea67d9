/** The services that `serve` can start: the reference, a lawful variant of it, and either with a planted fault. */

import { setTimeout } from 'node:timers/promises';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import type { Reference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant, samplesOf } from '../../fixtures/variants/variant.ts';
import { VARIATION_POINTS } from '../../fixtures/variants/variation-points.ts';
import { UsageError } from '../contract/usage-error.ts';
import { UNKNOWN_ROUTE } from '../run/builder.ts';
import { suggestion } from '../settings/environment.ts';
import type { StartedReference } from './target.ts';

/** Names of what differs from the reference service; a variant is written as `point=choice`. */
export interface Differences {
  readonly fault?: string;
  readonly variant?: readonly string[];
}

/** A service that listens, and what a run against it needs besides the settings. */
export interface Served extends StartedReference {
  /** Request bodies that a run needs as `--samples`, if any. */
  readonly samples?: Readonly<Record<string, unknown>>;
}

/** Every fault and every lawful choice that differs from the reference service. */
export function servable() {
  return {
    faults: FAULTS.map(({ name, defect, breaks }) => ({ name, defect, breaks })),
    variants: VARIATION_POINTS.flatMap(({ name, choices }) => choices.slice(1).map((one) => `${name}=${one.name}`)),
  };
}

/** Starts a service with these differences. Throws `UsageError` for an unknown name. */
export async function startServed(
  address: { readonly host: string; readonly port: number },
  { fault: faultName, variant = [] }: Differences = {},
): Promise<Served> {
  const choices = Object.fromEntries(variant.map(choiceOf));
  const fault = faultName === undefined ? undefined : faultOf(faultName);
  const served = createVariant(choices, { now: Date.now, wait: (time) => setTimeout(time) }, fault?.inject);
  const settings = fault?.settings?.(served.settings) ?? served.settings;
  const samples = samplesOf(choices);
  const listening = await listen(ringingAgain(served, Date.now), address);
  return { ...listening, settings: { ...settings }, ...(Object.keys(samples).length === 0 ? {} : { samples }) };
}

/** After so long (milliseconds) a killed run is not going to hang up. */
const ABANDONED = 5_000;

/**
 * A service whose inbound call rings again for each run, so that every run has one to answer. A run begins with a read of
 * an undocumented route; connections tell nothing, since a gateway keeps them.
 */
function ringingAgain({ service, ringAgain }: Reference, now: () => number): Service {
  let last = now();
  return (request) => {
    if (request.target === UNKNOWN_ROUTE || now() - last >= ABANDONED) ringAgain();
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
  const remedy = suggestion(name, known) ?? 'serve --list shows the names';
  throw new UsageError(`${flag} ${JSON.stringify(name)} is unknown`, remedy);
}
