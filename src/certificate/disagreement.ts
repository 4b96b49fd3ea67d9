import { visible } from '../report/visible.ts';

/**
 * A bundle contradicts itself, its signature or what can be computed again: a phrase that says what does not agree. It
 * may name what whoever made the bundle wrote, which no terminal is to obey.
 */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';

  constructor(phrase: string) {
    super(visible(phrase));
  }
}
