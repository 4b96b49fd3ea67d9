/** Judges mutants with unit tests, in a process of their own, and ends it if a mutant never returns. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant, Mutants } from './instrument.ts';

/** What the process reads. */
export interface UnitOrder {
  readonly folder: string;
  readonly tests: readonly string[];
  readonly mutants: readonly string[];
  /** The file for its notes. */
  readonly notes: string;
}

/** What it writes, a line each. */
export type UnitNote =
  | { readonly broken: string }
  | { readonly trying: string }
  | ({ readonly mutant: string } & Noticed)
  | { readonly done: true };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(ROOT, 'test/mutation/unit.config.ts');
/** So long nothing may be noted. */
const PATIENCE_MS = 300_000;
const TICK_MS = 500;
const ENDLESS: Noticed = { by: 'it never returns', covering: 1 };

/** The test that notices a mutant, or `null`, and how many tests pass it. */
export interface Noticed {
  readonly by: string | null;
  readonly covering: number;
}

/** By the id of a mutant, what the tests say of it. Throws if a test fails without a mutant. */
export async function noticedBy(
  { folder }: Mutants,
  mutants: readonly Mutant[],
  tests: readonly string[],
): Promise<ReadonlyMap<string, Noticed>> {
  const found = new Map<string, Noticed>();
  const own = mkdtempSync(join(tmpdir(), 'units-'));
  try {
    for (let round = 0; found.size < mutants.length; round += 1) {
      const notes = join(own, `${round}.jsonl`);
      const left = mutants.map(({ id }) => id).filter((id) => !found.has(id));
      const order: UnitOrder = { folder, tests: tests.map((one) => join(ROOT, one)), mutants: left, notes };
      writeFileSync(join(own, 'order.json'), JSON.stringify(order));
      const said = await processed(join(own, 'order.json'), notes);
      const before = found.size;
      for (const one of notesIn(notes)) {
        if ('broken' in one) throw new Error(`fails without a mutant: ${one.broken}`);
        if ('mutant' in one) found.set(one.mutant, one);
      }
      const last = notesIn(notes).findLast((one) => 'trying' in one);
      if (last !== undefined && 'trying' in last && !found.has(last.trying)) found.set(last.trying, ENDLESS);
      if (found.size === before) throw new Error(`the tests do not run: ${said}`);
    }
  } finally {
    rmSync(own, { recursive: true });
  }
  return found;
}

function notesIn(path: string): readonly UnitNote[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** Until the process ends, or notes nothing any more; what it said. */
function processed(order: string, notes: string): Promise<string> {
  const env = { ...process.env, MUTANTS_ORDER: order };
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG], { cwd: ROOT, env });
  let said = '';
  let length = 0;
  let since = Date.now();
  const timer = setInterval(() => {
    const now = existsSync(notes) ? readFileSync(notes).length : 0;
    if (now !== length) since = Date.now();
    length = now;
    if (Date.now() - since > PATIENCE_MS) child.kill('SIGKILL');
  }, TICK_MS);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.once('close', () => {
      clearInterval(timer);
      resolve(said);
    });
  });
}
