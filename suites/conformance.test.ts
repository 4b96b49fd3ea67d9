/** Every case of a run against the target that the settings name, as a vitest test. */

import { conformance } from '../src/vitest.ts';

await conformance();
