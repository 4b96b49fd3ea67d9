// Adds what tsc does not make to the compiled output: the style sheets and scripts that pages inline, the executable, and what `list` and
// `explain` print. Makes the command executable: npm does so only when it links the package, and a later build writes the file
// anew. Writes the descriptions in OpenAPI.
import { chmodSync, cpSync, statSync, writeFileSync } from 'node:fs';

cpSync(new URL('../src', import.meta.url), new URL('../dist/src', import.meta.url), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || /\.(css|js|cjs)$/.test(path),
  // page.js beside page.ts would replace the module.
  force: false,
  errorOnExist: true,
});

const { catalogueOf, traceOfPackage } = await import('../dist/scripts/traceability.js');
writeFileSync(new URL('../dist/catalogue.json', import.meta.url), JSON.stringify(catalogueOf(traceOfPackage())));

const { OPENAPI_FILES, renderOpenApi } = await import('../dist/scripts/openapi.js');
for (const [file, version] of Object.entries(OPENAPI_FILES)) {
  writeFileSync(new URL(`../schemas/${file}`, import.meta.url), renderOpenApi(version));
}

chmodSync(new URL('../dist/src/cli/bin.cjs', import.meta.url), 0o755);
