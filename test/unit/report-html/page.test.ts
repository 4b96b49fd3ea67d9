import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import type { RunVerdict } from '../../../src/verdict/verdict.ts';
import { OBSERVATIONS as GAPS } from '../../../suites/observations/index.ts';
import { inLongAlone } from '../../sampled.ts';
import { CASES, frozen, MADE, MARK, madeOf, madeWith } from '../report/made-run.ts';
import { faultyRun, referenceRun } from '../report/real-runs.ts';
import { attribute, elements, heavyRun, manyExchanges, textOf, withId } from './pages.ts';

const page = renderHtml(MADE);

const TITLES = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  incomplete: 'Incomplete',
  void: 'Void',
  'no breach': 'No breach',
  breach: 'Breach',
} as const satisfies Readonly<Record<RunVerdict, string>>;

const anchor = (id: string): string => `case-${id.replace('/', '-')}`;

describe('the page of a run', () => {
  test.each(Object.entries(TITLES))('names the verdict %s at the top', (verdict, word) => {
    const made = renderHtml(madeWith({ verdict: verdict as RunVerdict, without: [] }));
    expect(textOf(elements(made, ({ tagName }) => tagName === 'h1')[0])).toBe(word);
    expect(textOf(elements(made, ({ tagName }) => tagName === 'title')[0])).toContain(word);
  });

  test('names the profile in the headline, the cases and the target, and folds cost, seed and command', () => {
    const [head] = elements(page, (one) => attribute(one, 'class')?.startsWith('masthead') === true);
    const [fold] = elements(head, ({ tagName }) => tagName === 'details');
    const first = textOf(head).replace(textOf(fold), '');
    for (const fact of [
      '(full without muteParticipant)',
      'http://service.invalid/base',
      '1 passed, 2 failed, 1 warning',
    ]) {
      expect(first).toContain(fact);
    }
    expect(first).not.toContain('Seed');
    for (const fact of ['Calls placed1', 'Requests3', 'Seed7', '--seed 7']) expect(textOf(fold)).toContain(fact);
    const readOnly = renderHtml(madeWith({ verdict: 'conformant', profile: 'read-only', without: [] }));
    expect(textOf(elements(readOnly, ({ tagName }) => tagName === 'h1')[0])).toBe('Conformant (read-only)');
  });

  test.each(CASES)('links the matrix to the case with the verdict %s', (verdict, id) => {
    const cells = elements(page, (one) => attribute(one, 'data-cell') === id);
    const link = elements(page, (one) => attribute(one, 'aria-label') === `${id}: ${verdict}`)[0];
    expect(cells).toHaveLength(1);
    expect(attribute(link, 'href')).toBe(`#${anchor(id)}`);
    expect(textOf(withId(page, anchor(id)))).toContain(verdict);
  });

  test.each(CASES)('draws a symbol of its own for %s', (verdict) => {
    const shapes = elements(page, ({ tagName }) => tagName === 'symbol');
    const own = shapes.find((one) => attribute(one, 'id') === `s-${verdict}`);
    const path = (one: (typeof shapes)[number] | undefined) =>
      attribute(one?.childNodes.find((node) => 'tagName' in node) as typeof own, 'd');
    expect(path(own)).toBeDefined();
    expect(shapes.filter((one) => path(one) === path(own))).toHaveLength(1);
  });

  test('shows requirement, level, section, reading, expected, actual, exchange and commands of a failing case', () => {
    const [card] = elements(page, (one) => attribute(one, 'class') === 'card' && textOf(one).includes('MADE-FAIL'));
    const shown = textOf(card);
    for (const fact of ['The made requirement that ends in fail', 'must', '§ 4', 'Reading R1.', 'All of them.']) {
      expect(shown).toContain(fact);
    }
    for (const fact of ['status 400', 'status 200', 'Seen 3 times', 'POST', '/v1/calls/?q=', 'credential: truncated']) {
      expect(shown).toContain(fact);
    }
    expect(shown).toContain('after 5 ms');
    expect(shown).toContain('curl -sS');
    expect(shown).toContain('--only MADE-FAIL/createCall --seed 7');
    expect(shown).toContain('The body leaks the inbound secret (base64).');
  });

  test('begins with causes and what needs action; failures come before warnings, both before open cases', () => {
    const sections = elements(page, ({ tagName }) => tagName === 'section').map((one) => attribute(one, 'id'));
    expect(sections).toEqual([...['why', 'action', 'matrix', 'failures', 'warnings', 'open', 'cases', 'exchanges']]);
  });

  test('counts warnings as failures in a strict run', () => {
    const strict = renderHtml(madeOf('non-conformant', ['warning'], { strict: true }));
    expect(textOf(withId(strict, 'failures'))).toContain('MADE-WARNING');
    expect(withId(strict, 'warnings')).toBeUndefined();
  });

  test('says what would resolve an open case', () => {
    const open = textOf(withId(page, 'open'));
    expect(open).toContain('set PCS_TRUNK_ID');
    expect(open).toContain('MADE-NOT-EXERCISED/answerCall');
  });

  test('names open calls, changes, an early end and a filter', () => {
    const shown = renderHtml(
      madeWith({ endedEarly: 'the target stopped responding', partial: true, only: ['MADE-FAIL'] }),
    );
    const notices = elements(shown, (one) => attribute(one, 'class')?.startsWith('notice') === true).map(textOf);
    expect(notices.map((text) => text.slice(0, 12))).toEqual([
      'Calls that m',
      'Changed on t',
      'The run ende',
      'Partial runA',
      'Flaky: seen,',
    ]);
  });

  test('links each mention of an exchange to the exchange', () => {
    const known = renderHtml({ ...MADE, exchanges: manyExchanges(1_200) });
    const hrefs = (id: string) =>
      elements(withId(known, id), ({ tagName }) => tagName === 'a').map((one) => attribute(one, 'href'));
    // The example of the failure, in its card and in the failure; the open call; the flaky exchanges.
    expect(hrefs('why')).toContain('#exchange-2');
    expect(hrefs('failures')).toEqual(['#exchange-2', '#exchange-2']);
    expect(hrefs('action')).toEqual(['#exchange-1', '#exchange-1', '#exchange-3']);
    expect(textOf(withId(known, 'exchange-2'))).toContain('Response');
    expect(textOf(withId(known, 'exchange-3'))).toContain('Response');
    expect(textOf(withId(known, 'exchange-1000'))).toMatch(/^1000/);
    expect(withId(known, 'exchange-1001')).toBeUndefined();
    expect(textOf(withId(known, 'exchanges'))).toContain('And 200 more exchanges in evidence.har.');
  });

  test('folds the cases that fail alike, failures and warnings', async () => {
    const { results, exchanges } = await faultyRun();
    const asWarnings = results.requirements.map((one) => ({
      ...one,
      cases: one.cases.map((each) => (each.verdict === 'fail' ? ({ ...each, verdict: 'warning' } as const) : each)),
    }));
    for (const [id, requirements] of [['failures', results.requirements] as const, ['warnings', asWarnings] as const]) {
      const folded = renderHtml({ results: { ...results, requirements }, exchanges });
      const alike = elements(withId(folded, id), (one) => attribute(one, 'class') === 'alike');
      const [most] = alike.map((one) => elements(one, (each) => attribute(each, 'class') === 'case').length);
      expect(most).toBe(12);
      expect(textOf(alike[0])).toMatch(/^The same in 12 more cases/);
    }
  });

  test('lists each choice of the target once, with the question of its gap', () => {
    const [known] = GAPS;
    const choices = [
      ...OPERATION_IDS.map((operation) => ({ gap: 'GAP-MADE', operation, choice: '401' })),
      { gap: known?.id ?? '', operation: 'getTrunk', choice: '200 <b>' },
      { gap: known?.id ?? '', operation: 'hangUpCall', choice: '200 <b>' },
      { gap: known?.id ?? '', operation: 'undocumented', choice: '204' },
    ];
    const rows = elements(renderHtml({ ...MADE, choices }), ({ tagName }) => tagName === 'tr').map(textOf);
    expect(rows.slice(rows.indexOf('GapChoiceOperations')).slice(1, 4)).toEqual([
      'GAP-MADE401all operations',
      `${known?.question}${known?.id}200 <b>getTrunk, hangUpCall`,
      '204other requests',
    ]);
  });

  test('has no duplicate id and no dangling link', async () => {
    for (const one of [page, renderHtml(await referenceRun())]) {
      const ids = elements(one, (element) => attribute(element, 'id') !== undefined).map((e) => attribute(e, 'id'));
      const links = elements(one, ({ tagName }) => tagName === 'a').map((element) => attribute(element, 'href') ?? '');
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
      expect(links.filter((link) => !link.startsWith('#') || !ids.includes(link.slice(1)))).toEqual([]);
    }
  });

  test('is a pure function of the run', () => {
    expect(renderHtml(frozen(structuredClone(MADE)))).toBe(page);
  });
});

describe('what a target sent', () => {
  test('is shown as text and becomes neither element nor attribute', () => {
    expect(page).toContain(MARK);
    const names = new Set(elements(page, () => true).flatMap(({ attrs }) => attrs.map(({ name }) => name)));
    expect([...names].filter((name) => name.startsWith('on') || name === 'style' || name === 'src')).toEqual([]);
    expect(elements(page, ({ tagName }) => ['img', 'iframe', 'object', 'base'].includes(tagName))).toEqual([]);
    expect(elements(page, ({ tagName }) => tagName === 'script')).toHaveLength(1);
  });

  test('is in no URL', () => {
    const addresses = elements(page, () => true).flatMap(({ attrs }) =>
      attrs.filter(({ name }) => ['href', 'action', 'src', 'xlink:href'].includes(name)),
    );
    expect(addresses.filter(({ value }) => !/^#[\w-]+$/.test(value))).toEqual([]);
  });
});

describe('the policy of the page', () => {
  test('allows only the script and the style sheet of the page', () => {
    const policy = attribute(
      elements(page, (one) => attribute(one, 'http-equiv') === 'Content-Security-Policy')[0],
      'content',
    );
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const inline = elements(
      page,
      (one) => one.tagName === 'style' || (one.tagName === 'script' && one.attrs.length === 0),
    );
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(inline).toHaveLength(2);
    for (const one of inline) expect(policy).toContain(hash(textOf(one)));
  });

  test('comes before everything that it governs', () => {
    const order = elements(page, ({ tagName }) => ['meta', 'style', 'script'].includes(tagName));
    expect(order.slice(0, 2).map((one) => attribute(one, 'http-equiv') ?? attribute(one, 'charset'))).toEqual([
      'utf-8',
      'Content-Security-Policy',
    ]);
  });
});

describe('the size of the page', () => {
  test('stays below 5 MiB for 10,000 exchanges', () => {
    const large = renderHtml({ ...MADE, exchanges: manyExchanges(10_000) });
    expect(Buffer.byteLength(large)).toBeLessThan(1.5 * 1024 ** 2);
  });

  inLongAlone('stays below 5 MiB for very large findings, and shows the first ones', () => {
    const text = '<&"\'>'.repeat(13_000);
    const body = {
      length: 65_000,
      digest: '',
      utf8: true,
      byteOrderMark: false,
      json: 'invalid',
      members: [],
      mentions: [],
      text,
    } as const;
    const large = renderHtml(heavyRun(150, body));
    expect(Buffer.byteLength(large)).toBeLessThan(5 * 1024 ** 2);
    expect(textOf(withId(large, 'case-HEAVY-0-createCall'))).toContain('Response');
    expect(textOf(withId(large, 'case-HEAVY-149-createCall'))).toContain('are left out to keep the page small');
  });
});
