/** A page with every verdict and all that a target may say is accessible; test/long proves the pages of whole runs. */

import { MADE } from '../unit/report/made-run.ts';
import { proveAccessible } from './accessible.ts';

const CHOICES = [{ gap: 'GAP-SUCCESS-CODES', operation: 'getTrunk', choice: '200' }] as const;

proveAccessible({ 'a run with every verdict': async () => ({ ...MADE, choices: CHOICES }) });
