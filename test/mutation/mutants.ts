/** Mutants of compiled files: every change of an operator, literal or block, each behind a switch, under a stable key. */

import { Instrumenter } from '@stryker-mutator/instrumenter';

/** One change of a file. */
export interface Mutant {
  /** The name under which the copy switches it on. */
  readonly id: string;
  /** File, declaration, mutator, original and replacement: stable against moved lines. */
  readonly key: string;
  /** File and top-level declaration. */
  readonly place: string;
}

/** A file as it is, and whether mutants go into it. */
export interface SourceFile {
  readonly name: string;
  readonly content: string;
  readonly mutate: boolean;
}

/** What the instrumenter shows of a piece of code. */
export interface Node {
  readonly type: string;
  readonly name?: string;
  readonly id?: Node | null;
  readonly key?: Node;
  readonly left?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly callee?: Node;
}

/** A piece of code, and where it stands. */
export interface Path {
  readonly node: Node;
  readonly parent?: Node;
  readonly key: string | number | null;
}

/** The files with all mutants in them, other than those of the excluded kinds and those for which there is a reason. */
export async function mutated(
  files: readonly SourceFile[],
  whyIgnored: (path: Path) => string | undefined,
  excludedMutations: string[] = [],
): Promise<{ readonly copies: readonly Pick<SourceFile, 'name' | 'content'>[]; readonly mutants: readonly Mutant[] }> {
  const { files: copies, mutants } = await new Instrumenter(SILENT).instrument(files, {
    plugins: null,
    excludedMutations,
    ignorers: [{ shouldIgnore: (path) => whyIgnored(path as Path) }],
  });
  const texts = new Map(files.map(({ name, content }) => [name, content]));
  return {
    copies,
    mutants: keyed(
      mutants.filter(({ status }) => status !== 'Ignored'),
      texts,
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
    .map((text) => /^(?:export )?(?:async )?(?:function|const|class) (\w+)/.exec(text)?.[1]);
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
