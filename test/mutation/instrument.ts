/** Mutants of the reference service: its compiled files with every mutation in them, each behind a switch. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Mutant, mutated, type Node, type Path } from './mutants.ts';

export type { Mutant } from './mutants.ts';

const SERVICE = fileURLToPath(new URL('../../dist/fixtures/service', import.meta.url));

/** No client can tell these: the socket, the look inside for tests, and what an operator is given. */
const UNSEEN = ['serve.js', 'certificate.js', 'places.js', 'reference.js', 'settings.js'];
/** What makes one lawful service into another; the reference service checks none of it. */
const CHOICES = ['policy.js', 'formats.js', 'rules.js', 'scan.js'];
const NOT_MUTATED = [...UNSEEN, ...CHOICES];

/** A copy of the service with all mutants in it. */
export interface Mutants {
  /** The folder of the copy; its `reference.js` creates the service. */
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/** Writes the copy into a temporary folder, from the compiled files, with the mutants of all files or of these. */
export async function instrumentService(only?: readonly string[]): Promise<Mutants> {
  const names = readdirSync(SERVICE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const files = names.sort().map((name) => {
    const content = readFileSync(join(SERVICE, name), 'utf8');
    return { name, mutate: only?.includes(name) ?? !NOT_MUTATED.includes(name), content };
  });
  const { copies, mutants } = await mutated(files, whyIgnored);
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  // The copy is outside of any package.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, content } of copies) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), withAbsoluteImports(content, name));
  }
  return { folder, mutants };
}

/** The contract is not copied: what leaves the folder is imported from where it is. */
function withAbsoluteImports(code: string, name: string): string {
  return code.replace(/(from ['"])((?:\.\.\/)+src\/[^'"]+)/g, (_, start: string, path: string) => {
    return start + pathToFileURL(join(SERVICE, dirname(name), path)).href;
  });
}

/** Whether it reads a choice of the policy: `policy.lists`. */
function isChoice(node: Node | undefined): boolean {
  return node?.type === 'MemberExpression' && [node.object?.name, node.object?.property?.name].includes('policy');
}

/** The other outcome of a choice is another lawful service; what an error says in words is free. */
function whyIgnored({ node, parent, key }: Path): string | undefined {
  if (node.type === 'BinaryExpression' && isChoice(node.left)) return 'a choice of the policy';
  return parent?.callee?.name === 'rejection' && key === 1 ? 'the wording of an error' : undefined;
}
