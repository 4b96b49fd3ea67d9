/** What is said of answers that were longer than is read. */

import type { Results } from '../verdict/results.ts';

const SHOWN = 4;

/** One sentence, or none where every answer was read to its end. */
export function cutSentences({ cut }: Results): readonly string[] {
  if (cut === undefined) return [];
  const { answers, operations } = cut;
  const more = operations.length > SHOWN ? ` and ${operations.length - SHOWN} more` : '';
  const which = `${operations.slice(0, SHOWN).join(', ')}${more}`;
  const subject = answers === 1 ? '1 answer was' : `${answers} answers were`;
  return [`${subject} longer than 8 MiB: what lies beyond was not judged (${which})`];
}
