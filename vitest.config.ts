import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// short: what `npm test` runs, which is the parts (test/unit), the whole suite against services that are right, wrong and
// strange (test/proof), the command as a process (test/e2e) and report.html as a reader has it (test/browser).
// conformance: the suite itself against the target that the settings (.env) name, so that an editor shows the same cases
// as the command.
export default defineConfig({
  test: {
    // Two more than there are cores: tests of the command often wait for a process or for a timeout.
    maxWorkers: availableParallelism() + 2,
    globalSetup: 'test/temporary-root.ts',
    projects: [
      {
        test: {
          name: 'short',
          include: ['test/*.test.ts', 'test/{unit,proof,e2e,browser}/**/*.test.ts'],
          // No test leaves a trace in a module: one import serves many files.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
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
