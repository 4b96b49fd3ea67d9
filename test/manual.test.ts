/** What README promises, and what the page about setting up quotes. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '../fixtures/faults/index.ts';
import { createReference } from '../fixtures/service/reference.ts';
import openapi from '../schemas/openapi.json' with { type: 'json' };
import { EXIT_CODES } from '../src/cli/terminal.ts';
import type { RunOptions } from '../src/run/options.ts';
import { judge, optionsFrom } from './selftest/harness.ts';

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const README = textOf('README.md');

describe('docs/install.md', () => {
  /** The first cells of the table in a section. */
  const phrasesIn = (title: string): readonly string[] => {
    const [, section = ''] = textOf('docs/install.md').split(`\n## ${title}\n`);
    const [table = ''] = section.split('\n## ');
    return [...table.matchAll(/^\| (?!the (?:verdict says|reason) )([^|]+) \|/gm)].map(([, cell = '']) => cell);
  };

  test('quotes what a run says of a target that is another one', () => {
    const source = textOf('src/run/preflight.ts');
    const phrases = phrasesIn('The run ends at once');
    expect(phrases.length).toBeGreaterThan(5);
    expect(phrases.filter((phrase) => !source.includes(phrase))).toEqual([]);
  });

  test('quotes the reasons of cases that cannot be judged', async () => {
    const reasonsOf = async (changes: Partial<RunOptions>): Promise<readonly string[]> => {
      const { service, settings } = createReference();
      const { ringingCallId: _, ...options } = optionsFrom(settings, changes);
      const { requirements } = (await judge(service, options)).results;
      return requirements.flatMap(({ cases }) => cases.flatMap(({ reason }) => reason ?? []));
    };
    const strange = '00000000-0000-4000-8000-000000000000';
    const reasons = [
      ...(await reasonsOf({ numbers: null, resources: {} })),
      ...(await reasonsOf({ numbers: { from: '+15005550001', to: '+15005550010' }, resources: { trunk: strange } })),
    ];
    const phrases = phrasesIn('The run is incomplete');
    expect(phrases.length).toBeGreaterThan(5);
    expect(phrases.filter((phrase) => !reasons.some((reason) => reason.startsWith(phrase)))).toEqual([]);
  });
});

describe('README.md', () => {
  test('is read in five minutes, and leads to every page of the manual', () => {
    expect(README.split(/\s+/).length).toBeLessThan(1_200);
    const pages = readdirSync(new URL('../docs', import.meta.url)).filter((file) => file.endsWith('.md'));
    // The package does not hold the page about the code, so README names it without a link.
    const isNamed = (page: string): boolean =>
      README.includes(page === 'architecture.md' ? `docs/${page}` : `](docs/${page})`);
    expect(pages.filter((page) => !isNamed(page))).toEqual([]);
  });

  test('says how many faults are caught, and the version of the interface', () => {
    const least = Math.floor((FAULTS.length - 1) / 50) * 50;
    expect(README).toContain(`plant more than ${least} faults in a service, and each is found`);
    expect(README).toContain(`the interface, version ${openapi.info.version},`);
  });

  test('has the exit codes of the verdicts', () => {
    const rows = [...README.matchAll(/^\| (conformant|non-conformant|incomplete) \|.* \| (\d) \|$/gm)];
    const { conformant, nonConformant, incomplete } = EXIT_CODES;
    expect(rows.map(([, , code]) => Number(code))).toEqual([conformant, nonConformant, incomplete]);
  });
});
