/** How traces are put into words; the page and the command say the same. */

import type { GapTrace, RequirementTrace, TracedSequence } from '../traceability.ts';

/** A number with its noun: `1 fault`, `2 faults`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How a requirement is judged, in a few words. */
export function howJudged({ requirement, probes }: RequirementTrace): string {
  if (requirement.kind === 'invariant') return 'invariant, every exchange';
  return probes.length === 0 ? 'wherever such an answer comes' : counted(probes.length, 'probe');
}

/** How a gap is observed, in a few words. */
export function howObserved({ gap, probes, beside }: GapTrace): string {
  if ('reason' in gap) return 'not observed';
  const own = probes.length === 0 ? [] : [counted(probes.length, 'probe')];
  const phrases = [...own, ...beside.map((id) => `with ${id}`)];
  return phrases.length === 0 ? 'in the answers to everything else' : phrases.join(', ');
}

/** Probes by operation, each a line: `createCall: control before; valid 1`. */
export function probeLines(probes: readonly TracedSequence[]): readonly string[] {
  const operations = [...new Set(probes.map(({ operation }) => operation))];
  return operations.map((operation) => {
    const own = probes.filter((probe) => probe.operation === operation);
    return `${operation}: ${own.map(({ name }) => shortName(name, operation)).join('; ')}`;
  });
}

function shortName(name: string, operation: string): string {
  return name.startsWith(`${operation}/`) ? name.slice(operation.length + 1) : name;
}
