/** The import table: which room may import from which. A room may always import from itself. */

const BELOW_RUN = ['src/exchange', 'src/contract', 'src/generate', 'src/client', 'src/verdict'] as const;
const BELOW_REPORT = [...BELOW_RUN, 'src/run', 'suites'] as const;

/** Each room with the rooms of ours that it may import. */
export const MAY_IMPORT = {
  'src/exchange': ['src/contract'],
  'src/contract': ['schemas'],
  'src/generate': ['schemas', 'src/exchange', 'src/contract'],
  'src/client': ['src/exchange', 'src/contract'],
  'src/verdict': ['schemas', 'src/exchange', 'src/contract'],
  'src/run': ['schemas', ...BELOW_RUN],
  'src/settings': ['src/exchange', 'src/contract', 'src/run'],
  suites: [...BELOW_RUN, 'src/run'],
  'src/report': BELOW_REPORT,
  'src/traffic': BELOW_REPORT,
  'src/regression': ['schemas', ...BELOW_REPORT, 'src/report'],
  'src/certificate': ['schemas', ...BELOW_REPORT, 'src/report', 'src/regression'],
  fixtures: ['schemas', 'src/contract'],
  'src/cli': [
    ...BELOW_REPORT,
    'src/settings',
    'src/report',
    'src/traffic',
    'src/regression',
    'src/certificate',
    'fixtures',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Entry points: they may import from every room, and no room imports from them. */
export const DOORS: readonly string[] = ['src/index.ts', 'src/vitest.ts', 'suites/conformance.test.ts'];
