// Copies the style sheets and scripts that pages inline to the compiled output, which tsc does not do, and makes the command
// executable: npm does so only when it links the package, and a later build writes the file anew.
import { chmodSync, cpSync, statSync } from 'node:fs';

cpSync(new URL('../src', import.meta.url), new URL('../dist/src', import.meta.url), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || /\.(css|js)$/.test(path),
  // page.js beside page.ts would replace the module.
  force: false,
  errorOnExist: true,
});

chmodSync(new URL('../dist/src/cli/main.js', import.meta.url), 0o755);
