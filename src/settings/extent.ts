/** How much is explored: so many requests, or for so long. */

/** How an extent is written. */
export const EXTENT = /^(?:\d{1,7}|\d{1,5}[smh])$/;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** More than can be sent in any time that can be given. */
const UNBOUNDED = 1_000_000;

/** The requests and the milliseconds of an extent. */
export function extentOf(text: string): { readonly explore: number; readonly exploreTime?: number } {
  const unit = text.at(-1) as keyof typeof UNITS;
  if (!(unit in UNITS)) return { explore: Number(text) };
  return { explore: UNBOUNDED, exploreTime: Number(text.slice(0, -1)) * UNITS[unit] };
}
