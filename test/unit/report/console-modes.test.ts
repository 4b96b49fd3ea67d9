import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ConsoleOptions, renderConsole } from '../../../src/report/console.ts';
import { MADE } from './made-run.ts';
import { referenceRun } from './real-runs.ts';

const PLAIN: ConsoleOptions = { color: false, detail: 'normal' };
const linesOf = (run = MADE, options = PLAIN): readonly string[] => renderConsole(run, options).trimEnd().split('\n');

describe('colour', () => {
  test('changes only the colours', () => {
    const colored = renderConsole(MADE, { ...PLAIN, color: true });
    expect(stripVTControlCharacters(colored)).toBe(renderConsole(MADE, PLAIN));
    const codes = colored.split('\u001b[').slice(1);
    expect(codes.filter((code) => !/^\d+m/.test(code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(40);
    expect(codes.join('').replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  });
});

describe('quiet', () => {
  test('shows only calls that may be open, changes that were not restored, failing cases, and the verdict', () => {
    const lines = linesOf(MADE, { ...PLAIN, detail: 'quiet' });
    expect(lines[0]).toBe('Calls that may still be open');
    expect(lines[3]).toBe('Changed on the target and not restored');
    expect(lines.indexOf('Failing (2)')).toBeGreaterThan(4);
    expect(lines.filter((line) => line.startsWith('?'))).toEqual([]);
    expect(lines.at(-3)).toMatch(/^VOID/);
  });

  test('shows three lines for a conformant run, behind the participant that stays muted', async () => {
    expect(linesOf(await referenceRun(), { ...PLAIN, detail: 'quiet' }).length).toBe(6);
  });
});
