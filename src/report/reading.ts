/** Readings of the ambiguity register, as reports name them. */

/** The reading that was taken, by the id under which the ambiguity register lists it. */
export function readingSentence(id: string): string {
  return `${id} of the ambiguity register`;
}
