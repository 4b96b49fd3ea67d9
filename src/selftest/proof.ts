/** The outcome of one proof. */

/** What came of a proof: it holds, it has nothing to prove, or what is wrong, in sentences. */
export type Proof =
  | { readonly kind: 'holds' }
  | { readonly kind: 'idle'; readonly why: string }
  | { readonly kind: 'broken'; readonly problems: readonly string[] };

/** The proof that these problems leave. */
export function proofOf(problems: readonly string[]): Proof {
  return problems.length === 0 ? { kind: 'holds' } : { kind: 'broken', problems };
}
