import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait for processes, and files of whole runs: both take longest in their kind. */
const WAITING = /\/test\/(?:e2e|browser)\//;
const WHOLE_RUNS = /\/test\/proof\//;

const isOf =
  (pattern: RegExp) =>
  ({ moduleId }: TestSpecification): boolean =>
    pattern.test(moduleId);

/**
 * Files that wait and files that compute in turn, so that the cores are busy from beginning to end; what takes longest
 * comes first, since otherwise one core is busy with it when the others are done.
 */
class InTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const waiting = bySize.filter(isOf(WAITING));
    const computing = bySize.filter((file) => !isOf(WAITING)(file));
    const longestFirst = [
      ...computing.filter(isOf(WHOLE_RUNS)),
      ...computing.filter((file) => !isOf(WHOLE_RUNS)(file)),
    ];
    const longer = Math.max(waiting.length, computing.length);
    return Array.from({ length: longer }, (_, at) => [waiting[at], longestFirst[at]])
      .flat()
      .filter((file) => file !== undefined);
  }
}

// short: what `npm test` runs, which is the parts (test/unit), the whole suite against services that are right, wrong and
// strange (test/proof), the command as a process (test/e2e) and report.html as a reader has it (test/browser).
// conformance: the suite itself against the target that the settings (.env) name, so that an editor shows the same cases
// as the command.
export default defineConfig({
  test: {
    // One more than there are cores: tests of the command often wait for a process or for a timeout.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: InTurn },
    globalSetup: 'test/temporary-root.ts',
    projects: [
      {
        test: {
          name: 'short',
          provide: { whole: false },
          include: ['test/*.test.ts', 'test/{unit,proof,e2e,browser}/**/*.test.ts'],
          // No test leaves a trace in a module: one import serves many files.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      // Whole lists instead of samples (test/sampled.ts), large samples, and waits of minutes in real time: for the night,
      // and in shards.
      {
        test: {
          name: 'long',
          provide: { whole: true },
          include: ['test/{long,proof,e2e,unit}/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      { test: { name: 'conformance', include: ['suites/conformance.test.ts'] } },
    ],
  },
});
