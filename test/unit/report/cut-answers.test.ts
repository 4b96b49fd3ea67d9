/** Whoever reads a report is told of answers that were not read to their end. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/results.schema.json' with { type: 'json' };
import { renderConsole } from '../../../src/report/console.ts';
import { cutSentences } from '../../../src/report/cut-answers.ts';
import { renderHtml } from '../../../src/report/html/index.ts';
import { renderSummary } from '../../../src/report/summary.ts';
import { MADE, madeWith } from './made-run.ts';

const CUT = { answers: 6, operations: ['listNumbers'] };
const SENTENCE = '6 answers were longer than 8 MiB: what lies beyond was not judged (listNumbers)';

describe('answers that were not read to their end', () => {
  test.each([
    ['console', (run: typeof MADE) => renderConsole(run, { color: false, width: 100, quiet: false })],
    ['summary', (run: typeof MADE) => renderSummary(run).replaceAll('&#58;', ':')],
    ['page', renderHtml],
  ])('are told in the %s, and only where there are any', (_, render) => {
    expect(render(madeWith({ cut: CUT }))).toContain(SENTENCE);
    expect(render(MADE)).not.toMatch(/longer than 8 MiB|Not read to the end/);
  });

  test('are counted, and the operations beyond the fourth too', () => {
    const sentences = (answers: number, ...operations: string[]) =>
      cutSentences(madeWith({ cut: { answers, operations } }).results);
    expect(sentences(1, 'a')).toEqual(['1 answer was longer than 8 MiB: what lies beyond was not judged (a)']);
    expect(sentences(9, 'a', 'b', 'c', 'd', 'e', 'f')).toEqual([
      '9 answers were longer than 8 MiB: what lies beyond was not judged (a, b, c, d and 2 more)',
    ]);
  });

  test('stand in results.json as its schema says', () => {
    const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
    const takes = (cut: unknown): boolean => validate({ ...MADE.results, cut });
    expect(takes(CUT)).toBe(true);
    const wrong = [null, {}, { ...CUT, answers: 0 }, { ...CUT, operations: [] }, { ...CUT, more: 1 }, 'listNumbers'];
    expect(wrong.filter(takes)).toEqual([]);
  });
});
