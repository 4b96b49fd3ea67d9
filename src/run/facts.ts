/** The facts of a run: when, where and against which version it ran. No verdict depends on them. */

import { withoutUndefined } from '../contract/lists.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';

/** What the settings state, redacted. */
export interface FactSettings {
  /** The machine that ran the suite. */
  readonly host: string;
  readonly targetVersion?: string;
}

/** The facts of a run as reports show them. Moments are in UTC: `2026-01-31T12:00:00.000Z`. */
export interface RunFacts extends Pick<FactSettings, 'host' | 'targetVersion'> {
  readonly startedAt: string;
  readonly endedAt: string;
}

/** What the settings state, with each text redacted. */
export function redactedFacts(stated: FactSettings, redact: (text: string) => string): FactSettings {
  const { host, targetVersion } = stated;
  return {
    host: redact(host),
    ...withoutUndefined({ targetVersion: targetVersion && redact(targetVersion) }),
  };
}

/** The facts of a run that began at that moment, in milliseconds since the epoch. */
export function factsOf(stated: FactSettings, startedAt: number, exchanges: readonly Exchange[]): RunFacts {
  const { host, targetVersion } = stated;
  const lasted = exchanges.reduce((longest, one) => Math.max(longest, endOf(one)), 0);
  const moment = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
  return {
    startedAt: moment(startedAt),
    endedAt: moment(startedAt + lasted),
    host,
    ...withoutUndefined({ targetVersion }),
  };
}
