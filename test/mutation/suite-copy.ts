/** Mutants of the suite: a copy of its compiled files in which each change of what judges or guards has a switch. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Mutants } from './instrument.ts';
import { mutated, type Path } from './mutants.ts';

/** The compiled files. */
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const FAMILIES = ['aliases', 'answers', 'authentication', 'create-call', 'ids', 'organizations', 'records', 'updates'];

/** They count what happened and let nothing through; the proofs of the ledger play whole lives of calls. */
const LEDGERS = ['call-end.js', 'call-ledger.js', 'create-outcome.js'];

const filesIn = (folder: string, ...others: readonly string[]): readonly string[] =>
  readdirSync(join(DIST, folder))
    .filter((name) => name.endsWith('.js') && !others.includes(name))
    .map((name) => `${folder}/${name}`);

/** What is mutated: what forms an opinion on an exchange, and what keeps a request from being sent. */
export const GROUPS = {
  expectations: [...filesIn('suites/expect', 'remedy.js'), ...FAMILIES.map((name) => `suites/${name}.js`)],
  guards: [...filesIn('src/client/safety', ...LEDGERS), 'src/client/request-path.js'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** These import each other; whatever else they import is imported from where it is. */
const COPIED: readonly string[] = [...filesIn('suites', 'index.js'), ...filesIn('suites/expect'), ...GROUPS.guards];

/** Writes the copy into a temporary folder, with the mutants of these files. */
export async function instrumentSuite(only: readonly string[] = Object.values(GROUPS).flat()): Promise<Mutants> {
  const files = COPIED.map((name) => {
    return { name, mutate: only.includes(name), content: readFileSync(join(DIST, name), 'utf8') };
  });
  // A changed text changes no opinion, and what `?.` guards against is a matter of types.
  const { copies, mutants } = await mutated(files, whyIgnored, ['StringLiteral', 'OptionalChaining']);
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, content } of copies) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), withoutMemory(withAbsoluteImports(content, name), name));
  }
  return { folder, mutants };
}

const { resolve } = createRequire(join(DIST, 'src/index.js'));

function withAbsoluteImports(code: string, name: string): string {
  return code.replace(/^((?:import|export|\}).*from ['"])([^'"]+)/gm, (whole, start: string, path: string) => {
    if (path.startsWith('node:')) return whole;
    const isOurs = path.startsWith('.');
    const target = isOurs ? join(dirname(name), path) : path;
    if (isOurs && COPIED.includes(target)) return whole;
    return start + pathToFileURL(isOurs ? join(DIST, target) : resolve(target)).href;
  });
}

/** What an expectation remembers hides which opinions rest on it, so the judge of mutants decides how long that is. */
function withoutMemory(code: string, name: string): string {
  return name.startsWith('suites/expect/')
    ? code.replaceAll('new WeakMap()', 'new (globalThis.MutantMemory ?? WeakMap)()')
    : code;
}

/** Functions that make words. */
const OF_WORDS = /remed|sentence|phrase|reason|summary|aftermath|authorOf|whereIn|counted|difference|toResolve/i;
/** Calls with words as arguments, and the first of these. */
const WORDS_FROM: Readonly<Record<string, number>> = {
  none: 0,
  inconclusive: 0,
  lawfullyNone: 0,
  found: 1,
  foundAcceptance: 1,
  foundRejection: 1,
  foundStatus: 1,
};

/** Words are free, and what is sent was decided before the record was made. */
function whyIgnored({ node, parent, key }: Path): string | undefined {
  if (node.type === 'TemplateLiteral') return 'words';
  const first = WORDS_FROM[parent?.callee?.name ?? ''];
  if (first !== undefined && typeof key === 'number' && key >= first) return 'words';
  const name = node.id?.name ?? node.key?.name ?? '';
  if (['FunctionDeclaration', 'VariableDeclarator'].includes(node.type) && OF_WORDS.test(name)) return 'words';
  return node.type === 'ObjectProperty' && ['send', 'remedy', 'summary', 'reason'].includes(name)
    ? 'what is sent, or words'
    : undefined;
}
