/** The facts of a run: when and where it ran. No verdict depends on them. */

import { type Exchange, endOf } from '../exchange/exchange.ts';

/** What is known of a run before it begins. */
export interface FactSettings {
  /** The machine that ran the suite. */
  readonly host: string;
}

/** The facts of a run as reports show them. Moments are in UTC: `2026-01-31T12:00:00.000Z`. */
export interface RunFacts extends FactSettings {
  readonly startedAt: string;
  readonly endedAt: string;
}

/** Milliseconds from the first request to the last response. */
export const durationOf = (exchanges: readonly Exchange[]): number =>
  exchanges.reduce((longest, exchange) => Math.max(longest, endOf(exchange)), 0);

/** The facts of a run that began at that moment, in milliseconds since the epoch. */
export function factsOf({ host }: FactSettings, startedAt: number, exchanges: readonly Exchange[]): RunFacts {
  const moment = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
  return { startedAt: moment(startedAt), endedAt: moment(startedAt + durationOf(exchanges)), host };
}
