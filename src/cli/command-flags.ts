/** The settings flags and formats of the commands, apart from the commands: `--help` loads none of them. */

/** Flags of `certify`: those of `run`, except what narrows or excuses a run. */
export const CERTIFY_FLAGS: readonly string[] = [
  ...['base-url', 'reference', 'without', 'strict', 'samples', 'report-dir', 'concurrency', 'rate'],
  ...['max-requests', 'max-calls', 'max-wait', 'timeout', 'call-timeout', 'ca', 'cert', 'header'],
  ...['fixture-command', 'fixture-cleanup', 'quiet', 'json'],
];

/** Flags of `clean`: where the journal is, and how the target is reached. */
export const CLEAN_FLAGS: readonly string[] = ['report-dir', 'base-url', 'ca', 'cert', 'key', 'header', 'timeout'];

/** Flags of `replay`: where the target is and how it is reached; what is sent comes from the folder. */
export const REPLAY_FLAGS: readonly string[] = [
  ...['base-url', 'reference', 'profile', 'samples', 'ca', 'cert', 'key', 'header'],
  ...['rate', 'max-requests', 'max-calls', 'max-wait', 'timeout', 'call-timeout'],
  ...['fixture-command', 'fixture-cleanup', 'quiet'],
];

/** The formats in which a report is printed: every file of the folder, and the screen. */
export const REPORT_FORMATS = [
  'json',
  'choices',
  'html',
  'junit',
  'har',
  'ctrf',
  'summary',
  'badge',
  'console',
] as const;

/** The formats in which a comparison is printed. */
export const COMPARISON_FORMATS = ['text', 'json', 'markdown'] as const;
