/** The ledger of size in docs/architecture.md: what each function of the product costs in lines of src and suites. */

/** A function, and the beginnings of the paths of its files; a file belongs to the first function that names it. */
const FUNCTIONS: readonly (readonly [name: string, ...paths: string[]])[] = [
  [
    'exploration in walks',
    ...['src/generate/commands', 'src/generate/smallest', 'src/run/exploration'],
    ...['suites/sequences/walk', 'suites/sequences/explore'],
  ],
  [
    'certificates: bundle, signature, verification',
    ...['src/certificate', 'src/cli/bundle-folder', 'src/cli/commands/certify', 'src/cli/commands/bundles'],
  ],
  ['recorded traffic', 'src/traffic', 'src/cli/commands/judge', 'src/report/traffic', 'src/report/coverage'],
  ['a record run again without its target', 'src/run/rerun', 'src/client/recorded-target'],
  ['replay of a failure', 'src/run/replay', 'src/cli/commands/replay'],
  [
    'journal, lock, and cleaning up after a killed run',
    ...['src/run/journal', 'src/run/lock', 'src/run/disk', 'src/run/left-behind', 'src/run/clean-up'],
    'src/cli/commands/clean',
  ],
  ['outages, flakiness and repetition', 'src/run/outage', 'src/verdict/outage', 'src/verdict/repetition'],
  [
    'waiting, rate limits and lock-outs',
    ...[
      'src/contract/waiting',
      'src/client/waiting',
      'src/client/clock',
      'src/client/send-gate',
      'src/client/hangs.ts',
    ],
    'src/client/invalid-credentials',
  ],
  [
    'safety of calls: what is dialled, counted and hung up',
    ...['src/client/safety/call', 'src/client/safety/create', 'src/client/safety/dial', 'src/client/safety/json'],
    ...['src/client/safety/name', 'src/client/hang-ups', 'src/client/call-id', 'src/client/client.ts'],
  ],
  [
    'safety of writes: what is written and restored',
    ...[
      'src/client/safety',
      'src/client/uuid-forms',
      'src/client/learned',
      'src/run/written',
      'src/run/inbound-secret',
      'suites/sequences/restore',
    ],
  ],
  [
    'redaction, and bounds on what a target sends',
    ...[
      'src/exchange/redaction',
      'src/exchange/secret-search',
      'src/exchange/decoded-views',
      'src/exchange/url-tokens',
    ],
    ...['src/exchange/texts', 'src/exchange/json-text'],
  ],
  ['the target over HTTP', 'src/client'],
  ['the record: exchanges, facts, curl lines', 'src/exchange'],
  ['the contract: operations, readings, settings by name', 'src/contract'],
  ['generated bodies', 'src/generate'],
  ['plan, schedule and session', 'src/run'],
  ['verdicts', 'src/verdict'],
  ['baseline and known failures', 'src/regression', 'src/cli/commands/expect'],
  ['the report page', 'src/report/html'],
  ['list and explain', 'src/cli/commands/catalogue'],
  ['the other reports', 'src/report'],
  ['settings', 'src/settings', 'src/cli/run-input', 'src/cli/samples'],
  ['the command', 'src/cli', 'src/index.ts', 'src/vitest.ts'],
  ['observations of what the interface leaves open', 'suites/observations'],
  ['what is sent', 'suites/sequences'],
  ['requirements and expectations', 'suites'],
];

/** One row of the ledger. */
export interface Size {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
}

/** The rows, the largest first; `texts` holds every file of src and suites by path. Throws for a file of no function. */
export function sizesOf(texts: ReadonlyMap<string, string>): readonly Size[] {
  const sizes = new Map(FUNCTIONS.map(([name]) => [name, { files: 0, lines: 0 }]));
  for (const [path, text] of texts) {
    const [name] = FUNCTIONS.find(([, ...paths]) => paths.some((one) => path.startsWith(one))) ?? [];
    const known = sizes.get(name ?? '');
    if (known === undefined) throw new Error(`${path} belongs to no function in the ledger of size`);
    known.files += 1;
    known.lines += text.split('\n').length - 1;
  }
  return [...sizes].map(([name, size]) => ({ name, ...size })).sort((a, b) => b.lines - a.lines);
}

/** The ledger as a Markdown table, with its sum. */
export function renderSizes(texts: ReadonlyMap<string, string>): string {
  const sizes = sizesOf(texts);
  const sum = (key: 'files' | 'lines'): number => sizes.reduce((all, size) => all + size[key], 0);
  const rows = [...sizes, { name: 'all', files: sum('files'), lines: sum('lines') }];
  return [
    '| function | files | lines |',
    '|---|---|---|',
    ...rows.map(({ name, files, lines }) => `| ${name} | ${files} | ${lines} |`),
  ].join('\n');
}
