/** A check: a pure opinion about recorded exchanges. It sends nothing, reads no clock and remembers nothing. */

import type { RequirementId } from '../contract/requirements/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Evidence } from './evidence.ts';
import type { Opinion } from './opinion.ts';

/** Judges one requirement on each exchange that it concerns. */
export interface Check {
  readonly requirement: RequirementId;
  readonly concerns: (exchange: Exchange) => boolean;
  readonly judge: (exchange: Exchange, evidence: Evidence) => Opinion;
}

/** Strands in which an exchange asks a requirement: `''` for the requirement as a whole. */
export function strandsOf(exchange: Exchange, requirement: string): readonly string[] {
  return exchange.tag.asks
    .filter((ask) => ask === requirement || ask.startsWith(`${requirement}#`))
    .map((ask) => ask.slice(requirement.length + 1));
}

/** A check on the answers to requests that ask the requirement. */
export function asked(requirement: RequirementId, judge: Check['judge']): Check {
  return { requirement, concerns: (exchange) => strandsOf(exchange, requirement).length > 0, judge };
}
