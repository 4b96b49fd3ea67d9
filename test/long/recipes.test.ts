import { test } from 'vitest';
import { emptyFolder } from '../e2e/command.ts';
import { follow } from '../e2e/recipes.ts';

test('an implementation can be certified twice in one folder', async () => {
  await follow('docs/certification.md', 'Certify an implementation', emptyFolder());
});
