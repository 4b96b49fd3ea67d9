import { describe, expect, test } from 'vitest';
import { escapeText, html } from '../../../src/report/html/markup.ts';
import { HOSTILE } from '../report/made-run.ts';
import { attribute, elements, textOf } from './pages.ts';

describe('a template of markup', () => {
  test('escapes what is not markup, in content and in attributes', () => {
    const page = html`<p title="${HOSTILE}">${HOSTILE}</p>`.text;
    const [paragraph] = elements(page, ({ tagName }) => tagName === 'p');
    expect(elements(page, ({ tagName }) => ['script', 'img', 'b'].includes(tagName))).toEqual([]);
    expect(paragraph?.attrs.map(({ name }) => name)).toEqual(['title']);
    expect(attribute(paragraph, 'title')).toBe(textOf(paragraph));
    expect(textOf(paragraph)).toContain('<script>forged()</script>');
  });

  test('keeps markup, joins lists and omits null', () => {
    expect(html`<i>${[html`<b>1</b>`, 2, null, undefined, ['&']]}</i>`.text).toBe('<i><b>1</b>2&#38;</i>');
  });

  test('writes as escapes what a browser would drop, replace or obey', () => {
    expect(escapeText('\u0000\u202e\u001b\ud800\u2028\r')).toBe('\\u{0}\\u{202e}\\u{1b}\\u{d800}\\u{2028}\\u{d}');
    expect(escapeText('a\n\tü😀')).toBe('a\n\tü😀');
  });
});
