/** How verdicts look as text: a mark that reads without colour, a tone, and a word. */

import { styleText } from 'node:util';
import { LADDER, type RunVerdict, type Verdict } from '../verdict/verdict.ts';
import type { RunArtefacts } from './artefacts.ts';

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

/** How each verdict of a case looks; the word stands after a count: `3 pass`. */
export const LOOKS = {
  error: { mark: '‼', tone: 'bad', word: 'error' },
  fail: { mark: '✗', tone: 'bad', word: 'fail' },
  warning: { mark: '!', tone: 'warn', word: 'warning' },
  inconclusive: { mark: '?', tone: 'open', word: 'inconclusive' },
  pass: { mark: '✓', tone: 'good', word: 'pass' },
  'not-exercised': { mark: '–', tone: 'quiet', word: 'not exercised' },
} as const satisfies Readonly<Record<Verdict, { mark: string; tone: Tone; word: string }>>;

/** The verdicts of cases, worst first. */
export const WORST_FIRST: readonly Verdict[] = LADDER.toReversed();

/** The verdict of a case whose look the verdict of a run takes. */
export const KIN = {
  conformant: 'pass',
  'non-conformant': 'fail',
  incomplete: 'inconclusive',
  void: 'error',
} as const satisfies Readonly<Record<RunVerdict, Verdict>>;

const OF_GATE = { 0: 'pass', 1: 'fail', 3: 'inconclusive', 4: 'error' } as const;

/** The verdict of a case whose look a run takes: a gate that passes looks like a pass. */
export const lookOf = ({ results, gate }: RunArtefacts): Verdict =>
  gate === undefined ? KIN[results.verdict] : OF_GATE[gate.code];
