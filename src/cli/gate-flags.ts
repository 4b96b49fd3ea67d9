/** What the flags of the gate's commands admit, apart from the commands: `--help` loads none of them. */

/** Flags that `certify` shares with `run`; what narrows or excuses a run is not among them. */
export const CERTIFY_FLAGS: readonly string[] = [
  ...['base-url', 'reference', 'without', 'strict', 'samples', 'report-dir', 'concurrency', 'rate'],
  ...['max-requests', 'max-calls', 'max-wait', 'timeout', 'call-timeout', 'ca', 'cert', 'header'],
  ...['fixture-command', 'fixture-cleanup', 'quiet', 'json'],
];

/** The forms in which a comparison is printed. */
export const COMPARISON_FORMATS = ['text', 'json', 'markdown'] as const;
