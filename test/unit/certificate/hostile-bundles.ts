/** Bundles whose files were changed at random and signed again: verification never breaks, whatever they hold. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTESTATION, canonicalJson, Disagreement, MANIFEST } from '../../../src/certificate/bundle-files.ts';
import { type Bytes, narrowBundle, newKeys, verified } from './certified.ts';
import { signedAgain } from './tampering.ts';

const keys = newKeys();
const bundle = await narrowBundle(keys.own);
const textIn = (name: string): string => bundle.files.get(name) ?? '';

/** A change of one place of a JSON value. */
type Edit = (value: unknown, steps: readonly number[], put: unknown) => unknown;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A copy in which the place that the steps lead to was changed; each step picks a member. */
function at(value: unknown, steps: readonly number[], change: (found: unknown) => unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || !isContainer(value) || Object.keys(value).length === 0) return change(value);
  const names = Object.keys(value);
  const name = names[step % names.length] ?? '';
  const member = at((value as Record<string, unknown>)[name], rest, change);
  return Array.isArray(value) ? value.with(Number(name), member) : { ...value, [name]: member };
}

const without = (found: unknown): unknown => {
  if (Array.isArray(found)) return found.slice(1);
  return isContainer(found) ? Object.fromEntries(Object.entries(found).slice(1)) : null;
};
const withMore = (found: unknown, put: unknown): unknown => {
  if (Array.isArray(found)) return [...found, found[0] ?? put];
  // As a member of its own: an assignment would set the prototype.
  return isContainer(found) ? JSON.parse(`{"__proto__":${JSON.stringify(put)},${JSON.stringify(found).slice(1)}`) : put;
};

const EDITS: readonly Edit[] = [
  (value, steps, put) => at(value, steps, () => put),
  (value, steps) => at(value, steps, without),
  (value, steps, put) => at(value, steps, (found) => (found !== null && isContainer(found) ? { ...found, put } : put)),
  (value, steps, put) =>
    at(value, steps, (found) => (Object.keys(found ?? {}).length > 0 ? withMore(found, put) : put)),
  (value, steps) => at(value, steps, (found) => (typeof found === 'number' ? -found - 1 : [found])),
  (value, steps) => at(value, steps, (found) => (typeof found === 'string' ? found.slice(1) : String(found))),
];

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** What is put in: small values of every type, and those that break careless readers. */
const VALUES = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    '',
    '\u0000',
    '\ud800',
    '\u202e',
    '../record.json',
    'x'.repeat(100_000),
    'http://[',
    'constructor',
  ),
  fc.constantFrom<unknown>(-1, 0.5, 2 ** 53, 1e308, Number.MAX_SAFE_INTEGER, null, true, [], {}),
  // As deep as this test itself can write them without exhausting its stack; TEXT_EDITS go deeper.
  fc.constantFrom(63, 65, 1_000).map(deep),
);

/** Changes of a text that no longer know what it is. */
const TEXT_EDITS: readonly ((text: string, place: number) => Buffer)[] = [
  (text, place) => Buffer.from(text.slice(0, place % text.length)),
  (text, place) => Buffer.from(`${text.slice(0, place % text.length)}[${text.slice(place % text.length)}`),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
  (text) => Buffer.from(`${text}${text}`),
  () => Buffer.from('[{"a":'.repeat(50_000)),
  () => Buffer.alloc(0),
];

type Input = { readonly file: string; readonly data: Buffer };

function editedFile(file: string, edit: Edit, steps: readonly number[], put: unknown): Input {
  const text = textIn(file);
  if (file.endsWith('.ndjson')) {
    const lines = text.trimEnd().split('\n');
    const [line = 0, ...rest] = steps;
    const values: readonly unknown[] = lines.map((one) => JSON.parse(one));
    // Half of the edits are of one line, half of the list of lines.
    const changed = line % 2 === 0 ? edit(values, [line, ...rest], put) : edit(values, [], put);
    const all = Array.isArray(changed) ? changed : [changed];
    return { file, data: Buffer.from(all.map((one) => `${JSON.stringify(one)}\n`).join('')) };
  }
  const write = file === MANIFEST || file === ATTESTATION ? canonicalJson : JSON.stringify;
  return { file, data: Buffer.from(`${write(edit(JSON.parse(text), steps, put))}\n`) };
}

const signed = ({ file, data }: Input, statementEdit?: (statement: object) => unknown): Bytes =>
  signedAgain(bundle.files, { [file]: data }, keys.own, statementEdit);

const STEPS = fc.array(fc.nat(1_000), { maxLength: 6 });
const NAMES = [...bundle.files.keys()];
const JSON_NAMES = NAMES.filter((name) => /json$/.test(name));
const EDIT = fc.constantFrom(...EDITS);

const BUNDLES = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...JSON_NAMES), EDIT, STEPS, VALUES)
      .map(([file, edit, steps, put]) => signed(editedFile(file, edit, steps, put))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...TEXT_EDITS), fc.nat())
      .map(([file, edit, place]) => signed({ file, data: edit(textIn(file), place) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(EDIT, STEPS, VALUES)
      .map(([edit, steps, put]) =>
        signed({ file: 'badge.json', data: Buffer.from(textIn('badge.json')) }, (statement) =>
          edit(statement, steps, put),
        ),
      ),
  },
);

/** Milliseconds for any number of them, on a machine with other work to do. */
const LONGEST = 900_000;

/** Registers the test that so many such bundles are rejected in one sentence, or verified as they are. */
export function proveHostileBundles(count: number, seed: number): void {
  test(
    `no error but a rejection in ${count} bundles that were changed and signed again (seed ${seed})`,
    async () => {
      let rejected = 0;
      const property = fc.asyncProperty(BUNDLES, async (bytes) => {
        const error: unknown = await verified(bytes, keys.known).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error === null) return;
        expect(error).toBeInstanceOf(Disagreement);
        expect((error as Error).message).toMatch(/^[^\n]{10,2000}$/);
        rejected += 1;
      });
      await fc.assert(property, { numRuns: count, seed, endOnFailure: true });
      expect(rejected).toBeGreaterThan(count * 0.8);
    },
    LONGEST,
  );
}
