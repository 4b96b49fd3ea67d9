import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import whole from '../../vitest.config.ts';

/** The files in the order in which they are given: the cheapest first. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = (process.env['TEST_FILES'] ?? '').split(',');
    const place = ({ moduleId }: TestSpecification): number => order.findIndex((file) => moduleId.endsWith(`/${file}`));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

const projects = (whole.test?.projects ?? []).map((project) =>
  typeof project === 'object' && 'test' in project && process.env['TOUCHED'] !== undefined
    ? { ...project, test: { ...project.test, setupFiles: ['test/mutation/touched.ts'] } }
    : project,
);

// The tests of npm test for one mutant of the sample, or once for all with notes of what each file calls.
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { ...whole.test, projects, sequence: { sequencer: AsGiven } },
});
