/** The recipes of the README and of the pages that it leads to: each command prints what the page says. */

import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startServed } from '../../src/cli/commands/serve.ts';
import { BIN } from './command.ts';

export const textOf = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of a section's console block, each with what it prints. */
export function stepsOf(page: string, title: string): readonly Step[] {
  const section =
    textOf(page)
      .split(new RegExp(`\n##+ ${title}\n`))[1]
      ?.split(/\n##+ /)[0] ?? '';
  const block = /```console\n(.*?)```/s.exec(section)?.[1] ?? '';
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*)\n(.*)$/s.exec(part) ?? [];
      return { command, output };
    });
}

/** What differs from one run to the next: the port, what was drawn, the key, the time and the machine. */
export function settled(text: string): string {
  return (
    text
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
      .replace(/, \d+ s of waiting/g, '')
      // A certification draws its seed, and with it a walk that may need one more read; docs.test.ts holds the figure of a run.
      .replace(/\b[\d,]+ (requests,|exchanges[.;])/g, 'N $1')
      .replace(/\bseed \d+/g, 'seed N')
      .replace(/\b[0-9a-f]{64}\b/g, 'KEY')
      .replace(/\bnonce [0-9a-f]+/g, 'nonce N')
      .replace(/\bhost "[^"]*"/g, 'host NAME')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .trim()
  );
}

/** A folder in which `pcs-conformance` is this checkout's command. */
export function shellFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-command-'));
  const path = join(folder, 'pcs-conformance');
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}

/** What a command prints, on either stream, in a shell that has it, and how it ends. */
export function ended(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number | null; readonly out: string }> {
  const path = `${shellFolder()}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    const shell = execFile('sh', ['-c', `exec 2>&1\n${line}`], { cwd, env: { ...env, PATH: path } }, (_, out) =>
      resolve({ exit: shell.exitCode, out }),
    );
  });
}

/** What a command prints. */
export const printed = async (...command: Parameters<typeof ended>): Promise<string> => (await ended(...command)).out;

/** Prints something else when the key or the entry is there already, so the shell must not be asked twice. */
const FIRST_TIME_ONLY = /keygen|expect add/;

/** Works with the settings of a service as `serve` starts it. */
export async function served<T>(
  faults: readonly string[],
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 }, faults);
  try {
    return await work({ ...settings, PCS_BASE_URL: url } as Readonly<Record<string, string>>);
  } finally {
    await close();
  }
}

/** Runs the commands against one service, word for word; twice, since what a reader did once has to work again. */
export async function follow(page: string, title: string, cwd: string, faults: readonly string[] = []): Promise<void> {
  const steps = stepsOf(page, title);
  expect(steps.length).toBeGreaterThan(1);
  await served(faults, async (env) => {
    for (const pass of [1, 2]) {
      for (const { command: line, output } of steps) {
        const said = settled(await printed(line, cwd, env));
        if (pass > 1 && FIRST_TIME_ONLY.test(line)) expect(said).not.toContain('choose another');
        else expect(`$ ${line}\n${said}`).toBe(`$ ${line}\n${settled(output)}`);
      }
    }
  });
}
