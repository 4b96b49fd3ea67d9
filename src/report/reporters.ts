/** Every file of the report folder, in order. */

import type { Reporter } from './artefacts.ts';
import { renderCtrf } from './ctrf.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html/html.ts';
import { renderBadge, renderChoiceFile, renderResults } from './json-files.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif.ts';
import { renderSummary } from './summary.ts';

/** The reporters; each makes one file. */
export const REPORTERS: readonly Reporter[] = [
  { name: 'results', file: 'results.json', render: renderResults },
  { name: 'choices', file: 'choices.json', render: renderChoiceFile },
  { name: 'html', file: 'report.html', render: renderHtml },
  { name: 'junit', file: 'junit.xml', render: renderJunit },
  { name: 'har', file: 'evidence.har', render: renderHar },
  { name: 'ctrf', file: 'ctrf.json', render: renderCtrf },
  { name: 'sarif', file: 'results.sarif', render: renderSarif },
  { name: 'summary', file: 'summary.md', render: renderSummary },
  { name: 'badge', file: 'badge.json', render: ({ results }) => renderBadge(results) },
];
