/** Everything that is sent to a target, in order. */

import type { OperationId } from '../src/contract/operations.ts';
import { FORM_IDS, nthForm } from '../src/exchange/message.ts';
import { RequestBuilder } from '../src/run/builder.ts';
import { type Choice, choicesShown as choicesBy } from '../src/run/choices.ts';
import type { RunOptions } from '../src/run/options.ts';
import type { Suite } from '../src/run/requirement.ts';
import type { Sequence } from '../src/run/sequence.ts';
import { evaluate } from '../src/verdict/evaluate.ts';
import type { RunRecord } from '../src/verdict/record.ts';
import type { Results } from '../src/verdict/results.ts';
import { chunked, fieldsAlone, otherLetterCase, sameCallAgain, withCharset } from './accepted-bodies.ts';
import { aliases, otherSlash } from './aliases.ts';
import { REQUIREMENTS, requirementById } from './catalogue.ts';
import { remedyForOperation } from './expect/remedy.ts';
import { callIds, malformedIds, otherIds } from './ids.ts';
import { observedCalls } from './observations/calls.ts';
import { OBSERVATIONS } from './observations/index.ts';
import { integers, observedAmong, observedReads, observedWrites } from './observations/sent.ts';
import { anonymousHangUp, rejectedHangUps } from './open-calls.ts';
import { CREATE, isOneOf, LISTS, READS, TRUNK, UPDATES, WITH_BODY } from './operations.ts';
import { theirTrunk } from './organizations.ts';
import type { RequirementId } from './report-order.ts';
import { muteTwice, openingCalls, ringingCall } from './sequences/calls.ts';
import { closingAssignment, openingControls, reads, UNKNOWN_ROUTES } from './sequences/controls.ts';
import { invalidCredentials } from './sequences/credentials.ts';
import { edges } from './sequences/edges.ts';
import { exploration } from './sequences/explore.ts';
import { labelledActions, malformedFields } from './sequences/malformed-fields.ts';
import { restoring } from './sequences/restore.ts';
import { validBodies } from './sequences/valid-bodies.ts';
import {
  deviatingCalls,
  deviations,
  invalidAssignments,
  invalidCalls,
  invalidUpdates,
  otherLabels,
} from './sequences/violations.ts';

/** The sequences of these requirements. The read-only profile sends those on reads. */
const of = (builder: RequestBuilder, ...ids: readonly RequirementId[]): readonly Sequence[] =>
  ids
    .flatMap((id) => requirementById(id)?.send?.sequences?.(builder) ?? [])
    .filter(({ operation }) => builder.options.profile === 'full' || isOneOf(READS, operation));

/** Writes and calls for `must` requirements. */
const writing = (builder: RequestBuilder): readonly Sequence[] => [
  ...openingControls(builder),
  muteTwice(),
  ...invalidAssignments(builder),
  otherLetterCase(builder),
  closingAssignment(builder),
  ...openingCalls(builder),
  sameCallAgain(builder),
  ...validBodies(builder, [
    anonymousHangUp(builder),
    ...[...invalidCalls(builder), ...callIds(), deviatingCalls(builder)],
  ]),
  ...of(builder, 'METHOD-SAFE'),
  // After all other calls for `must` requirements: none follows a call that the second organization cannot hang up.
  ...of(builder, 'ORG-CALL'),
];

/** The valid requests of a run that an operation gets between invalid ones. */
function validAmong(builder: RequestBuilder, id: OperationId): readonly Sequence[] {
  return [
    ...(isOneOf(LISTS, id) ? of(builder, 'AUTH-SCHEME-CASE').filter(({ operation }) => operation === id) : []),
    ...(id === CREATE ? [otherSlash(builder, id)] : []),
    ...labelledActions(id),
    ...observedAmong().filter(({ operation }) => operation === id),
    // Last, so that the next valid PUT repeats it.
    ...(isOneOf(OTHERS_WITH_BODY, id) ? [chunked(id)] : []),
  ];
}

/**
 * The sequences, some in another form, without further requests. Each stimulus (a form of credential, a way to break a
 * body, a kind of id) takes the forms in turn, then the usual one; each stimulus begins with the next form.
 */
function inForms(sequences: readonly Sequence[]): readonly Sequence[] {
  const turns = new Map<string, { readonly first: number; readonly asked: number }>();
  return sequences.map((sequence) => {
    if (sequence.stimulus === undefined) return sequence;
    const { first, asked } = turns.get(sequence.stimulus) ?? { first: turns.size, asked: 0 };
    turns.set(sequence.stimulus, { first, asked: asked + 1 });
    return asked % (FORM_IDS.length + 1) === FORM_IDS.length ? sequence : { ...sequence, form: nthForm(first + asked) };
  });
}

/** Create call has deviations of its own. */
const OTHERS_WITH_BODY = WITH_BODY.filter((id) => id !== CREATE);

/** Every sequence in the order of sending. */
function sequencesInOrder(builder: RequestBuilder): readonly Sequence[] {
  const isFull = builder.options.profile === 'full';
  return [
    ...(isFull ? ringingCall(builder) : []),
    ...reads(builder),
    ...UNKNOWN_ROUTES,
    ...(isFull ? writing(builder) : []),
    // They show when reads show an accepted change, so they come before anything is rejected.
    ...of(builder, 'UPDATE-VISIBLE', 'UPDATES-AT-ONCE'),
    ...of(builder, 'ORG-ISOLATION', 'AUTH-NO-EFFECT', 'AUTH-APPLICATION-UNCHANGED', 'ORG-NO-EFFECT'),
    ...theirTrunk(builder),
    ...otherIds(builder),
    // Only for `should` requirements, so they follow everything that `must` requirements send.
    ...(isFull ? UPDATES.flatMap((id) => [...(id === TRUNK ? [] : fieldsAlone(id)), ...invalidUpdates(id)]) : []),
    ...of(builder, 'UPDATE-REJECTED-NO-EFFECT', 'UPDATE-UNNAMED-KEPT', 'APPLICATION-UNNAMED-KEPT'),
    // A valid request in another form closes the bracket of each lane.
    ...(isFull ? OTHERS_WITH_BODY.flatMap((id) => [...deviations(id), withCharset(id)]) : []),
    ...invalidCredentials(builder, (id) => validAmong(builder, id)),
    ...aliases(builder),
    ...observedReads(),
    ...malformedFields(builder),
    ...(isFull
      ? [
          // After all other sequences of their lane.
          ...observedWrites(builder),
          ...edges(builder),
          ...otherLabels(),
          ...integers(),
          ...observedCalls(builder),
          rejectedHangUps(builder),
        ]
      : []),
    ...malformedIds(builder),
    ...exploration(builder),
    ...restoring(builder),
  ];
}

/** Everything that is sent to a target and expected of it. */
export const SUITE: Suite = {
  requirements: REQUIREMENTS,
  // Some of them are sent in another form.
  sequences: (builder) => inForms(sequencesInOrder(builder)),
  remedyOf: remedyForOperation,
};

/** Results of a record, by this suite. Equal records give equal results. */
export const resultsOf = (record: RunRecord): Results => evaluate(record, SUITE);

/** The choices of the target that a record shows, in the gaps of this suite. */
export const choicesOf = (record: Pick<RunRecord, 'header' | 'exchanges'>): readonly Choice[] =>
  choicesBy(record, OBSERVATIONS);

/** A request builder that plans a run and sends nothing: it knows no inbound secret. */
export const plannerFor = (options: RunOptions): RequestBuilder => new RequestBuilder(options, '', REQUIREMENTS);
