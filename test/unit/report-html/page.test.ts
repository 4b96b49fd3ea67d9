import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import { OBSERVATIONS as GAPS } from '../../../suites/observations/index.ts';
import { CASES, MADE, MARK, madeOf, madeWith, RESULTS } from '../report/made-run.ts';
import { referenceRun } from '../report/real-runs.ts';
import { attribute, elements, manyExchanges, textOf, withId } from './pages.ts';

const page = renderHtml(MADE);

const anchor = (id: string): string => `case-${id.replace('/', '-')}`;

describe('the page of a run', () => {
  test.each(CASES)('shows the verdict %s in the matrix, and links it to its case unless it passed', (verdict, id) => {
    const cells = elements(page, (one) => one.tagName === 'td' && attribute(one, 'data-case') === id);
    expect(cells).toHaveLength(1);
    const labels = (within = cells[0]) => elements(within, () => true).map((one) => attribute(one, 'aria-label'));
    const links = elements(cells[0], ({ tagName }) => tagName === 'a').map((one) => attribute(one, 'href'));
    expect([labels(), links]).toEqual([
      expect.arrayContaining([`${id}: ${verdict}`]),
      verdict === 'pass' ? [] : [`#${anchor(id)}`],
    ]);
    const shown = withId(page, anchor(id));
    expect([textOf(shown), ...labels(shown)].join()).toContain(verdict);
  });

  test('begins with the whole at a glance, the causes and what needs action; failures come before warnings', () => {
    const sections = elements(page, ({ tagName }) => tagName === 'section').map((one) => attribute(one, 'id'));
    expect(sections).toEqual([
      ...['map', 'why', 'calls', 'changed', 'flaky', 'failures', 'warnings', 'open', 'matrix', 'cases', 'exchanges'],
    ]);
    const rows = elements(withId(page, 'map'), (one) => attribute(one, 'role') === 'img');
    expect(rows.map((one) => attribute(one, 'aria-label'))).toContain('createCall: ✗ 1');
  });

  test('offers the curl line and the rerun line of each cause to be copied', () => {
    const buttons = elements(withId(page, 'why'), ({ tagName }) => tagName === 'button');
    const lines = buttons.map((one) => [textOf(one), attribute(one, 'data-copy')]);
    expect(lines).toContainEqual(['Copy curl: may place a call', expect.stringContaining('curl -sS')]);
    const rerun = 'Copy rerun: may place calls (the run placed 1)';
    expect(lines).toContainEqual([rerun, expect.stringContaining('--only MADE-FAIL/createCall')]);
    const unsent = 'Copy rerun: may place calls (the run placed 1) and write';
    expect(lines).toContainEqual([unsent, expect.stringContaining('--only MADE-ERROR/hangUpCall')]);
  });

  test('of a run that judged nothing shows its one reason, without a matrix and lists of remedies', () => {
    const changes = {
      summary: 'no answer',
      reason: 'no answer',
      endedEarly: 'no answer',
      possiblyOpen: [],
      changed: [],
    };
    const cases = { pass: 0, 'not-exercised': 1, inconclusive: 1, warning: 0, fail: 0, error: 0 };
    const counts = { ...RESULTS.counts, cases };
    const run = madeOf('incomplete', ['inconclusive', 'not-exercised'], { ...changes, counts });
    const nothing = renderHtml(run);
    const sections = elements(nothing, ({ tagName }) => tagName === 'section').map((one) => attribute(one, 'id'));
    expect([sections, textOf(elements(nothing, ({ tagName }) => tagName === 'header')[0])]).toEqual([
      ['exchanges'],
      expect.stringContaining('No answer.'),
    ]);
    const console = renderConsole(run, { color: false, detail: 'normal' });
    expect(console.trimEnd().split('\n').length).toBeLessThan(9);
    expect(console).not.toContain('remedy');
  });

  test('of a selection that came to nothing says why: an update got 409, and the screen had only "1 not judged"', () => {
    const cases = { pass: 0, 'not-exercised': 0, inconclusive: 1, warning: 0, fail: 0, error: 0 };
    const run = madeOf('conformant', ['inconclusive'], { counts: { ...RESULTS.counts, cases } });
    const views = [renderHtml(run), renderSummary(run), renderConsole(run, { color: false, detail: 'normal' })];
    for (const view of views) expect(view).toContain('the control was refused');
    expect(views.at(-1)).not.toMatch(/✓ 0 of/);
  });

  test('of a failing run that was interrupted says so, and that the target looks like a mock', () => {
    const more = 'the run ended early: SIGINT; this looks like a mock: 97 %';
    const changes = { reason: `1 case fails: MADE-FAIL/createCall; ${more}`, endedEarly: 'SIGINT' };
    const run = madeOf('non-conformant', ['fail'], changes);
    const page = textOf(elements(renderHtml(run), ({ tagName }) => tagName === 'header')[0]);
    for (const view of [page, renderSummary(run), renderConsole(run, { color: false, detail: 'normal' })])
      expect(view).toContain(`1 case fails, with 2 likely causes; ${more}`);
  });

  test('names open calls, changes, an early end and a filter', () => {
    const shown = renderHtml(
      madeWith({ endedEarly: 'the target stopped responding', partial: true, only: ['MADE-FAIL'] }),
    );
    for (const id of ['calls', 'changed', 'early', 'flaky']) expect(withId(shown, id), id).toBeDefined();
    expect(textOf(withId(shown, 'early'))).toContain('the target stopped responding');
    expect(textOf(elements(shown, ({ tagName }) => tagName === 'header')[0])).toContain('OnlyMADE-FAIL');
  });

  test('links each mention of an exchange to the exchange', () => {
    const known = renderHtml({ ...MADE, exchanges: manyExchanges(1_200) });
    const hrefs = (id: string) =>
      elements(withId(known, id), ({ tagName }) => tagName === 'a').map((one) => attribute(one, 'href'));
    // The example of the failure, in its card and in the failure; the open call; the flaky exchanges.
    expect(hrefs('why')).toContain('#exchange-2');
    expect(hrefs('failures')).toEqual(['#exchange-2', '#exchange-2']);
    expect([hrefs('calls'), hrefs('flaky')]).toEqual([['#exchange-1'], ['#exchange-1', '#exchange-3']]);
    expect(textOf(withId(known, 'exchange-2'))).toContain('Response');
    expect(textOf(withId(known, 'exchange-3'))).toContain('Response');
    expect(textOf(withId(known, 'exchange-1000'))).toMatch(/^1000/);
    expect(withId(known, 'exchange-1001')).toBeUndefined();
    expect(textOf(withId(known, 'exchanges'))).toContain('And 200 more exchanges in evidence.har.');
  });

  test('lists each choice of the target once, with the question of its gap', () => {
    const [known] = GAPS;
    const choices = [
      ...OPERATION_IDS.map((operation) => ({ gap: 'GAP-MADE', operation, choice: '401' })),
      { gap: known?.id ?? '', operation: 'getTrunk', choice: '200 <b>' },
      { gap: known?.id ?? '', operation: 'hangUpCall', choice: '200 <b>' },
      { gap: known?.id ?? '', operation: 'undocumented', choice: '204' },
    ];
    const rows = elements(withId(renderHtml({ ...MADE, choices }), 'choices'), ({ tagName }) => tagName === 'li');
    expect(rows.map(textOf)).toEqual([
      ' GAP-MADE401: all operations',
      '401: all operations',
      `${known?.question} ${known?.id}200 <b>: getTrunk, hangUpCall204: other requests`,
      '200 <b>: getTrunk, hangUpCall',
      '204: other requests',
    ]);
  });

  test('has no duplicate id and no dangling link', async () => {
    for (const one of [page, renderHtml(await referenceRun())]) {
      const ids = elements(one, (element) => attribute(element, 'id') !== undefined).map((e) => attribute(e, 'id'));
      const links = elements(one, ({ tagName }) => tagName === 'a').map((element) => attribute(element, 'href') ?? '');
      const known = new Set(ids);
      expect(ids.length).toBe(known.size);
      expect(links.filter((link) => !link.startsWith('#') || !known.has(link.slice(1)))).toEqual([]);
    }
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
});

describe('the size of the page', () => {
  test('stays below 5 MiB for 10,000 exchanges', () => {
    const large = renderHtml({ ...MADE, exchanges: manyExchanges(10_000) });
    expect(Buffer.byteLength(large)).toBeLessThan(1.5 * 1024 ** 2);
  });
});
