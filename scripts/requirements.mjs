// Writes docs/requirements.md from what was built: statement, requirement, level, probes and faults.
import { writeFileSync } from 'node:fs';

const { traceOfPackage } = await import('../dist/src/cli/trace.js');
const { renderRequirements } = await import('../dist/src/report/traceability/page.js');

writeFileSync(new URL('../docs/requirements.md', import.meta.url), renderRequirements(traceOfPackage()));
