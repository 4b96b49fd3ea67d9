/** Whatever became of a journal: what can be read of it is kept, and `run` and `clean` never demand each other. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampled } from '../sampled.ts';
import { type Hooks, STOPPING, World } from './simulation.ts';

const RUN = ['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'] as const;
const PATH = 'conformance-report/journal.ndjson';

/** Kills the process when it restores the trunk: everything has been written by then. */
function killing(trunk: string): Hooks {
  return {
    request: (world, when, { method, body }) => {
      if (when === 'before' && method === 'PATCH' && Buffer.from(body).includes(`"${trunk}"`)) world.kill();
      return null;
    },
  };
}

const withoutLine = (text: string, at: number): string => text.split('\n').toSpliced(at, 1).join('\n');
const HARMLESS = {
  'both lost': (text: string) => withoutLine(withoutLine(text, 0), 0),
  'a last line that was cut short': (text: string) => `${text}{"kind":"exch`,
} as const;

/** The text with a member of a line replaced, counted over all lines and levels. */
function withMember(text: string, at: number, value: unknown): string {
  const lines = text.trimEnd().split('\n');
  const line = at % lines.length;
  const entry: unknown = JSON.parse(lines[line] ?? '');
  const places: (readonly [object, string])[] = [];
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    for (const [name, member] of Object.entries(one)) {
      places.push([one, name]);
      visit(member);
    }
  };
  visit(entry);
  const [owner, name] = places[Math.floor(at / lines.length) % places.length] ?? [];
  if (owner !== undefined && name !== undefined) Reflect.set(owner, name, value);
  return `${lines.with(line, JSON.stringify(entry)).join('\n')}\n`;
}

/** A killed run whose journal was edited, then `run`, `clean`, and `run` again. */
async function play(edit: (text: string) => string) {
  const world = new World();
  const { settings, inspect } = world.reference;
  const before = JSON.stringify(inspect().restorable);
  await world.run(RUN, killing(inspect().trunkNames[settings.PCS_TRUNK_ID] ?? ''));
  expect(JSON.stringify(inspect().restorable)).not.toBe(before);
  const file = world.disk.files.get(PATH);
  if (file === undefined) throw new Error('there is no journal');
  file.text = edit(file.text);
  const next = await world.run(RUN, STOPPING);
  const cleaned = await world.run(['clean'], {});
  const isRestored = JSON.stringify(inspect().restorable) === before;
  const again = await world.run(RUN, STOPPING);
  return { next, cleaned, isRestored, again };
}

describe('a journal with', () => {
  test.each(Object.entries(HARMLESS))('%s is read', async (_, edit) => {
    const { next, cleaned, isRestored, again } = await play(edit);
    expect([next.code, cleaned.code, isRestored, again.code], cleaned.screen).toEqual([2, 0, true, -1]);
  });

  test.each(['', '{}\n', '{"kind":"call"}\n', '\ufeff\n', 'not JSON'])(
    'nothing but %j gets one sentence',
    async (text) => {
      const world = new World();
      world.disk.files.set(PATH, { text });
      const cleaned = await world.run(['clean'], {});
      const next = await world.run(RUN, STOPPING);
      expect([cleaned.code, next.code]).toEqual([2, -1]);
      expect(cleaned.screen).toMatch(/^\S+ is not the journal of a run: name the report folder of a run\.$/);
    },
  );

  test('a create call of unknown outcome and nothing else stops a run until it was named', async () => {
    const world = new World();
    const start = { kind: 'start', target: 'http://service.invalid', seed: 1 };
    const text = [start, { kind: 'create', seq: 7 }].map((entry) => `${JSON.stringify(entry)}\n`).join('');
    world.disk.files.set(PATH, { text });
    const codes = [await world.run(RUN, STOPPING), await world.run(['clean'], {}), await world.run(RUN, STOPPING)];
    expect(codes.map(({ code }) => code)).toEqual([2, 3, -1]);
  });
});

const EDITS = sampled(
  Array.from({ length: 150 }, (_, at) => at),
  10,
);

test(`no member that is wrong, and no byte that is missing, breaks clean (${EDITS.words})`, async () => {
  const world = new World();
  const { settings, inspect } = world.reference;
  await world.run(RUN, killing(inspect().trunkNames[settings.PCS_TRUNK_ID] ?? ''));
  const whole = world.disk.files.get(PATH)?.text ?? '';
  const edits = fc.oneof(
    fc
      .tuple(fc.nat(), fc.constantFrom(null, {}, [], '', 5, 'x', [null], { a: null }))
      .map(([at, value]) => withMember(whole, at, value)),
    fc.nat(whole.length).map((length) => whole.slice(0, length)),
    fc.nat(whole.length).map((length) => whole.slice(length)),
  );
  const demand = async (text: string): Promise<void> => {
    const other = new World();
    other.disk.files.set(PATH, { text });
    const { code, screen } = await other.run(['clean'], {});
    expect([0, 2, 3], screen).toContain(code);
  };
  await fc.assert(fc.asyncProperty(edits, demand), { seed: 24, numRuns: EDITS.items.length });
}, 60_000);

test('what clean could not restore, it restores once the settings allow it', async () => {
  const world = new World();
  const { settings, inspect } = world.reference;
  const { PCS_INBOUND_SECRET } = settings;
  const before = JSON.stringify(inspect().restorable);
  await world.run(RUN, killing(inspect().trunkNames[settings.PCS_TRUNK_ID] ?? ''));
  Object.assign(settings, { PCS_INBOUND_SECRET: undefined });
  const first = await world.run(['clean'], {});
  Object.assign(settings, { PCS_INBOUND_SECRET });
  const second = await world.run(['clean'], {});
  const third = await world.run(['clean'], {});
  expect([first.code, second.code, third.code]).toEqual([3, 0, 0]);
  expect(second.screen).toContain('Restored: carrier connection');
  expect(JSON.stringify(inspect().restorable)).toBe(before);
});
