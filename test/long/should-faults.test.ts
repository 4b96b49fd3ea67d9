/** A violation of a `should` requirement in a whole run; `npm test` asks each one in a run of that requirement alone. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { resultsOf } from '../../suites/index.ts';
import { SHOULD_FAULTS } from '../proof/should-faults.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

test.each(SHOULD_FAULTS)(
  'of %s is a warning of what it breaks alone, and makes a strict run non-conformant: the service %s',
  async (_requirement, _defect, inject, breaks) => {
    const { service, settings } = createReference();
    const { record, results } = await judge(inject(service, settings), optionsFrom(settings));
    const warned = results.requirements.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
    expect([results.verdict, warned]).toEqual(['conformant', breaks]);
    const strict = resultsOf({ ...record, header: { ...record.header, strict: true } });
    expect(strict.verdict).toBe('non-conformant');
  },
);
