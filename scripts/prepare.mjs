// Builds the package after npm has installed what it needs from here; a tarball is built already, and does not run this.
import { execSync } from 'node:child_process';
import { createRequire } from 'node:module';

try {
  createRequire(import.meta.url).resolve('typescript');
} catch {
  console.error('A checkout is built with its development packages: install them, too, with npm ci --include=dev.');
  process.exit(1);
}
execSync('npm run build', { stdio: 'inherit' });
