import { describe, expect, test } from 'vitest';
import { selftest as selftestCommand } from '../../../src/cli/commands/selftest.ts';
import { type Commands, runCommandLine } from '../../../src/cli/program.ts';
import type { Proved } from '../../../src/selftest/workload.ts';
import { stage } from './stage.ts';

const HELD: readonly Proved[] = [
  { kind: 'fault', name: 'a', proof: { kind: 'holds' } },
  { kind: 'variant', name: 'b', proof: { kind: 'holds' } },
  { kind: 'rules', name: 'f', proof: { kind: 'holds' } },
  { kind: 'pair', name: 'c', proof: { kind: 'holds' } },
  { kind: 'pair', name: 'd', proof: { kind: 'idle', why: 'it is hidden' } },
  { kind: 'null', name: 'e', proof: { kind: 'holds' } },
];

async function selftest(words: readonly string[], proved: readonly Proved[]) {
  const asked: unknown[] = [];
  const { terminal, out, err } = stage();
  const stub: Commands['selftest'] = async () => (options, place) =>
    selftestCommand(options, place, async (extent) => {
      asked.push(extent);
      return proved;
    });
  return { code: await runCommandLine(['selftest', ...words], terminal, { selftest: stub }), out, err, asked };
}

describe('selftest', () => {
  test('exits 0 with its figures where the proof holds', async () => {
    const { code, out } = await selftest([], HELD);
    expect(code).toBe(0);
    expect(out.slice(0, 5)).toEqual([
      'faults         1 of 1 caught, each with exactly the requirements that it breaks',
      'variants       1 judged, 0 accused or inconclusive without a reason',
      'rules          1 judged, 0 accused or open without a true remedy',
      'pairs          1 of 1 caught; in 1 more the variant hides the fault',
      'null services  1 judged, 0 with an unexplained pass',
    ]);
    expect(out.at(-1)).toMatch(/^The proof holds/);
  });

  test('exits 4 and names what is broken where it does not', async () => {
    const broken: Proved = { kind: 'variant', name: 'x=y', proof: { kind: 'broken', problems: ['accused of Z'] } };
    const { code, out } = await selftest([], [...HELD, broken]);
    expect(code).toBe(4);
    expect(out).toContain('variants       2 judged, 1 accused or inconclusive without a reason');
    expect(out).toContain('variant x=y');
    expect(out).toContain('  accused of Z');
    expect(out.at(-1)).toMatch(/^The proof is broken: 1 of 7 services/);
  });

  test('proves as much as requested', async () => {
    const { asked } = await selftest(['--variants', '7', '--rules', '3', '--pairs', '0', '--seed', '42'], HELD);
    expect(asked).toEqual([{ variants: 7, rules: 3, pairs: 0, seed: 42 }]);
  });

  test('shows its progress: a line drawn again on a terminal, a line every ten seconds in a pipe', async () => {
    for (const [isTerminal, expected] of [
      [true, ['1 of 3 services judged', '2 of 3 services judged', '3 of 3 services judged', '']],
      [false, ['3 of 3 services judged']],
    ] as const) {
      const { terminal, err } = stage();
      const drawn: string[] = [];
      let time = 0;
      const place = {
        ...terminal,
        now: () => time,
        ...(isTerminal ? { redraw: (line: string) => drawn.push(line) } : {}),
      };
      await selftestCommand({ variants: '0', rules: '0', pairs: '0', seed: '1' }, place, async (_, __, onProved) => {
        for (const done of [1, 2, 3]) {
          time += 4_000;
          onProved?.(done, 3);
        }
        return HELD;
      });
      expect(isTerminal ? drawn : err).toEqual(expected);
    }
  });

  test.each(['-1', 'many', '1.5', '100001'])('rejects %s for a number of variants', async (word) => {
    const { code, err, asked } = await selftest([`--variants=${word}`], HELD);
    expect(code).toBe(2);
    expect(err.join()).toContain('--variants');
    expect(asked).toEqual([]);
  });
});
