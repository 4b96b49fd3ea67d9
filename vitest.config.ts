import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// unit: the parts. proof: the whole suite against services that are right, wrong and strange, and the command as a
// process. browser: report.html as a reader has it. conformance: the suite itself against the target that the settings
// (.env) name, so that an editor shows the same cases as the command.
export default defineConfig({
  test: {
    // One more than there are cores: tests of the command often wait for a process or for a timeout.
    maxWorkers: availableParallelism() + 1,
    globalSetup: 'test/temporary-root.ts',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/*.test.ts'],
          // Nothing here leaves a trace in a module: one import serves many files.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'proof',
          include: ['test/proof/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // Large samples, and waits of minutes in real time: for the night, and in shards.
      {
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'conformance', include: ['suites/conformance.test.ts'] } },
    ],
  },
});
