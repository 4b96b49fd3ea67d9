import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where files take longest: whole runs, most of them in short files, and processes. */
const LONGEST = [
  /\/test\/proof\/(?:faults|variants|calls|rules|attacks|explore)/,
  /\/test\/e2e\//,
  /\/test\/proof\//,
  /\/test\/browser\//,
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((pattern) => pattern.test(moduleId));
  return rank < 0 ? LONGEST.length : rank;
};

/** Without this the largest file comes first, and a short one with many runs keeps one core busy when the others are done. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

// short: what `npm test` runs, which is the parts (test/unit), the whole suite against services that are right, wrong and
// strange (test/proof), the command as a process (test/e2e) and report.html as a reader has it (test/browser).
// conformance: the suite itself against the target that the settings (.env) name, so that an editor shows the same cases
// as the command.
export default defineConfig({
  test: {
    // Two more than there are cores: tests of the command often wait for a process or for a timeout.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
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
