/** How verdicts look as text: a mark that reads without colour, a tone, and a word. */

import { styleText } from 'node:util';
import type { RunVerdict, Verdict } from '../verdict/verdict.ts';

/** The tones of the console. */
export type Tone = 'good' | 'bad' | 'warn' | 'open' | 'quiet' | 'strong';

/** Gives a text its tone, or returns it unchanged if colour is off. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  open: 'magenta',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

/** A painter with or without colour; the caller asks the stream and `NO_COLOR`. */
export function painter(color: boolean): Paint {
  return color ? (tone, text) => styleText(STYLES[tone], text, { validateStream: false }) : (_tone, text) => text;
}

interface Look {
  readonly mark: string;
  readonly tone: Tone;
  /** The word after a count: `3 pass`. */
  readonly word: string;
}

/** How each verdict of a case looks. */
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
