/** Collects what is traced: the interface page, the plan against the reference service, the planted faults. */

import { readFileSync } from 'node:fs';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { plannerFor, SUITE } from '../../suites/index.ts';
import { statementsOf } from '../report/traceability/interface-page.ts';
import { CONTRACT, type Trace, traceOf } from '../report/traceability.ts';
import { planRun } from '../run/plan.ts';
import { variablesOnly } from '../settings/environment.ts';
import { readSettings, withReference } from '../settings/read-settings.ts';
import { runOptionsOf } from './run-options.ts';
import { packageFile } from './version.ts';

/** The traces of this package. They depend on nothing outside: no environment, no `.env`, no target. */
export function traceOfPackage(): Trace {
  const { settings: lines } = createReference();
  const asked = readSettings({ reference: true, profile: 'full' }, variablesOnly({}));
  const settings = withReference(asked, { ...lines, PCS_BASE_URL: 'http://reference.invalid' });
  const { sequences } = planRun(SUITE, plannerFor(runOptionsOf(settings, {})));
  const statements = statementsOf(readFileSync(packageFile('docs/interface.md'), 'utf8'));
  return traceOf({ ...CONTRACT, statements, sequences, faults: FAULTS });
}
