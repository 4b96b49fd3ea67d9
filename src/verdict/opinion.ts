/** What a check says of one exchange. */

/** Order in which findings of one exchange are weighed: it gives one finding, the first (conformance model, 5). */
export const RANKS = [
  'secrecy',
  'completeness',
  'redirect',
  'server-error',
  'json',
  'envelope',
  'effect',
  'status',
  'content',
] as const;

/** Place of a finding in that order. */
export type Rank = (typeof RANKS)[number];

/** What is wrong: expected and actual as noun phrases, and where in the exchange. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly where: string;
}

/**
 * An opinion on one exchange. `none`: asked, but this answer says nothing either way, which matters only if no other
 * answer settles the matter; lawfully so where the target may have nothing to show, which leaves the case not exercised.
 * `inconclusive`: a planned question stays open whatever others say.
 */
export type Opinion =
  | { readonly kind: 'pass' }
  | { readonly kind: 'finding'; readonly rank: Rank; readonly finding: Finding }
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly remedy?: string }
  | { readonly kind: 'none'; readonly reason: string; readonly remedy?: string; readonly isLawful?: true };

/** The exchange keeps the requirement. */
export const PASS: Opinion = { kind: 'pass' };

/** The exchange breaks the requirement. */
export function found(rank: Rank, where: string, expected: string, actual: string): Opinion {
  return { kind: 'finding', rank, finding: { expected, actual, where } };
}

/** The exchange settles nothing, and `remedy` might. */
export function none(reason: string, remedy?: string): Opinion {
  return remedy === undefined ? { kind: 'none', reason } : { kind: 'none', reason, remedy };
}

/** The exchange settles nothing, because a lawful target may have nothing to show just then. */
export function lawfullyNone(reason: string, remedy: string): Opinion {
  return { kind: 'none', reason, remedy, isLawful: true };
}

/** The question stays open. */
export function inconclusive(reason: string, remedy?: string): Opinion {
  return remedy === undefined ? { kind: 'inconclusive', reason } : { kind: 'inconclusive', reason, remedy };
}
