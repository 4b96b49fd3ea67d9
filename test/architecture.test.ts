/** The house: which room may import from which. Every import of every file is read, and each trespass is named. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DOORS, MAY_IMPORT } from './rooms.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages, each with the only rooms that may use it. */
const ONLY_IN = {
  undici: ['src/client'],
  // The schemas are compiled when the package is built, by scripts/compile-schemas.mjs.
  ajv: [],
  'fast-check': ['src/generate'],
  dotenv: ['src/settings'],
  leven: ['src/contract'],
  commander: ['src/cli'],
  vitest: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Room = keyof typeof MAY_IMPORT;
const ROOMS = Object.keys(MAY_IMPORT) as readonly Room[];

interface Import {
  readonly file: string;
  readonly room: Room;
  readonly specifier: string;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function roomOf(path: string): Room | 'schemas' | 'elsewhere' {
  if (path.startsWith('schemas/')) return 'schemas';
  return ROOMS.find((room) => path.startsWith(`${room}/`)) ?? 'elsewhere';
}

function importsOf(file: string): readonly Import[] {
  const room = roomOf(file);
  if (room === 'schemas' || room === 'elsewhere' || DOORS.includes(file)) return [];
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)];
  return found.map(([, specifier = '']) => ({ file, room, specifier }));
}

const FILES = ['src', 'suites', 'fixtures'].flatMap(filesBelow);
const IMPORTS = FILES.flatMap(importsOf);

function trespass({ file, room, specifier }: Import): string | null {
  if (/^[.#]/.test(specifier)) {
    const to = roomOf(
      specifier.startsWith('#') ? specifier.slice(1) : relative(ROOT, resolve(ROOT, dirname(file), specifier)),
    );
    const allowed: readonly string[] = [room, ...MAY_IMPORT[room]];
    return allowed.includes(to) ? null : `${file} (${room}) imports ${specifier} (${to})`;
  }
  const name = Object.keys(ONLY_IN).find((one) => specifier === one || specifier.startsWith(`${one}/`));
  if (name === undefined) return null;
  const allowed: readonly string[] = ONLY_IN[name as keyof typeof ONLY_IN];
  return allowed.includes(room) ? null : `${file} (${room}) imports the package ${specifier}`;
}

/** Files in circles of imports, those of types included: what is left without the files that begin or end a way. */
function circular(imports: readonly Pick<Import, 'file' | 'specifier'>[]): readonly string[] {
  const ways = imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, specifier }) => ({ from: file, to: join(dirname(file), specifier) }));
  let left = new Set(ways.map(({ from }) => from));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const inside = ways.filter(({ from, to }) => left.has(from) && left.has(to));
    const led = new Set(inside.map(({ to }) => to));
    left = new Set(inside.map(({ from }) => from).filter((from) => led.has(from)));
  }
  return [...left];
}

describe('the house', () => {
  test('no file leads back to itself by its imports', () => {
    expect(circular(IMPORTS)).toEqual([]);
    const ring = ['a', 'b', 'c'].map((file, at) => ({ file: `${file}.ts`, specifier: `./${'bca'[at]}.ts` }));
    expect(circular([...ring, { file: 'd.ts', specifier: './e.ts' }])).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });

  test('no room imports from a room above it, and packages stay in their rooms', () => {
    expect(IMPORTS.map(trespass).filter((one) => one !== null)).toEqual([]);
  });

  test('the reading of imports finds those of every room', () => {
    const idle = ROOMS.filter((room) => FILES.some((file) => roomOf(file) === room));
    for (const room of idle) expect(IMPORTS.some((one) => one.room === room)).toBe(true);
    expect(trespass({ file: 'src/exchange/x.ts', room: 'src/exchange', specifier: '../run/run.ts' })).toContain(
      'src/run',
    );
    expect(trespass({ file: 'src/client/x.ts', room: 'src/client', specifier: '#schemas/x.json' })).toContain(
      'schemas',
    );
    expect(trespass({ file: 'src/verdict/x.ts', room: 'src/verdict', specifier: 'undici' })).toContain('undici');
  });

  test('no file is longer than 400 lines', () => {
    const long = [...FILES, ...filesBelow('test')]
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 400);
    expect(long).toEqual([]);
  });

  test('no file has one of the names that hide what is in it', () => {
    expect(FILES.filter((file) => /\b(utils?|helpers?|manager|common|misc)\b/.test(file))).toEqual([]);
  });
});
