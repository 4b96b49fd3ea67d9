import { test } from 'vitest';
import { demandTheSame, LINES } from '../e2e/warm-lines.ts';

test('every command prints the same, exits with the same code and writes the same files', async () => {
  await demandTheSame(LINES);
});
