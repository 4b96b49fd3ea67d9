/** What README promises. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import openapi from '../schemas/openapi.json' with { type: 'json' };
import { EXIT_CODES } from '../src/cli/terminal.ts';

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const README = textOf('README.md');

describe('README.md', () => {
  test('is read in five minutes, and leads to every page of the manual', () => {
    expect(README.split(/\s+/).length).toBeLessThan(1_200);
    const pages = readdirSync(new URL('../docs', import.meta.url)).filter((file) => file.endsWith('.md'));
    // The package does not hold the page about the code, so README names it without a link.
    const isNamed = (page: string): boolean =>
      README.includes(page === 'architecture.md' ? `docs/${page}` : `](docs/${page})`);
    expect(pages.filter((page) => !isNamed(page))).toEqual([]);
  });

  test('says the version of the interface', () => {
    expect(README).toContain(`the interface, version ${openapi.info.version},`);
  });

  test('has the exit codes of the verdicts', () => {
    const rows = [...README.matchAll(/^\| (conformant|non-conformant|incomplete) \|.* \| (\d) \|$/gm)];
    const { conformant, nonConformant, incomplete } = EXIT_CODES;
    expect(rows.map(([, , code]) => Number(code))).toEqual([conformant, nonConformant, incomplete]);
  });
});
