import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/mutation/service.mutants.ts'], testTimeout: 60_000, globalSetup: 'test/temporary-root.ts' },
});
