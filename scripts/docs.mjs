// Writes what the docs derive from the code: docs/requirements.md, .env.example, the settings in docs/settings.md, the table of
// waiting in docs/data-protection.md, in docs/interface.md the links and what it does not name yet, in the pages that repeat
// them the figures of a run, and in the pages about pipelines and certification the name of the repository, which stands in
// package.json. Run twice, it writes the same.
import { readFileSync, writeFileSync } from 'node:fs';

const { completedPage, pageEntries, renderRequirements, renderTrafficTable } = await import(
  '../dist/scripts/contract-pages.js'
);
const { figuresOfRuns, PAGES_WITH_FIGURES, withFigures } = await import('../dist/scripts/figures.js');
const { renderEnvExample, renderSettingsTables, renderWaiting } = await import('../dist/scripts/setting-pages.js');
const { CONTRACT } = await import('../dist/scripts/traceability.js');

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFileSync(at(path), 'utf8');

const page = completedPage(read('docs/interface.md'), pageEntries(CONTRACT));
/** The page with a text between two marks of that name. */
const between = (path, name, text) => {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const page = read(path);
  return `${page.slice(0, page.indexOf(start) + start.length)}\n${text}\n${page.slice(page.indexOf(end))}`;
};

writeFileSync(at('docs/interface.md'), page);
writeFileSync(at('docs/requirements.md'), renderRequirements(CONTRACT, page));
writeFileSync(at('.env.example'), renderEnvExample());
writeFileSync(at('docs/settings.md'), between('docs/settings.md', 'settings', renderSettingsTables()));
writeFileSync(at('docs/traffic.md'), between('docs/traffic.md', 'traffic', renderTrafficTable(CONTRACT)));
writeFileSync(at('docs/data-protection.md'), between('docs/data-protection.md', 'waiting', renderWaiting()));

const figures = await figuresOfRuns();
for (const page of PAGES_WITH_FIGURES) writeFileSync(at(page), withFigures(page, read(page), figures));

const [, repository] = /([^/]+\/[^/]+)\.git$/.exec(JSON.parse(read('package.json')).repository.url);
const BEFORE_A_REFERENCE = /[\w.-]+\/[\w.-]+(?=\/(?:integrations\/github-action|conformance)@)/g;

for (const page of ['README.md', 'docs/ci.md', 'docs/certification.md'])
  writeFileSync(at(page), read(page).replace(BEFORE_A_REFERENCE, repository));
