// Copies the style sheets and scripts that pages inline to the compiled output, which tsc does not do.
import { cpSync, statSync } from 'node:fs';

cpSync(new URL('../src', import.meta.url), new URL('../dist/src', import.meta.url), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || /\.(css|js)$/.test(path),
  // page.js beside page.ts would replace the module.
  force: false,
  errorOnExist: true,
});
