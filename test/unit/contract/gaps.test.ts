import { describe, expect, test } from 'vitest';
import { READINGS, readingById } from '../../../src/contract/readings.ts';
import { REQUIREMENTS } from '../../../suites/catalogue.ts';
import { OBSERVATIONS as GAPS, gapById } from '../../../suites/observations/index.ts';

describe('the gap register', () => {
  test('names each gap once', () => {
    expect(new Set(GAPS.map(({ id }) => id)).size).toBe(GAPS.length);
  });

  test.each(GAPS.map((gap) => [gap.id, gap] as const))(
    'asks %s as a question and answers with a sentence',
    (id, gap) => {
      expect(gap.question).toMatch(/^[A-Z].*\?$/);
      expect('probe' in gap ? gap.probe : gap.reason).toMatch(/^[A-Z].*\.$/);
      expect(gapById(id)).toBe(gap);
    },
  );
});

describe('the ambiguity register', () => {
  test('numbers its entries from R1 to R13', () => {
    expect(READINGS.map(({ id }) => id)).toEqual(Array.from({ length: 13 }, (_, at) => `R${at + 1}`));
  });

  test('holds every reading that a requirement names', () => {
    const named = REQUIREMENTS.flatMap(({ reading }) => (reading === undefined ? [] : [reading]));
    expect(named.filter((id) => readingById(id) === undefined)).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  test.each(READINGS.map((reading) => [reading.id, reading] as const))(
    'gives %s two readings and a why',
    (_id, reading) => {
      expect(new Set(reading.readings).size).toBe(2);
      expect(reading.question).toMatch(/\?$/);
      expect(reading.why).toMatch(/\.$/);
    },
  );
});
