/** The facts of a run: when, where and against which version it ran. No verdict depends on them. */

import { withoutUndefined } from '../contract/lists.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';

/** What the settings state, redacted. */
export interface FactSettings {
  /** The machine that ran the suite. */
  readonly host: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly targetVersion?: string;
  /** Name of the header field in which the target shows its version. */
  readonly targetVersionHeader?: string;
  /** Start and end, milliseconds since the epoch, where reports of equal runs are compared. */
  readonly time?: number;
}

/** The facts of a run as reports show them. Moments are in UTC: `2026-01-31T12:00:00.000Z`. */
export interface RunFacts extends Pick<FactSettings, 'host' | 'labels'> {
  readonly startedAt: string;
  readonly endedAt: string;
  /** As stated, or else as the responses showed it; several if it changed during the run. */
  readonly targetVersion?: string;
}

/** A target that is deployed during a run shows a few versions. */
const MOST_VERSIONS = 3;
const LONGEST_VERSION = 200;

function versionsIn(exchanges: readonly Exchange[], header: string): string | undefined {
  const name = header.toLowerCase();
  const shown = exchanges.flatMap(({ response }) => headerValue(response?.headers ?? [], name) ?? []);
  const versions = [...new Set(shown.map((text) => text.trim().slice(0, LONGEST_VERSION)))].filter((one) => one !== '');
  return versions.length === 0 ? undefined : versions.slice(0, MOST_VERSIONS).join(', ');
}

/** What the settings state, with each text redacted. */
export function redactedFacts(stated: FactSettings, redact: (text: string) => string): FactSettings {
  const { targetVersion, labels } = stated;
  return {
    ...stated,
    host: redact(stated.host),
    labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [redact(name), redact(value)])),
    ...withoutUndefined({ targetVersion: targetVersion && redact(targetVersion) }),
  };
}

/** The facts of a run that began at that moment, in milliseconds since the epoch. */
export function factsOf(stated: FactSettings, startedAt: number, exchanges: readonly Exchange[]): RunFacts {
  const { host, labels, time, targetVersionHeader } = stated;
  const lasted = exchanges.reduce((longest, one) => Math.max(longest, endOf(one)), 0);
  const moment = (milliseconds: number): string => new Date(Math.round(milliseconds)).toISOString();
  const shown = targetVersionHeader === undefined ? undefined : versionsIn(exchanges, targetVersionHeader);
  const targetVersion = stated.targetVersion ?? shown;
  return {
    startedAt: moment(time ?? startedAt),
    endedAt: moment(time ?? startedAt + lasted),
    host,
    ...withoutUndefined({ targetVersion }),
    labels,
  };
}
