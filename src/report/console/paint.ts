/** Colours and marks of the console; every mark can be told from the others without colour. */

import { styleText } from 'node:util';
import type { RunVerdict, Verdict } from '../../verdict/verdict.ts';

/** The tones that the console uses. */
export type Tone = 'good' | 'bad' | 'warn' | 'open' | 'quiet' | 'strong';

/** Gives a text its tone, or leaves it as it is where colour is not wanted. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  open: 'magenta',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

/** Paints in colour, or not at all; the stream and `NO_COLOR` are the caller's to ask. */
export function painter(color: boolean): Paint {
  return color ? (tone, text) => styleText(STYLES[tone], text, { validateStream: false }) : (_tone, text) => text;
}

interface Look {
  readonly mark: string;
  readonly tone: Tone;
  /** How cases of this verdict are counted: "3 pass". */
  readonly word: string;
}

/** How each verdict of a case looks, worst first. */
export const LOOKS: Readonly<Record<Verdict, Look>> = {
  error: { mark: '‼', tone: 'bad', word: 'error' },
  fail: { mark: '✗', tone: 'bad', word: 'fail' },
  warning: { mark: '!', tone: 'warn', word: 'warning' },
  inconclusive: { mark: '?', tone: 'open', word: 'inconclusive' },
  pass: { mark: '✓', tone: 'good', word: 'pass' },
  'not-exercised': { mark: '–', tone: 'quiet', word: 'not exercised' },
};

/** The verdicts of cases, worst first. */
export const WORST_FIRST: readonly Verdict[] = ['error', 'fail', 'warning', 'inconclusive', 'pass', 'not-exercised'];

/** The tone of a run's verdict. */
export const TONE_OF: Readonly<Record<RunVerdict, Tone>> = {
  conformant: 'good',
  'non-conformant': 'bad',
  incomplete: 'open',
  void: 'bad',
};

/** "1 call", "2 calls". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
