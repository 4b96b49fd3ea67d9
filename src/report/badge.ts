/** badge.json: the verdict for a badge, in the form that shields.io reads from an address. */

import type { Results } from '../verdict/results.ts';
import type { RunVerdict } from '../verdict/verdict.ts';

const COLORS: Readonly<Record<RunVerdict, string>> = {
  conformant: 'brightgreen',
  'non-conformant': 'red',
  incomplete: 'yellow',
  void: 'lightgrey',
};

/** The badge, which names the profile and what was left out; a partial run gets none. */
export function renderBadge(results: Results): string | null {
  if (results.partial) return null;
  const { verdict, profile, without } = results;
  const narrowed = without.length === 0 ? '' : ` without ${without.join(', ')}`;
  const badge = {
    schemaVersion: 1,
    label: 'PCS conformance',
    message: `${verdict} (${profile}${narrowed})`,
    color: COLORS[verdict],
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
