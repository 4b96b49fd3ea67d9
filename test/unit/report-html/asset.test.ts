import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { inlineAsset } from '../../../src/report/html/markup.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { MADE } from '../report/made-run.ts';

const HTML = new URL('../../../src/report/html/', import.meta.url);
const ASSETS = readdirSync(HTML).filter((name) => /\.(css|js)$/.test(name));

const folder = mkdtempSync(join(tmpdir(), 'pcs-assets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): URL {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
}

describe('an inlined asset', () => {
  test('joins its files in order and has the hash of the whole', () => {
    const { text, hash } = inlineAsset(written('a.css', 'a{}\n'), written('b.css', 'b{}\n'));
    expect(text).toBe('a{}\nb{}\n');
    expect(hash).toBe(`'sha256-${createHash('sha256').update('a{}\nb{}\n').digest('base64')}'`);
  });

  test('has the line ends that a browser hashes, also in a checkout with CRLF', () => {
    const [lf, crlf] = [written('lf.css', 'a{}\nb{}\n'), written('crlf.css', 'a{}\r\nb{}\r\n')];
    expect(inlineAsset(crlf)).toEqual(inlineAsset(lf));
  });
});

describe('the assets of the page', () => {
  test.each(ASSETS)('%s is in the page as it is, and nothing in it ends its element', (name) => {
    const text = readFileSync(new URL(name, HTML), 'utf8');
    expect(renderHtml(MADE)).toContain(text);
    expect(text).not.toMatch(/<\/(script|style)|<!--/i);
  });

  test('are a style sheet for every page, one for this page, and a script', () => {
    expect(ASSETS).toEqual(['base.css', 'page.css', 'page.js']);
  });
});
