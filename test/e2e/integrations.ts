/** The files of `integrations`, and how the systems they are for run them. */

import { type ChildProcess, execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { BIN, cleanEnvironment, emptyFolder, type Finished } from './command.ts';

const FOLDER = fileURLToPath(new URL('../../integrations', import.meta.url));

type Text = Readonly<Record<string, string>>;

/** Where a file lies. */
export const pathOf = (file: string): string => join(FOLDER, file);

/** The text of a file. */
export const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8');

/** The documents of a YAML file. */
export function documentsOf<T>(file: string): readonly T[] {
  return parseAllDocuments(textOf(file)).map((document) => document.toJS() as T);
}

/** Replaces `$(NAME)` and `$$` as Kubernetes does. */
export function expanded(text: string, env: Text): string {
  return text.replace(/\$\$|\$\((\w+)\)/g, (all, name?: string) => (name === undefined ? '$' : (env[name] ?? all)));
}

/** A composite action, as far as a test needs it. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly { readonly id?: string; readonly run?: string; readonly env?: Text }[] };
}

export const ACTION: Action = parse(textOf('github-action/action.yml'));

/** Where the suite comes from, as a user names it. */
export const PACKAGE = 'https://packages.example.com/pcs-conformance-0.1.0.tgz';

/** A folder with these shell scripts. */
export function scripts(texts: Text): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/**
 * A folder with an `npx` that fetches nothing: it has this checkout's command for the package, and fails for any other. As the
 * real one, it ends by a signal and leaves the command running.
 */
function withNpx(): string {
  const asked = `[ "$1 $2 $3 $4" = "--yes --package ${PACKAGE} --" ]`;
  const installed = scripts({ 'pcs-conformance': `exec "${process.execPath}" "${BIN}" "$@"` });
  const npx = `${asked} || exit 1\nshift 4\nPATH="${installed}:$PATH"\n"$@" &\nwait $!`;
  // gitlab-ci-local copies the sources for containers; a job in a shell needs no copy.
  return scripts({ npx, rsync: 'exit 0' });
}

const NPX = withNpx();

/** Runs words in a folder, with that `npx` at hand. */
export function ran(
  words: readonly string[],
  env: Text,
  cwd: string,
  onStart: (child: ChildProcess) => unknown = () => undefined,
): Promise<Finished> {
  const [file = '', ...rest] = words;
  const path = [NPX, env['PATH'], process.env['PATH']].filter(Boolean).join(':');
  return new Promise((resolve) => {
    const child = execFile(file, rest, { cwd, env: { ...cleanEnvironment(), ...env, PATH: path } }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
    onStart(child);
  });
}

/** What a step of the action leaves. */
export interface Step extends Finished {
  readonly outputs: Text;
  readonly summary: string;
  readonly cwd: string;
}

/** The environment of the step that runs the suite, as GitHub makes it of the inputs. */
export function stepEnvironment(inputs: Text): Text {
  const { env = {} } = ACTION.runs.steps.find(({ id }) => id === 'run') ?? {};
  const given = (name: string): string => inputs[name] ?? ACTION.inputs[name]?.default ?? `no input ${name}`;
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given(input)),
    ]),
  );
}

/** Runs the step of the action as a runner does; `env` is what the job has. */
export async function runAction(
  inputs: Text,
  env: Text = {},
  cwd: string = emptyFolder(),
  onStart?: (bash: ChildProcess) => unknown,
): Promise<Step> {
  const temporary = emptyFolder();
  const files = { GITHUB_OUTPUT: join(temporary, 'output'), GITHUB_STEP_SUMMARY: join(temporary, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  mkdirSync(join(temporary, 'temp'));
  // GitHub writes a file of it: with -c, bash would replace itself by the last command.
  const script = join(temporary, 'step.sh');
  writeFileSync(script, ACTION.runs.steps[0]?.run ?? '');
  const finished = await ran(
    ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script],
    {
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: pathOf('github-action'), ...files },
      ...{ RUNNER_TEMP: join(temporary, 'temp'), ...env, ...stepEnvironment({ package: PACKAGE, ...inputs }) },
    },
    cwd,
    onStart,
  );
  const lines = readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean);
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
  return { ...finished, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), cwd };
}

export const READ_ONLY = { PCS_PROFILE: 'read-only' } as const;
/** A few requests are enough to see that a run takes place. */
export const BRIEF = { ...READ_ONLY, PCS_ONLY: 'LIST-STATUS' } as const;
