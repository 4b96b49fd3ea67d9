/** Reports name the responses that were not read in full. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/results.schema.json' with { type: 'json' };
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import { MADE, madeWith } from './made-run.ts';

const CUT = { answers: 6, operations: ['listNumbers'] };
const SENTENCE = '6 responses exceeded 4 MiB; the rest was not judged (listNumbers)';

describe('responses that were not read in full', () => {
  test.each([
    ['console', (run: typeof MADE) => renderConsole(run, { color: false, detail: 'normal' })],
    ['summary', (run: typeof MADE) => renderSummary(run).replaceAll('&#59;', ';')],
    ['page', renderHtml],
  ])('are named in the %s, and only if there are any', (_, render) => {
    expect(render(madeWith({ cut: CUT }))).toContain(SENTENCE);
    expect(render(MADE)).not.toMatch(/exceeded 4 MiB|not read in full/);
  });

  test('appear in results.json as its schema says', () => {
    const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
    const takes = (cut: unknown): boolean => validate({ ...MADE.results, cut });
    expect(takes(CUT)).toBe(true);
    const wrong = [null, {}, { ...CUT, answers: 0 }, { ...CUT, operations: [] }, { ...CUT, more: 1 }, 'listNumbers'];
    expect(wrong.filter(takes)).toEqual([]);
  });
});
