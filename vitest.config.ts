import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole runs take longest: they come first, since otherwise one core is busy with the last when the others are done. */
const WHOLE_RUNS = /\/test\/proof\//;

const isWholeRuns = ({ moduleId }: TestSpecification): boolean => WHOLE_RUNS.test(moduleId);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return [...bySize.filter(isWholeRuns), ...bySize.filter((file) => !isWholeRuns(file))];
  }
}

const CORES = availableParallelism();
const ROOT = import.meta.dirname;

/** The file that npm run build makes of a source, or null for a file that it leaves out. */
function builtFrom(source: string): string | null {
  const place = relative(ROOT, source);
  const built = join(ROOT, 'dist', place.replace(/\.ts$/, '.js'));
  return /^(src|suites|fixtures|test\/selftest)\//.test(place) && existsSync(built) ? built : null;
}

// Node imports what was built itself, which takes a tenth less CPU than the sources, and it is what the package brings.
// npm test builds first; vitest alone, as an editor starts it, takes the sources.
const BUILT: Plugin = {
  name: 'built',
  enforce: 'pre',
  apply: () => process.env['npm_lifecycle_event'] === 'test',
  resolveId(imported, importer) {
    if (importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(imported)) return null;
    const id = builtFrom(resolve(dirname(importer), imported));
    return id === null ? null : { id, external: true };
  },
};
const SERVER = { deps: { external: [new RegExp(`^${join(ROOT, 'dist')}/`)] } };

/** Not for the suite itself: the journal of a run that was killed must stay. */
const TEMPORARY_ROOT = 'test/temporary-root.ts';

/** What both projects of `npm test` have in common. */
const SHORT = {
  server: SERVER,
  globalSetup: TEMPORARY_ROOT,
  provide: { whole: false },
  // No test leaves a trace in a module: one import serves many files.
  isolate: false,
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

// npm test runs two projects, one after the other, so that the cores are busy and never crowded:
// command: the command as a process (test/e2e) and report.html as a reader has it (test/browser), which mostly wait.
// short: the parts (test/unit) and the whole suite against services that are right, wrong and strange (test/proof).
// conformance: the suite itself against the target that the settings (.env) name, so that an editor shows the same cases
// as the command.
export default defineConfig({
  test: {
    maxWorkers: CORES,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [BUILT],
        test: {
          ...SHORT,
          name: 'command',
          include: ['test/{e2e,browser}/**/*.test.ts'],
          maxWorkers: CORES + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [BUILT],
        test: {
          ...SHORT,
          name: 'short',
          include: ['test/*.test.ts', 'test/{unit,proof}/**/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      // Whole lists instead of samples (test/sampled.ts), large samples, and waits of minutes in real time: for the night,
      // and in shards.
      {
        test: {
          name: 'long',
          globalSetup: TEMPORARY_ROOT,
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
