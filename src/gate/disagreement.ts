/** A bundle contradicts itself, its signature or what can be computed again: a phrase that says what does not agree. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}
