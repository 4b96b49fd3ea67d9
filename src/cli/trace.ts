/** Brings together what is traced: the plan against the reference service, and the planted faults. */

import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { SUITES } from '../../suites/index.ts';
import { readSettings, withReference } from '../config/read-settings.ts';
import { ALSO_SHOWN } from '../engine/choices/asked.ts';
import { Kit } from '../engine/kit.ts';
import { planRun } from '../engine/plan.ts';
import { contractSources, type Trace, traceOf } from '../report/traceability.ts';
import { runOptionsOf } from './run-options.ts';

/** The traces of this package. They depend on nothing outside: no environment, no `.env`, no target. */
export function traceOfPackage(): Trace {
  const { settings: lines } = createReference();
  const asked = readSettings({ reference: true, profile: 'full' }, {}, undefined);
  const settings = withReference(asked, { ...lines, PCS_BASE_URL: 'http://reference.invalid' });
  const { sequences } = planRun(SUITES, new Kit(runOptionsOf(settings, {}), ''));
  return traceOf(contractSources({ sequences, faults: FAULTS, alsoShown: ALSO_SHOWN }));
}
