/**
 * Beginnings of walks in which the dimensions of a stimulus meet three at a time: the operation and any two of what stands
 * in its path, who sends it and how often, its body, its form, and what came right before it (conformance model, section 2).
 * A default run covers pairs (scripts/dimensions.ts).
 */

import fc from 'fast-check';
import { FORM_IDS } from '../exchange/message.ts';
import {
  BODY_KINDS,
  bodiesOf,
  type Command,
  type CommandBody,
  type CommandSubject,
  hasInvalidCredential,
  ORDINARY_COMMAND,
} from './commands.ts';

const WRITE = 'updateTrunk';
const OTHER = 'other-organization';

/** What comes right before a request, on the same path but for the write, which is one of the trunk. */
const HISTORIES = ['nothing', 'the same, valid', "the other organization's", 'a rejected one', 'a write'] as const;
type History = (typeof HISTORIES)[number];

type Sender = Pick<Command, 'credential' | 'pace'>;

/** What each dimension of a request to an operation may be, the usual first. */
export function dimensionsOf(subject: CommandSubject, canWrite: boolean) {
  const { hasIds, body } = subject;
  return {
    ids: hasIds ? (['own', 'unknown', 'malformed'] as const) : (['own'] as const),
    sender: sendersOf(subject),
    slash: ['documented', 'other'] as const,
    body: body === undefined ? (['none'] as const) : BODY_KINDS,
    form: [undefined, ...FORM_IDS],
    history: historiesOf(subject, canWrite),
  };
}

type Dimensions = ReturnType<typeof dimensionsOf>;
type Name = keyof Dimensions;

/** One value in each dimension. */
export type Stimulus = { readonly [D in Name]: Dimensions[D][number] } & { readonly subject: CommandSubject };

/** An invalid credential is sent once: a target may lock out the sender of several. */
function sendersOf({ forms, isSingle }: CommandSubject): readonly Sender[] {
  const once = (['valid', ...forms] as const).map((credential): Sender => ({ credential, pace: 'once' }));
  const repeated = once
    .filter((one) => !hasInvalidCredential(one))
    .flatMap(({ credential }): readonly Sender[] => [
      { credential, pace: 'twice' },
      { credential, pace: 'at once' },
    ]);
  return isSingle ? once : [...once, ...repeated];
}

function historiesOf({ hasIds, body, forms, isSingle }: CommandSubject, canWrite: boolean): readonly History[] {
  const isPossible: Readonly<Record<History, boolean>> = {
    nothing: true,
    'the same, valid': !isSingle,
    "the other organization's": forms.includes(OTHER),
    'a rejected one': hasIds || body !== undefined,
    'a write': canWrite,
  };
  return HISTORIES.filter((one) => isPossible[one]);
}

/** The stimuli of an operation in which any two dimensions meet, and all else is as usual: the most telling company. */
function stimuliOf(subject: CommandSubject, canWrite: boolean): readonly Stimulus[] {
  const dimensions = Object.entries<readonly unknown[]>(dimensionsOf(subject, canWrite));
  const usual = Object.fromEntries(dimensions.map(([name, [first]]) => [name, first]));
  return dimensions.flatMap(([name, [, ...unusual]], at) =>
    dimensions
      .slice(at + 1)
      .flatMap(([other, [, ...also]]) =>
        unusual.flatMap((a) => also.map((b) => ({ ...usual, [name]: a, [other]: b, subject }) as Stimulus)),
      ),
  );
}

/** Takes the first of each list, then the second of each, and so on. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The commands of a stimulus: what came before it, and itself. */
function commandsOf({ subject, ids, sender, slash, body, form, history }: Stimulus, seed: number): readonly Command[] {
  const [drawn = { kind: 'none' }] = fc.sample(bodiesOf(subject, body), { seed, numRuns: 1 });
  const { operation } = subject;
  const own = { operation, ids, ...sender, slash, body: drawn, ...(form === undefined ? {} : { form }) };
  return [...historyOf(subject, history), own];
}

function historyOf({ operation, body }: CommandSubject, history: History): readonly Command[] {
  const typical: CommandBody = { kind: body === undefined ? 'none' : 'typical' };
  const same: Command = { ...ORDINARY_COMMAND, operation, body: typical };
  switch (history) {
    case 'nothing':
      return [];
    case 'the same, valid':
      return [same];
    case "the other organization's":
      return [{ ...same, credential: OTHER }];
    case 'a rejected one':
      return [body === undefined ? { ...same, ids: 'unknown' } : { ...same, body: { kind: 'malformed', at: 0 } }];
    case 'a write':
      return [{ ...same, operation: WRITE, body: { kind: 'typical' } }];
  }
}

/** Stimuli of a walk with the credential of an organization, next to one with an invalid credential. */
const OF_SOMEONE = 2;

/** The stimuli with which each walk begins: with an invalid credential at most one, since a walk has no more of them. */
export function stimuliOver(subjects: readonly CommandSubject[]): readonly (readonly Stimulus[])[] {
  const canWrite = subjects.some(({ operation }) => operation === WRITE);
  const all = inTurn(subjects.map((subject) => stimuliOf(subject, canWrite)));
  const ofSomeone = all.filter(({ sender }) => !hasInvalidCredential(sender));
  const invalid = all.filter(({ sender }) => hasInvalidCredential(sender));
  const count = Math.max(Math.ceil(ofSomeone.length / OF_SOMEONE), invalid.length);
  return Array.from({ length: count }, (_, at) => [
    ...ofSomeone.slice(at * OF_SOMEONE, (at + 1) * OF_SOMEONE),
    ...invalid.slice(at, at + 1),
  ]);
}

/** Draws the commands with which a walk begins, the first walk at 0; after the last beginning comes the first again. */
export type DrawBeginning = (at: number, seed: number) => readonly Command[];

/** The beginnings that cover every triple, as far as these operations have it. */
export function triplesOver(subjects: readonly CommandSubject[]): DrawBeginning {
  const beginnings = stimuliOver(subjects);
  return (at, seed) => (beginnings[at % beginnings.length] ?? []).flatMap((one) => commandsOf(one, seed));
}
