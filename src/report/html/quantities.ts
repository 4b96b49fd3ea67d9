/** Numbers as people read them. */

/** Milliseconds in the unit that suits them. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 60_000) {
    const seconds = Math.round(milliseconds / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  if (milliseconds >= 1_000) return `${trimmed(milliseconds / 1_000, milliseconds >= 10_000 ? 0 : 1)} s`;
  return `${trimmed(milliseconds, milliseconds >= 10 ? 0 : 1)} ms`;
}

const trimmed = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** A count with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A whole number with its thousands apart. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The value below which that share of the sorted values lies; 0 where there is none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
