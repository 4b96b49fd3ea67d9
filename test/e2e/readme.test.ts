/** The recipes of README.md and of the pages that it leads to: each command is run, and prints what the page says. */

import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { BIN, emptyFolder } from './command.ts';
import { live } from './live.ts';

const textOf = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

/** The release that the gate stops. */
const NEW_RELEASE = 'hang-up-error-without-message';

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of a section's console block, each with what it prints. */
function stepsOf(page: string, title: string): readonly Step[] {
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

/** What differs from one run to the next: the port, what was drawn, the key, the machine and the time. */
function settled(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/\bseed \d+/g, 'seed N')
    .replace(/\b[0-9a-f]{64}\b/g, 'KEY')
    .replace(/\bnonce [0-9a-f]{32}\b/g, 'nonce N')
    .replace(/\bhost "[^"]*"/g, 'host "H"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .trim();
}

/** A folder in which `npx pcs-conformance` is this checkout's command, and npm would not be asked. */
function shellFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-npx-'));
  const npx = join(folder, 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(npx, 0o755);
  return folder;
}

/** What a command prints, on either stream, in a shell where `npx` is ours. */
function printed(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  const path = `${shellFolder()}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', `exec 2>&1\n${line}`], { cwd, env: { ...env, PATH: path } }, (_, out) => resolve(out));
  });
}

/** Runs each command against a service of its own, since a ringing call can be answered only once. */
async function follow(page: string, title: string, cwd: string, fault?: string): Promise<void> {
  const steps = stepsOf(page, title);
  expect(steps.length).toBeGreaterThan(1);
  const { settings } = createReference();
  const planted = FAULTS.find(({ name }) => name === fault);
  const wrap = (service: Service): Service => planted?.inject(service, settings) ?? service;
  for (const { command, output } of steps) {
    const said = await live({ wrap }, ({ env }) => printed(command, cwd, env));
    expect(`$ ${command}\n${settled(said)}`).toBe(`$ ${command}\n${settled(output)}`);
  }
}

/** The README shows the first steps of a page. */
function expectSameStart(title: string, page: string): void {
  const steps = stepsOf('README.md', title);
  expect(steps.length).toBeGreaterThan(0);
  const start = stepsOf(page, title).slice(0, steps.length);
  expect(steps.map(({ command, output }) => [command, settled(output)])).toEqual(
    start.map(({ command, output }) => [command, settled(output)]),
  );
}

test('staging in CI', async () => {
  await follow('README.md', 'Staging in CI', emptyFolder());
});

test('certify an implementation', async () => {
  expectSameStart('Certify an implementation', 'docs/certification.md');
  await follow('docs/certification.md', 'Certify an implementation', emptyFolder());
});

test('gate a release', async () => {
  expectSameStart('Gate a release', 'docs/ci.md');
  const folder = emptyFolder();
  const before = 'npx pcs-conformance run --profile full --quiet --report-dir last-release';
  expect(await live({}, ({ env }) => printed(before, folder, env))).toContain('CONFORMANT');
  await follow('docs/ci.md', 'Gate a release', folder, NEW_RELEASE);
});
