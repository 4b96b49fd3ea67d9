/**
 * What an install brings: the packages that the lock file reaches from the run-time dependencies.
 * The reasons are in docs/design/dependencies.md.
 */

import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const PACKAGES = lock.packages as Readonly<Record<string, Locked>>;

/** Paths in the lock file of a package and of everything below it; nested packages come before hoisted ones. */
function closureOf(name: string, from: string, seen: Set<string>): void {
  const places = [...ancestorsOf(from), ''].map((place) => `${place === '' ? '' : `${place}/`}node_modules/${name}`);
  const path = places.find((place) => place in PACKAGES);
  if (path === undefined || seen.has(path)) return;
  seen.add(path);
  const { dependencies = {}, optionalDependencies = {} } = PACKAGES[path] ?? {};
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) closureOf(next, path, seen);
}

function ancestorsOf(path: string): readonly string[] {
  const parent = path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '');
  return path === '' ? [] : [path, ...ancestorsOf(parent)];
}

test('an install brings at most 15 packages, on every platform', () => {
  const brought = new Set<string>();
  for (const name of Object.keys(packageJson.dependencies)) closureOf(name, '', brought);
  expect(brought.size).toBeGreaterThanOrEqual(Object.keys(packageJson.dependencies).length);
  expect([...brought].sort().slice(15)).toEqual([]);
});

test('vitest is an optional peer', () => {
  expect(packageJson.peerDependenciesMeta).toEqual({ vitest: { optional: true } });
  expect(Object.keys(packageJson.peerDependencies)).toEqual(['vitest']);
});
