/** Names: another file imports each export, unless the package exports it, and no two files declare a name at their top level. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { groupBy } from '../src/contract/lists.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'suites', 'fixtures', 'test', 'bench', 'scripts'];
/** What the package exports, and a module that stands in place of vitest; no file here has to import it. */
const PUBLIC: readonly string[] = ['src/index.ts', 'src/vitest.ts'];

type Sources = ReadonlyMap<string, string>;

const DECLARED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;
/** An import, static or not: what stands before the path of the file, the path, and what stands behind it. */
const IMPORT = /\b(?:import|export|const|async)\b([^;'`]*)'(\.[^']+)'([^\n]*)/g;

const namesIn = (list: string): readonly string[] => list.match(/\w+/g) ?? [];

function exportsOf(text: string): readonly string[] {
  const listed = [...text.matchAll(LISTED)].flatMap(([, list = '']) => list.split(','));
  const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => name);
  // Of `a as b` others see the last name.
  return [...declared, ...listed.flatMap((one) => namesIn(one).at(-1) ?? [])];
}

/** `file name` of all that a file imports; of a namespace, every word of the file. */
function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, before = '', path = '', behind = '']) => {
    const from = relative(ROOT, resolve(ROOT, dirname(file), path)).replace(/^dist\/(.*)\.js$/, '$1.ts');
    return namesIn(before.includes('* as') ? text : before + behind).map((name) => `${from} ${name}`);
  });
}

/** Exports of these files that no other file imports. */
function unused(sources: Sources): readonly string[] {
  const imported = new Set([...sources].flatMap(([file, text]) => importsOf(file, text)));
  return [...sources]
    .filter(([file]) => !PUBLIC.includes(file))
    .flatMap(([file, text]) => exportsOf(text).map((name) => `${file} ${name}`))
    .filter((one) => !imported.has(one) && !isOwnType(sources, one));
}

/** A type that others get with a function of the same file needs no import of its own. */
function isOwnType(sources: Sources, one: string): boolean {
  const [file = '', name = ''] = one.split(' ');
  const text = sources.get(file) ?? '';
  return (
    new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(text) &&
    text.split(new RegExp(`\\b${name}\\b`)).length > 2
  );
}

function sourcesIn(folder: string): readonly (readonly [string, string])[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(ts|mjs)$/.test(file))
    .map((file) => [join(folder, file), readFileSync(join(ROOT, folder, file), 'utf8')]);
}

describe('an export', () => {
  test('is imported by another file', () => {
    expect(unused(new Map(FOLDERS.flatMap(sourcesIn)))).toEqual([]);
  });
});

const AT_TOP = /^(?:export )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

describe('a name at the top level of a file', () => {
  // 214 had been declared in two to six files: a search for `textOf` or `Place` led to the wrong one.
  test('is declared in no other file of src and suites', () => {
    const named = ['src', 'suites'].flatMap(sourcesIn).flatMap(([file, text]) => {
      const names = new Set([...text.matchAll(AT_TOP)].map(([, name = '']) => name));
      return [...names].map((name) => ({ name, file }));
    });
    expect(named.length).toBeGreaterThan(1_000);
    const twice = [...groupBy(named, ({ name }) => name)].filter(([, declared]) => declared.length > 1);
    expect(twice).toEqual([]);
  });
});
