// Writes docs/requirements.md, and completes docs/interface.md with what it does not name yet and with its links.
import { readFileSync, writeFileSync } from 'node:fs';

const { CONTRACT, pageEntries } = await import('../dist/src/report/traceability.js');
const { completedPage } = await import('../dist/src/report/traceability/interface-page.js');
const { renderEnvExample } = await import('../dist/src/settings/pages.js');
const { renderRequirements } = await import('../dist/src/report/traceability/page.js');

const docs = (name) => new URL(`../docs/${name}`, import.meta.url);
const page = completedPage(readFileSync(docs('interface.md'), 'utf8'), pageEntries(CONTRACT));
writeFileSync(docs('interface.md'), page);
writeFileSync(docs('requirements.md'), renderRequirements(CONTRACT, page));
writeFileSync(new URL('../.env.example', import.meta.url), renderEnvExample());
