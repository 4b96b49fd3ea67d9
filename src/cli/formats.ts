/** The formats of the commands, apart from the commands: `--help` loads none of them. */

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
