/** The gate: every statement of the page is classified, every requirement is asked and proved, every gap is observed. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { traceOfPackage } from '../../src/cli/trace.ts';
import type { Gap } from '../../src/contract/gaps.ts';
import { placeOf, statementsOf } from '../../src/contract/register/index.ts';
import { missingFromRegister, missingFromTrace } from '../../src/report/traceability/gate.ts';
import { renderRequirements } from '../../src/report/traceability/page.ts';
import { type TraceSources, traceOf } from '../../src/report/traceability.ts';
import { CHECKS } from '../../src/verdict/index.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const TRACE = traceOfPackage();
const PAGE = statementsOf(read('docs/interface.md'));

/** What the gate says of the package with something changed. */
function gate(changes: Partial<TraceSources>): readonly string[] {
  return missingFromTrace(traceOf({ ...TRACE.sources, ...changes }));
}

describe('the gate', () => {
  test('finds every statement of docs/interface.md classified, and no other', () => {
    expect(missingFromRegister(PAGE, TRACE)).toEqual([]);
  });

  test('finds every requirement stated, asked and proved, and every gap opened and observed', () => {
    expect(missingFromTrace(TRACE)).toEqual([]);
  });

  test('finds one check for every requirement', () => {
    const checked = CHECKS.map(({ requirement }) => requirement).sort();
    expect(checked).toEqual(TRACE.requirements.map(({ requirement }) => requirement.id).sort());
  });

  test('finds docs/requirements.md as npm run docs writes it', () => {
    expect(read('docs/requirements.md') === renderRequirements(TRACE), 'run npm run docs').toBe(true);
  });
});

describe('the statements of the page', () => {
  test('are every line of it that is no heading and no rule of a table', () => {
    const lines = read('docs/interface.md')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('|'));
    const sentences = PAGE.filter(({ cell }) => cell === undefined);
    expect(sentences.map(({ quote, gap }) => (gap === undefined ? quote : `${quote} [${gap}]`))).toEqual(
      lines.map((line) => line.replace(/^- /, '')),
    );
    expect(PAGE.length - sentences.length).toBeGreaterThan(150);
  });

  test('have a place of their own', () => {
    expect(new Set(PAGE.map(placeOf)).size).toBe(PAGE.length);
  });
});

describe('the gate says in a line what is missing', () => {
  const { statements, requirements, gaps, readings, sequences, faults } = TRACE.sources;
  const page = (text: string) => missingFromRegister(statementsOf(`${read('docs/interface.md')}${text}`), TRACE);

  test('where the page gains a sentence or a table', () => {
    expect(page('\nA new sentence.\n')).toEqual(['not classified: 9: A new sentence.']);
    expect(page('\n|A|\n|---|\n|new|\n')).toEqual([
      'not classified: 9, Gaps of section 9, head, A: A',
      'not classified: 9, Gaps of section 9, new, A: new',
    ]);
  });

  test('where the page loses a statement, gives a gap another name or moves a sentence', () => {
    const [first, second, ...others] = PAGE;
    if (first === undefined || second === undefined) throw new Error('the page is empty');
    expect(missingFromRegister(PAGE.slice(1), TRACE)).toEqual([`not on the page: ${placeOf(first)}`]);
    const renamed = PAGE.map((quote) => (quote.gap === 'GAP-STATES' ? { ...quote, gap: 'GAP-OTHER' } : quote));
    expect(missingFromRegister(renamed, TRACE)).toEqual([
      'the page says GAP-OTHER, the register GAP-STATES: 3: The interface does not say which states there are.',
    ]);
    expect(missingFromRegister([second, first, ...others], TRACE)).toEqual([
      `out of the order of the page: ${placeOf(first)}`,
    ]);
  });

  test('where the register holds a statement twice', () => {
    const [first, ...others] = statements;
    if (first === undefined) throw new Error('the register is empty');
    const twice = traceOf({ ...TRACE.sources, statements: [{ ...first }, first, ...others] });
    expect(missingFromRegister(PAGE, twice)).toEqual([`registered twice: ${placeOf(first)}`]);
  });

  test('where a requirement loses its statements, or those of its section', () => {
    const without = statements.filter((one) => one.kind !== 'requirement' || !one.ids.includes('LIST-STATUS'));
    expect(gate({ statements: without })).toContain('LIST-STATUS: no statement of the page is quoted for it');
    const moved = requirements.map((one) => (one.id === 'LIST-STATUS' ? { ...one, section: '8' } : one));
    expect(gate({ requirements: moved })).toEqual([
      'LIST-STATUS: rests on section 8, and no statement of that section is quoted for it',
    ]);
  });

  test('where a requirement loses a probe or its faults', () => {
    expect(gate({ sequences: sequences.filter(({ name }) => name !== 'listTrunks/read') })).toContain(
      'LIST-STATUS: no probe asks it of listTrunks',
    );
    expect(gate({ faults: faults.filter(({ breaks }) => !breaks.includes('LIST-STATUS')) })).toEqual([
      'LIST-STATUS: no fault breaks it',
    ]);
  });

  test('where a gap loses its statement or its probe', () => {
    const without = statements.filter((one) => one.kind !== 'gap' || !one.ids.includes('GAP-HEAD'));
    expect(gate({ statements: without })).toEqual(['GAP-HEAD: no statement of the page opens it']);
    const excused = gaps.map(
      (gap): Gap =>
        gap.id === 'GAP-HEAD' ? { id: gap.id, section: gap.section, question: gap.question, reason: 'No.' } : gap,
    );
    expect(gate({ gaps: excused })).toEqual(['GAP-HEAD: has a reason, and a probe is due']);
  });

  test('where a reading is taken by nothing, or a name stands for nothing', () => {
    const [reading] = readings;
    if (reading === undefined) throw new Error('there is no reading');
    expect(gate({ readings: [...readings, { ...reading, id: 'R99' }] })).toEqual([
      'R99: no requirement names this reading',
    ]);
    expect(gate({ faults: [...faults, { name: 'odd', defect: 'It is odd.', breaks: ['ODD'] }] })).toEqual([
      'ODD: named by the fault odd, and unknown',
    ]);
    expect(gate({ sequences: [...sequences, { name: 'odd', operation: 'getTrunk', serves: ['ODD#1'] }] })).toEqual([
      'ODD: named by the probe odd, and unknown',
    ]);
  });
});
