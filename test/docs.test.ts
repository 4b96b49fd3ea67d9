/** The documents name what is there: paths, scripts, commands, flags, ids, variables, figures. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { renderTrafficTable } from '../scripts/contract-pages.ts';
import { figuresOfRuns, PAGES_WITH_FIGURES, withFigures } from '../scripts/figures.ts';
import { renderSettingsTables, renderWaiting } from '../scripts/setting-pages.ts';
import { CONTRACT } from '../scripts/traceability.ts';
import { BUNDLE_FILES } from '../src/certificate/bundle-files.ts';
import { COMPARISON_FILES } from '../src/cli/present.ts';
import { runCommandLine } from '../src/cli/program.ts';
import { EXIT_CODES } from '../src/cli/terminal.ts';
import { counted } from '../src/contract/lists.ts';
import { REPORTERS } from '../src/report/write-reports.ts';
import { JOURNAL_FILE } from '../src/run/journal.ts';
import { SETTINGS } from '../src/settings/table.ts';
import { MAY_IMPORT } from './rooms.ts';
import { stage } from './unit/cli/stage.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DESIGN = readdirSync(join(ROOT, 'docs/design')).sort();
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  // requirements.md is generated from the code.
  ...readdirSync(join(ROOT, 'docs')).flatMap((file) => (/(?<!requirements)\.md$/.test(file) ? [`docs/${file}`] : [])),
  ...DESIGN.map((file) => `docs/design/${file}`),
];
const SETTINGS_PAGE = textOf('docs/settings.md');
/** Everything that a user reads, as one text. */
const MANUAL = PAGES.filter((page) => /^README|^docs\/\w/.test(page))
  .map(textOf)
  .join('\n');
const { requirements: REQUIREMENTS, gaps: GAPS } = CONTRACT;

/** Every match of the first group, in order. */
function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** What stands between single backticks; fenced blocks apart. */
function codeSpans(text: string): readonly string[] {
  return all(text.replace(/^```[\s\S]*?^```$/gm, ''), /`([^`\n]+)`/g);
}

const ENDING = /\.(md|ts|mjs|json|html|xml|har|ndjson)$/;
const MADE_BY_A_RUN: readonly string[] = [
  ...REPORTERS.map(({ file }) => file),
  ...COMPARISON_FILES,
  JOURNAL_FILE,
  ...BUNDLE_FILES,
];

/** What a program can import, by the name it writes. */
const IMPORTABLE = Object.keys(packageJson.exports).map((key) => key.replace(/^\./, packageJson.name));

/** Code spans that are meant as a file or folder of this project. */
function pathsIn(text: string): readonly string[] {
  return codeSpans(text)
    .filter((span) => /^[\w.][\w./-]*$/.test(span) && (span.includes('/') || ENDING.test(span)))
    .filter(
      (span) =>
        !/^application\/|^\.\/node_modules\//.test(span) && !/\.tgz$/.test(span) && !/\b(OWNER|NAME)\b/.test(span),
    )
    .filter((span) => !REQUIREMENTS.some(({ id }) => span.startsWith(`${id}/`)))
    .filter((span) => !MADE_BY_A_RUN.includes(span) && !IMPORTABLE.includes(span));
}

/** What stands for a value behind a flag. */
const PLACEHOLDER = /(?<=--[a-z-]+ )[A-Z-]+/g;

const linksIn = (text: string): readonly string[] => all(text, /\]\((?!https?:)([^)#]+)\)/g);
const scriptsIn = (text: string): readonly string[] => all(text, /\bnpm (?:run )?((?<=run )[\w:-]+|(?:start|test)\b)/g);
const projectsIn = (text: string): readonly string[] => all(text, /vitest[^`\n]* --project (\w+)/g);
const idsIn = (text: string): readonly string[] => all(text, /\b([A-Z]{2,}-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*)\b/g);
const variablesIn = (text: string): readonly string[] => all(text, /\b(PCS_[A-Z_]+)\b/g);
const withoutOtherTools = (text: string): string =>
  text
    .replace(/(npx vitest|npm|git|gh|curl|sha256sum) [^`\n]*/g, '')
    // What stands between npx and our command belongs to npx.
    .replace(/npx --[^`\n]*?(?=pcs-conformance[ `@]|`|$)/gm, 'npx ');
const flagsIn = (text: string): readonly string[] => all(withoutOtherTools(text), /(?<![\w-])(--[a-z][a-z-]*)/g);

async function helpOf(...words: readonly string[]): Promise<string> {
  const { terminal, out } = stage();
  await runCommandLine([...words, '--help'], terminal);
  return out.join('\n');
}

const commandsIn = (help: string): readonly string[] => all(help.split('Commands:')[1] ?? '', /^ {2}([a-z]+)/gm);

/** The help of a command with that of the commands below it. */
async function wholeHelpOf(name: string): Promise<string> {
  const own = await helpOf(name);
  const below = await Promise.all(commandsIn(own).map((word) => helpOf(name, word)));
  return [own, ...below].join('\n');
}

const COMMANDS = commandsIn(await helpOf());
const FLAGS: ReadonlyMap<string, readonly string[]> = new Map(
  await Promise.all(COMMANDS.map(async (name) => [name, all(await wholeHelpOf(name), /(--[a-z-]+)/g)] as const)),
);
const EVERY_FLAG = new Set([...FLAGS.values()].flat());

/** Commands as they would be typed: the name, and the flags after it. */
function typedIn(text: string): readonly { readonly name: string; readonly flags: readonly string[] }[] {
  return [...text.matchAll(/(?:`|^|\$ |\|\| )pcs-conformance ([a-z]+)([^`\n]*)/gm)].map(([, name = '', rest = '']) => ({
    name,
    flags: flagsIn(rest),
  }));
}

function untypable(text: string): readonly string[] {
  return typedIn(text).flatMap(({ name, flags }) =>
    COMMANDS.includes(name) ? flags.filter((flag) => !FLAGS.get(name)?.includes(flag)) : [name],
  );
}

/** Calls that ask the public registry for our name where the package is missing. */
const resolvable = (text: string): readonly string[] => all(text, /(npx (?:--[\w-]+ )*pcs-conformance)/g);

const KNOWN_IDS: ReadonlySet<string> = new Set([...REQUIREMENTS, ...GAPS].map(({ id }) => id));
/** `PCS_CHROMIUM` is a variable of the tests, and `PCS_FIXTURE` tells a fixture command what to start. */
const NO_SETTINGS: readonly string[] = ['PCS_CHROMIUM', 'PCS_FIXTURE'];
const KNOWN_VARIABLES: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name));

describe.each(PAGES)('%s', (page) => {
  const text = textOf(page);

  test('names files and folders that are there', () => {
    expect(pathsIn(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('links to pages and pictures that are there', () => {
    expect(linksIn(text).filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });

  test('names npm scripts and test projects that are there', () => {
    expect(scriptsIn(text).filter((name) => !(name in packageJson.scripts))).toEqual([]);
    const config = textOf('vitest.config.ts');
    expect(projectsIn(text).filter((name) => !config.includes(`name: '${name}'`))).toEqual([]);
  });

  test('names commands and flags that the program has', () => {
    expect(untypable(text)).toEqual([]);
    // A decision tells what was wrong before it.
    expect(page.includes('decisions') ? [] : resolvable(text)).toEqual([]);
    expect(flagsIn(text).filter((flag) => !EVERY_FLAG.has(flag))).toEqual([]);
  });

  test('names requirements, gaps and cases of the catalogue', () => {
    // The console writes the verdict of a run in capitals.
    expect(idsIn(text.replace(PLACEHOLDER, '')).filter((id) => !KNOWN_IDS.has(id) && id !== 'NON-CONFORMANT')).toEqual(
      [],
    );
    const cases = [...text.matchAll(/\b([A-Z]+(?:-[A-Z0-9]+)+)\/([a-z]\w+)/g)];
    const strange = cases.filter(([, id, operation]) => {
      const operations: readonly string[] = REQUIREMENTS.find((one) => one.id === id)?.operations ?? [];
      return !operations.includes(operation ?? '');
    });
    expect(strange.map(([name]) => name)).toEqual([]);
  });

  test('names variables that are settings and stand in .env.example', () => {
    const example = textOf('.env.example');
    const named = variablesIn(text).filter((name) => !NO_SETTINGS.includes(name));
    expect(named.filter((name) => !KNOWN_VARIABLES.has(name) || !example.includes(`${name}=`))).toEqual([]);
  });
});

describe('the reading of the documents', () => {
  test('finds something of every kind', () => {
    for (const find of [linksIn, scriptsIn, projectsIn, idsIn, variablesIn, flagsIn, typedIn]) {
      expect(find(MANUAL).length, find.name).toBeGreaterThan(0);
    }
    expect(pathsIn(textOf('CONTRIBUTING.md')).length).toBeGreaterThan(5);
    expect(COMMANDS).toContain('run');
  });
});

describe('the manual, in its tables and figures', () => {
  test('has one table row for each command', () => {
    const [, section = ''] = SETTINGS_PAGE.split('\n## Commands\n');
    const [table = ''] = section.split('\n## ');
    expect(all(table, /^\| `([a-z]+)/gm)).toEqual(COMMANDS);
  });

  test('has the table of waiting', () => {
    const table = `<!-- waiting -->\n\n${renderWaiting()}\n\n<!--`;
    expect(textOf('docs/data-protection.md').includes(table), 'run npm run docs').toBe(true);
  });

  test('has the table of what traffic can show', () => {
    const table = `<!-- traffic -->\n\n${renderTrafficTable(CONTRACT)}\n\n<!--`;
    expect(textOf('docs/traffic.md').includes(table), 'run npm run docs').toBe(true);
  });

  test('has the settings, and is not without a flag of any command', () => {
    const tables = `<!-- settings -->\n\n${renderSettingsTables()}\n\n<!--`;
    expect(SETTINGS_PAGE.includes(tables), 'run npm run docs').toBe(true);
    const named = new Set(flagsIn(MANUAL));
    expect([...EVERY_FLAG].filter((flag) => !named.has(flag) && flag !== '--help')).toEqual([]);
  });

  test('has every exit code', () => {
    const [, section = ''] = textOf('docs/results.md').split('\n## Verdicts\n');
    const codes = all(section, /\| ([\d, ]+) \|$/gm).flatMap((cell) => cell.split(', ').map(Number));
    expect(codes.toSorted((a, b) => a - b)).toEqual(Object.values(EXIT_CODES).toSorted((a, b) => a - b));
  });

  const figures = figuresOfRuns();

  test.each(PAGES_WITH_FIGURES)('has the figures of a run: %s', async (page) => {
    expect(withFigures(page, textOf(page), await figures) === textOf(page), 'run npm run docs').toBe(true);
  });

  test.each(PAGES_WITH_FIGURES)('has a place for each figure of %s', async (page) => {
    const known = await figures;
    expect(() => withFigures(page, '', known)).toThrow(`${page} has nothing like`);
  });

  test('says nowhere else how many requests a run sends, and how many questions it answers', async () => {
    const { full } = await figures;
    const told = [counted(full.counts.requests, 'request'), full.summary];
    const others = PAGES.filter((page) => /^README|^docs\/[\w-]+\.md/.test(page) && !PAGES_WITH_FIGURES.includes(page));
    expect(others.length).toBeGreaterThan(5);
    expect(others.filter((page) => told.some((figure) => textOf(page).includes(figure)))).toEqual([]);
  });
});

/** The words of a page, without what stands for an id or a reason, generated tables and marks. */
const wordsIn = (text: string): number =>
  text
    .replace(/<!-- (settings|traffic|waiting) -->.*?<!-- end of \1 -->/gs, '')
    .replace(/^\[[\w-]+\]: .*$|\[[A-Z][\w-]*\](?!\()|\(not judged: \w+\)|<!--.*?-->/gm, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

describe('the length of the pages', () => {
  const lengths = (pages: readonly string[]) => pages.map((page) => [page, wordsIn(textOf(page))] as const);
  const written = PAGES.filter((page) => page !== 'docs/settings.md');

  test.each([
    ['README and docs', /^README|^docs\/[\w-]+\.md/, 14_000],
    ['docs/design', /^docs\/design\//, 9_000],
    ['CHANGELOG.md', /^CHANGELOG/, 600],
  ])('%s', (_, which, most) => {
    const found = lengths(written.filter((page) => which.test(page)));
    expect(found.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(most);
    expect(found.filter(([, count]) => count > 1_800)).toEqual([]);
  });
});

describe('docs/architecture.md, in its table', () => {
  test('has the rooms and imports that the architecture test enforces', () => {
    const enforced = Object.entries(MAY_IMPORT).map(([room, list]) => [room, [...list].sort()] as const);
    const rooms: string[] = [];
    const told = [...textOf('docs/architecture.md').matchAll(/^\| `([\w/]+)` \|.*\| ([^|]+) \|$/gm)].map(
      ([, room = '', cell = '']) => {
        const list = cell === 'nothing' ? [] : cell === 'every room above' ? rooms : cell.split(', ');
        const row = [room, [...list].sort()] as const;
        rooms.push(room);
        return row;
      },
    );
    expect(enforced.length).toBeGreaterThan(8);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(enforced));
  });
});

describe('docs/design', () => {
  const sources = ['src', 'suites', 'fixtures', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.ts') && file !== 'docs.test.ts' ? [textOf(join(folder, file))] : [],
    ),
  );

  test.each(DESIGN)('%s has at most 100 lines, and the code that it explains names it', (page) => {
    expect(textOf(`docs/design/${page}`).split('\n').length).toBeLessThanOrEqual(101);
    expect(sources.some((text) => text.includes(`docs/design/${page}`))).toBe(true);
    expect(textOf('docs/architecture.md')).toContain(`](design/${page})`);
  });

  test('every page that the code names is there', () => {
    const named = sources.flatMap((text) => all(text, /docs\/design\/([\w-]+\.md)/g));
    expect(named.filter((page) => !DESIGN.includes(page))).toEqual([]);
  });
});
