/** What `expect add` is told to write into its entries, judged flag by flag before anything is read. */

import { UsageError } from '../contract/usage-error.ts';
import type { Pledge } from '../regression/expected.ts';

/** The members that were given. */
export type GivenPledge = Partial<Pledge>;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that no calendar has is either refused or read as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** What is wrong with a value, and what to do; `undefined` where nothing is. */
const PROBLEMS: Readonly<Record<keyof Pledge, (text: string, today: string) => string | undefined>> = {
  reason: (text) => (text.trim() === '' ? 'is blank: say why the failures are borne with' : undefined),
  owner: (text) => (text.trim() === '' ? 'is blank: say who sees to them' : undefined),
  issue: (text) => (/^https?:\/\/\S+$/.test(text) ? undefined : 'is no address: write one with https:// or http://'),
  expires: (text, today) => {
    if (!isDay(text)) return 'is no day: write one such as 2026-12-31';
    return text < today ? `is over: give a last day that is not before today, ${today} in UTC` : undefined;
  },
};

/** The members that were given, each as it may stand in an entry. Throws `UsageError` naming the flag. */
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
