/** What a requirement's expectation says of one exchange. */

/** Order of the findings of one exchange: it gives one finding, the first (conformance model, section 5). */
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
 * An opinion on one exchange. `none`: this answer says nothing either way, which matters only if no other answer settles
 * the question; `isLawful` where a lawful target may have nothing to show. `inconclusive`: the question stays open,
 * whatever other answers say.
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

/** The exchange settles nothing; `remedy` might help. */
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
