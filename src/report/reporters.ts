/** Every file of the report folder, in order. */

import type { Reporter } from './artefacts.ts';
import { renderResults } from './results-json.ts';

/** The reporters; each makes one file. */
export const REPORTERS: readonly Reporter[] = [
  { name: 'results', file: 'results.json', render: ({ results }) => renderResults(results) },
];
