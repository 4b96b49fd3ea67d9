/** Runs vitest as a user does, in a project of theirs or in this repository. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, emptyFolder } from './command.ts';

/** The root of this repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The programs of docs/programmatic-use.md, by the file that their first line names. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map(
  [...readFileSync(join(ROOT, 'docs/programmatic-use.md'), 'utf8').matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)].map(
    ([, file = '', program = '']) => [file, program] as const,
  ),
);

/** A test as vitest's JSON reporter writes it. */
interface SeenTest {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** A finished run of vitest. */
export interface Seen {
  readonly code: number | null;
  readonly out: string;
  /** Each test that was not filtered out by its name. */
  readonly tests: readonly SeenTest[];
}

/** A run of vitest that may be interrupted. */
export interface Started {
  readonly ended: Promise<Seen>;
  /** Sends SIGINT to vitest and its workers. */
  readonly interrupt: () => void;
}

/** Adds vitest to a project, and a test file with the cases. */
export function addVitest(project: string): string {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', 'vitest'), join(project, 'node_modules', 'vitest'));
  writeFileSync(join(project, 'conformance.test.ts'), EXAMPLES.get('conformance.test.ts') ?? '');
  return project;
}

/** Starts vitest in a folder; `temporary` is its folder for temporary files. */
export function startVitest(
  cwd: string,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  temporary: string = emptyFolder(),
): Started {
  const file = join(temporary, 'tests.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const bin = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [bin, 'run', ...reporters, ...words], {
    cwd,
    env: { ...cleanEnvironment(), TMPDIR: temporary, ...env },
    // A process group of its own, as a shell gives it: Ctrl-C goes to vitest and to its workers alike.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
  }
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, out, tests: testsIn(file) }));
  return { ended, interrupt: () => process.kill(-(child.pid ?? process.pid), 'SIGINT') };
}

function testsIn(file: string): readonly SeenTest[] {
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap((one: { assertionResults: readonly SeenTest[] }) => one.assertionResults);
}
