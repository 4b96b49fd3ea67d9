import { readFileSync } from 'node:fs';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { GateEntry } from '../../../src/report/gate.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import type { RunArtefacts } from '../../../src/report/model.ts';
import { element, xmlText } from '../../../src/report/text.ts';
import { CASES, HOSTILE, MADE, MADE_WITH_FACTS, MARK, madeOf } from './made-run.ts';
import { faultyRun, referenceRun } from './real-runs.ts';

const XSD = readFileSync(new URL('./junit.xsd', import.meta.url), 'utf8');

async function complaints(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema: [XSD] });
  return errors.map(({ message }) => message);
}

function elements(parent: Element | null, name: string): readonly Element[] {
  return parent === null ? [] : [...parent.getElementsByTagName(name)];
}

function parsed(run: RunArtefacts): Element | null {
  return new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(renderJunit(run), 'text/xml').documentElement;
}

const childrenOf = (element: Element | undefined): readonly Element[] =>
  [...(element?.childNodes ?? [])].filter((node): node is Element => node.nodeType === 1);

function outcomeOf(root: Element | null, id: string): Element | undefined {
  const found = elements(root, 'testcase').find((one) => one.getAttribute('name') === id);
  return childrenOf(found).find(({ tagName }) => tagName !== 'properties');
}

describe('junit.xml', () => {
  test.each([
    ['the made run', async () => MADE],
    ['a run with facts', async () => MADE_WITH_FACTS],
    ['a run without a case', async () => madeOf('incomplete', [])],
  ])('is valid for %s', async (_name, run) => {
    expect(await complaints(renderJunit(await run()))).toEqual([]);
  });

  test.each([
    ['conformant', referenceRun],
    ['non-conformant', faultyRun],
  ])('has the time of a %s run', async (_verdict, made) => {
    const run = await made();
    const longest = Math.max(...run.exchanges.map(({ at, took }) => at + took));
    const [, time] = / time="(.*?)"/.exec(renderJunit(run)) ?? [];
    expect(Number(time)).toBeCloseTo(longest / 1_000, 3);
  });

  test.each([
    ['pass', undefined, null],
    ['fail', 'failure', 'fail'],
    ['warning', 'system-out', ''],
    ['inconclusive', 'error', 'inconclusive'],
    ['not-exercised', 'skipped', ''],
    ['error', 'error', 'error'],
  ])('shows the verdict %s', (verdict, element, type) => {
    const id = CASES.find(([one]) => one === verdict)?.[1] ?? '';
    const outcome = outcomeOf(parsed(MADE), id);
    expect(outcome?.tagName).toBe(element);
    expect(outcome?.getAttribute('type') ?? null).toBe(type === '' ? null : type);
  });

  test('shows a warning as a passed test with a property, and why a case was skipped', () => {
    const cases = elements(parsed(MADE), 'testcase');
    const named = (name: string) => cases.find((one) => one.getAttribute('name')?.startsWith(name));
    const properties = cases.flatMap((one) => elements(one, 'property'));
    expect(properties.map((one) => one.getAttribute('name'))).toEqual(['warning']);
    expect(properties[0]?.getAttribute('value')).toMatch(/^a recommendation hostile/);
    expect(properties[0]?.parentNode?.parentNode).toBe(named('MADE-WARNING'));
    const [skipped] = childrenOf(named('MADE-NOT-EXERCISED'));
    expect(skipped?.getAttribute('message')).toBe(
      'PCS_RINGING_CALL_ID is not set; to resolve: set PCS_RINGING_CALL_ID',
    );
  });

  test('shows expected, actual and the command that judges it again in a failure', () => {
    const text = outcomeOf(parsed(MADE), 'MADE-FAIL/createCall')?.textContent ?? '';
    expect(text).toMatch(/expected .*status 400/);
    expect(text).toMatch(/actual .*status 200/);
    expect(text).toContain('--only MADE-FAIL/createCall --seed 7');
    expect(text).toContain(MARK);
  });

  test('makes no element of text from the target', () => {
    const cases = elements(parsed(MADE), 'testcase').map((one) => one.getAttribute('name'));
    expect(cases).toEqual([...CASES.map(([, id]) => id), 'RUN/verdict']);
    expect(elements(parsed(MADE), 'script')).toEqual([]);
  });

  test('names a call that may be open, and what was not restored, beside a red case', () => {
    const open = 'request 66 (create call) got status 500 and no call id: a call may be open';
    const left = 'the trunk is called x';
    const run = madeOf('non-conformant', ['fail'], { possiblyOpen: [open], unrestored: [left] });
    expect(outcomeOf(parsed(run), 'RUN/verdict')?.textContent).toMatch(`; ${open}; ${left}`);
    const gate = { code: 1, sentences: ['2 new findings'], known: [], gone: [] } as const;
    const fresh = { kind: 'finding', case: 'MADE-FAIL/createCall', stimulus: 's', at: 0, detail: 'd' } as const;
    const call = { kind: 'run', case: 'RUN/createCall', stimulus: 's', at: 0, detail: 'd' } as const;
    const of = (fresh: readonly GateEntry[]) =>
      outcomeOf(parsed({ ...run, gate: { ...gate, new: fresh } }), 'RUN/verdict');
    expect(of([fresh, call])?.textContent).toContain(open);
    // The baseline has it, too.
    expect(of([fresh])).toBeUndefined();
  });

  test.each([
    ['incomplete', 'error'],
    ['void', 'error'],
    ['non-conformant', 'failure'],
  ] as const)('is red for a run that is %s without a red case', (verdict, element) => {
    const outcome = outcomeOf(parsed(madeOf(verdict, ['pass', 'not-exercised'])), 'RUN/verdict');
    expect([outcome?.tagName, outcome?.getAttribute('type')]).toEqual([element, verdict]);
  });
});

const WRITTEN_AS_ESCAPES = 'a\u0000b\u001bc\ud800d\ufffee';

async function isWellFormed(xml: string): Promise<boolean> {
  const { valid } = await validateXML({ xml: { fileName: 'text.xml', contents: xml }, normalization: 'format' });
  return valid;
}

describe('XML', () => {
  test('is well-formed whatever a text or an attribute contains', async () => {
    expect(await isWellFormed(element('a', { b: HOSTILE }, [xmlText(HOSTILE)]))).toBe(true);
    expect(await isWellFormed(element('a', {}, [WRITTEN_AS_ESCAPES]))).toBe(false);
  });

  test('escapes what XML 1.0 cannot contain', () => {
    expect(xmlText(WRITTEN_AS_ESCAPES)).toBe('a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e');
    expect(element('a', { b: WRITTEN_AS_ESCAPES })).toBe('<a b="a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e"/>');
  });
});
