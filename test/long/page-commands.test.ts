/** Every command on every page: run against the reference service, or named beside the test that runs it. */

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServed } from '../../src/cli/commands/serve.ts';
import { emptyFolder } from '../e2e/command.ts';
import { ended, textOf } from '../e2e/recipes.ts';
import { line } from '../unit/traffic/recording.ts';

/** What is not run here, and what runs it. */
const ELSEWHERE: readonly (readonly [command: RegExp, runBy: string])[] = [
  [/^(npm (ci|start|test|run|pack|install|publish)\b|.*npx --yes|\.\/node_modules)/, '.ci/run and test/e2e/package'],
  [/^npx vitest/, 'test/e2e/package, as a guest of vitest'],
  [/^(alias |pcs-conformance serve )/, 'test/e2e/readme'],
  [/^kubectl /, 'test/e2e/pipelines, without a cluster'],
  [/ --(ca|cert) /, 'test/e2e/network, with authorities of its own'],
  [/ (ID|URL)\b/, 'a placeholder; test/unit/cli and the rerun lines of test/proof'],
];

/** The commands of a page: a line of its own, a whole block that the shell reads as one, and those inside a sentence. */
function commandsOf(page: string): readonly string[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].flatMap(([, block = '']) =>
    /^(for|cd) /.test(block) ? [block] : block.trim().split(/(?<!\\)\n/),
  );
  const inSentences = [...text.matchAll(/`((?:pcs-conformance|npx|npm) [a-z][^`]* -[^`]*)`/g)].map(
    ([, one = '']) => one,
  );
  return [...blocks, ...inSentences].map((one) => one.trim());
}

const PAGES = ['README.md', ...readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : []))];

/** What a reader has before the first command of a page: a report of the last release, recordings, the keys of two parties. */
async function prepare(folder: string, url: string, settings: object): Promise<void> {
  const release = 'pcs-conformance run --profile full --quiet --report-dir last-release';
  const env = { ...settings, PCS_BASE_URL: url } as Readonly<Record<string, string>>;
  expect(await ended(release, folder, env)).toMatchObject({ exit: 0 });
  const har = readFileSync(join(folder, 'last-release/evidence.har'), 'utf8');
  const recorded = har.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com');
  for (const name of ['traffic.har', 'app.har', 'proxy.har', 'e2e.har']) writeFileSync(join(folder, name), recorded);
  const base = 'https://api.example.com/pcs';
  writeFileSync(join(folder, 'gateway.ndjson'), line({ base }) + line({ base, path: '/v1/numbers/' }));
  copyFileSync('integrations/fixtures/fixture.mjs', join(folder, 'fixture.mjs'));
}

/** What is done beside the commands of the pages, so that what they name is there. */
const BEFORE: readonly (readonly [command: RegExp, before: string])[] = [
  [/certify .*staging\.example/, 'rm -rf conformance-bundle; pcs-conformance keygen --out programme'],
  [
    /^for bundle/,
    'for one in acme example; do cp -r conformance-bundle $one-bundle; cp vendor.pub.pem $one-bundle.pub.pem; done',
  ],
  [/judge gateway.ndjson --baseline/, 'pcs-conformance judge gateway.ndjson --report-dir last-night'],
  [/^pcs-conformance certify --key conformance-key/, 'pcs-conformance keygen'],
  [/compare runs/, 'mkdir -p runs; cp -r last-release runs/1; cp -r last-release runs/2'],
];

/** What the shell knows on a page: recorded traffic belongs to no target of the settings. */
const environmentOf = (page: string, url: string, settings: object): Readonly<Record<string, string>> =>
  page === 'docs/traffic.md' ? {} : { ...settings, PCS_BASE_URL: url, NONCE: 'ab'.repeat(16) };

test.each(PAGES.map((page) => [page, commandsOf(page)] as const))('%s', async (page, all) => {
  const commands = all.filter((command) => !ELSEWHERE.some(([one]) => one.test(command)));
  if (commands.length === 0) return;
  const folder = emptyFolder();
  const { url, settings, close } = await startServed({ host: '127.0.0.1', port: 0 });
  try {
    const env = environmentOf(page, url, settings);
    const run = (typed: string) => ended(typed.replaceAll('https://staging.example', url), folder, env);
    await prepare(folder, url, settings);
    for (const command of commands) {
      for (const [one, before] of BEFORE) if (one.test(command)) await run(before);
      const { exit, out } = await run(command);
      expect(`${command}: exit ${exit}${exit === 0 ? '' : `\n${out}`}`).toBe(`${command}: exit 0`);
    }
  } finally {
    await close();
  }
});

test('most are run here', () => {
  const all = PAGES.flatMap(commandsOf);
  expect(all.filter((command) => !ELSEWHERE.some(([one]) => one.test(command))).length).toBeGreaterThan(20);
});

test.each(ELSEWHERE)('%s stands on a page', (pattern) => {
  expect(PAGES.flatMap(commandsOf).some((command) => pattern.test(command))).toBe(true);
});
