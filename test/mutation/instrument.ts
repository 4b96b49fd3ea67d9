/** Mutants of the reference service: its compiled files with every mutation in them, each behind a switch. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const SERVICE = fileURLToPath(new URL('../../dist/fixtures/service', import.meta.url));

/** No client can tell these: the socket, the look inside for tests, and what an operator is given. */
const UNSEEN = ['serve.js', 'certificate.js', 'places.js', 'reference.js', 'settings.js'];
/** What makes one lawful service into another; the reference service checks none of it. */
const CHOICES = ['policy.js', 'formats.js', 'rules.js', 'scan.js'];
const NOT_MUTATED = [...UNSEEN, ...CHOICES];

/** One change of the reference service. */
export interface Mutant {
  /** The name under which the copy switches it on. */
  readonly id: string;
  /** File, declaration, mutator, original and replacement: stable against moved lines. */
  readonly key: string;
  /** File and top-level declaration. */
  readonly place: string;
}

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
  const { files: copies, mutants } = await new Instrumenter(SILENT).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [{ shouldIgnore: (path) => whyIgnored(path as Path) }],
  });
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  // The copy is outside of any package.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, content } of copies) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), withAbsoluteImports(content, name));
  }
  return {
    folder,
    mutants: keyed(
      mutants.filter(({ status }) => status !== 'Ignored'),
      new Map(files.map(({ name, content }) => [name, content])),
    ),
  };
}

const ignore = (): void => undefined;
const never = (): boolean => false;
const SILENT = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
};

/** The contract is not copied: what leaves the folder is imported from where it is. */
function withAbsoluteImports(code: string, name: string): string {
  return code.replace(/(from ['"])((?:\.\.\/)+src\/[^'"]+)/g, (_, start: string, path: string) => {
    return start + pathToFileURL(join(SERVICE, dirname(name), path)).href;
  });
}

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly left?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly callee?: Node;
}

interface Path {
  readonly node: Node;
  readonly parent?: Node;
  readonly key: string | number | null;
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

type Found = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/** Two equal changes of one declaration are told apart by their order. */
function keyed(found: readonly Found[], texts: ReadonlyMap<string, string>): readonly Mutant[] {
  const counts = new Map<string, number>();
  return found.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => {
    const lines = (texts.get(fileName) ?? '').split('\n');
    const place = `${fileName} ${declarationAt(lines, start.line)}`;
    const before = brief((lines[start.line] ?? '').slice(0, start.column));
    const after = brief((lines[end.line] ?? '').slice(end.column));
    const change = `⟦${brief(textBetween(lines, start, end))} → ${brief(replacement)}⟧`;
    const same = `${place} ${mutatorName}: ${before}${change}${after}`;
    const count = (counts.get(same) ?? 0) + 1;
    counts.set(same, count);
    return { id, key: count === 1 ? same : `${same} (${count})`, place };
  });
}

function declarationAt(lines: readonly string[], line: number): string {
  const above = lines
    .slice(0, line + 1)
    .map((text) => /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1]);
  return above.findLast((name) => name !== undefined) ?? '';
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const inner = lines.slice(start.line, end.line + 1);
  inner[inner.length - 1] = (inner.at(-1) ?? '').slice(0, end.column);
  inner[0] = (inner[0] ?? '').slice(start.column);
  return inner.join('\n');
}

const LONGEST = 70;

/** One line; of a long text the start and the end. */
function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 21)} … ${line.slice(-18)}`;
}
