/** The flags of `expect add`, checked before any file is read. */

import { UsageError } from '../contract/usage-error.ts';
import type { Pledge } from '../regression/expectations.ts';

/** The members that were given. */
export type GivenPledge = Partial<Pledge>;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse rejects 2027-13-01 but reads 2027-02-30 as a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** What is wrong with a value and what to do, or `undefined`. */
const PROBLEMS: Readonly<Record<keyof Pledge, (text: string, today: string) => string | undefined>> = {
  reason: (text) => (text.trim() === '' ? 'is blank: say why the failures are accepted' : undefined),
  owner: (text) => (text.trim() === '' ? 'is blank: say who will fix the failures' : undefined),
  issue: (text) => (/^https?:\/\/\S+$/.test(text) ? undefined : 'is not an address: start it with https:// or http://'),
  expires: (text, today) => {
    if (!isDay(text)) return 'is not a date: write one such as 2026-12-31';
    return text < today ? `is in the past: today is ${today} in UTC` : undefined;
  },
};

/** The valid members that were given. Throws `UsageError` naming the flag. */
export function givenPledge(flags: GivenPledge, today: string): GivenPledge {
  const given: [string, string][] = [];
  for (const name of ['reason', 'owner', 'issue', 'expires'] as const) {
    const text = flags[name];
    if (text === undefined) continue;
    const problem = PROBLEMS[name](text, today);
    if (problem !== undefined) throw new UsageError(`--${name} (${JSON.stringify(text)}) ${problem}.`);
    given.push([name, text]);
  }
  return Object.fromEntries(given);
}
