// Removes the compiled output, so that a file that was deleted or renamed cannot linger in a package.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
