/** Readings of the ambiguity register, as reports name them. */

import { readingById } from '../contract/readings.ts';

/** The reading that was taken, with the question that it answers; an id that the register does not hold stands alone. */
export function readingSentence(id: string): string {
  const reading = readingById(id);
  return reading === undefined
    ? `${id} of the ambiguity register`
    : `${id}: ${reading.question} ${reading.readings[0]}`;
}
