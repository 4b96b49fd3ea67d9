// Writes what the docs derive from the code: docs/requirements.md, .env.example, the settings in docs/settings.md, and in
// docs/interface.md the links and what it does not name yet.
import { readFileSync, writeFileSync } from 'node:fs';

const { CONTRACT, pageEntries } = await import('../dist/src/report/traceability.js');
const { completedPage } = await import('../dist/src/report/traceability/interface-page.js');
const { renderRequirements } = await import('../dist/src/report/traceability/page.js');
const { renderEnvExample, renderSettingsTables } = await import('../dist/src/settings/pages.js');

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');

const page = completedPage(read('docs/interface.md'), pageEntries(CONTRACT));
const [before, , after] = read('docs/settings.md').split(
  /(?<=<!-- settings -->\n\n)(.*)(?=\n\n<!-- end of settings -->)/s,
);

writeFileSync(at('docs/interface.md'), page);
writeFileSync(at('docs/requirements.md'), renderRequirements(CONTRACT, page));
writeFileSync(at('.env.example'), renderEnvExample());
writeFileSync(at('docs/settings.md'), `${before}${renderSettingsTables()}${after}`);
