/** The recipes of the README and of the pages that it leads to: each command prints what the page says. */

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Differences, startServed } from '../../src/cli/commands/serve.ts';
import { BIN, command, emptyFolder } from './command.ts';

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
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/, \d+ s of waiting/g, '')
    .replace(/\bseed \d+/g, 'seed N')
    .replace(/\b[0-9a-f]{64}\b/g, 'KEY')
    .replace(/\bnonce [0-9a-f]+/g, 'nonce N')
    .replace(/\bhost "[^"]*"/g, 'host NAME')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .trim();
}

/** A folder in which `npx pcs-conformance` is this script, and npm would not be asked. */
export function shellFolder(script = `exec "${process.execPath}" "${BIN}" "$@"`): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-npx-'));
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift\n${script}\n`);
  chmodSync(npx, 0o755);
  return folder;
}

/** What a command prints, on either stream, in a shell where `npx` is ours. */
export function printed(
  line: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  npx?: string,
): Promise<string> {
  const path = `${shellFolder(npx)}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', `exec 2>&1\n${line}`], { cwd, env: { ...env, PATH: path } }, (_, out) => resolve(out));
  });
}

/** The same in a third of the time: the shell calls a script with the output of a process that has run others. */
export async function printedAgain(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const folder = emptyFolder();
  const [asked, out, err] = ['asked', 'out', 'err'].map((name) => join(folder, name)) as [string, string, string];
  const unasked = await printed(line, cwd, env, `printf '%s\\0' "$@" >${asked}`);
  if (!existsSync(asked)) return unasked;
  // The inbound call of the reference service rings again after a pause, which a new process takes to start.
  if (/ (?:run|certify) /.test(line)) await new Promise((resolve) => setTimeout(resolve, 400));
  const finished = await command(readFileSync(asked, 'utf8').split('\0').slice(0, -1), env, cwd);
  writeFileSync(out, finished.out);
  writeFileSync(err, finished.err);
  return printed(line, cwd, env, `cat ${err} >&2; cat ${out}; exit ${finished.code}`);
}

/** Prints something else when the key or the entry is there already, so the shell must not be asked twice. */
const FIRST_TIME_ONLY = /keygen|expect add/;

/** How often the commands are run, and whether each is a process of its own. */
interface Following {
  readonly passes: 1 | 2;
  readonly way: typeof printed;
  readonly difference?: Differences;
}

/** Runs the commands against one service, word for word; twice, since what a reader did once has to work again. */
export async function follow(page: string, title: string, cwd: string, how: Following): Promise<void> {
  const { passes, way, difference = {} } = how;
  const steps = stepsOf(page, title);
  expect(steps.length).toBeGreaterThan(1);
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 }, difference);
  const env = { ...settings, PCS_BASE_URL: url } as Readonly<Record<string, string>>;
  try {
    for (let pass = 1; pass <= passes; pass += 1) {
      for (const { command: line, output } of steps) {
        const said = settled(await (FIRST_TIME_ONLY.test(line) ? printed : way)(line, cwd, env));
        if (pass > 1 && FIRST_TIME_ONLY.test(line)) expect(said).not.toContain('choose another');
        else expect(`$ ${line}\n${said}`).toBe(`$ ${line}\n${settled(output)}`);
      }
    }
  } finally {
    await close();
  }
}
