/** The laws of the ledger of calls, on a sample of sequences; test/long tries 2,000. */

import { test } from 'vitest';
import { proveLaws } from './ledger-model.ts';

test('every call is closed or named, whatever goes wrong', () => proveLaws(2, 60));
