/** The findings of a run as another run knows them: by case, stimulus and deviation, without ids and positions. Pure. */

import { allCases, isFailing } from '../report/model.ts';
import { type Deviation, deviationPhrase } from '../verdict/folded.ts';
import type { FoldedFinding, Results } from '../verdict/results.ts';

/** A finding of a case, or what the run itself came to: its end, calls that may be open, values left changed, flaky symptoms. */
export interface KeyedFinding extends Deviation {
  readonly requirement: string;
  readonly operation: string;
  /** `REQUIREMENT/operation`; `RUN/createCall` and the like for the run itself. */
  readonly case: string;
  /** The place among the findings of the case. */
  readonly at: number;
  /** Whether it fails the run; a warning does not. */
  readonly fails: boolean;
  readonly detail: string;
  /** Any stimulus under which it was sent: its own, and the group of boundary values in which it was sent first. */
  readonly sentAs: readonly string[];
  readonly walk?: string;
  /** Nothing that was sent meets the requirement. */
  readonly everywhere?: true;
}

/** The requirement of what the run itself came to: not of the catalogue. */
export const OF_RUN = 'RUN';

/** The end of the run: it is compared with that of the baseline, and no list excuses it. */
export const END_OF_RUN = `${OF_RUN}/end`;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const POSITION = /\b(byte|position|offset|line|column|character|seq|request) \d+/gi;

/** The text without ids and positions, which differ from run to run. */
const stable = (text: string): string => text.replace(UUID, 'an id').replace(POSITION, '$1 N');

function keyedOf(
  requirement: string,
  operation: string,
  found: Deviation & Partial<FoldedFinding>,
  at: number,
): KeyedFinding {
  const { stimulus, expected, actual, where, within, walk } = found;
  const identity = {
    stimulus: stable(stimulus),
    expected: stable(expected),
    actual: stable(actual),
    where: stable(where),
  };
  return {
    ...{ requirement, operation, case: `${requirement}/${operation}`, at, fails: true, ...identity },
    detail: deviationPhrase(identity),
    sentAs: [stimulus, ...(within === undefined ? [] : [within])],
    ...(walk === undefined ? {} : { walk }),
  };
}

/** What the run itself came to that is not as it should be. */
function ofRun({
  endedEarly,
  openCalls = [],
  unrestored = [],
  strict,
  intermittent,
}: Results): readonly KeyedFinding[] {
  const one = (operation: string, stimulus: string, expected: string, actual: string) =>
    keyedOf(OF_RUN, operation, { stimulus, expected, actual, where: 'the run' }, 0);
  return [
    ...(endedEarly === null ? [] : [one('end', 'the plan', 'a run to its end', endedEarly)]),
    ...openCalls.map(({ stimulus, known }) =>
      one('createCall', stimulus, 'a call that is closed', `a create call that ${known}`),
    ),
    ...unrestored.map((sentence) => one('target', 'the values before the run', 'the values before the run', sentence)),
    ...(strict ? intermittent : []).map(({ symptom }) => one('flaky', 'each sending', 'no symptom', symptom)),
  ].map((told, at) => ({ ...told, at }));
}

/** Everything that a run tells, in the order of its cases; what the run itself came to comes last. */
export function keyedIn(results: Results): readonly KeyedFinding[] {
  const found = allCases(results).flatMap(({ requirement: { id }, one }) => {
    const { operation, verdict, findings, reason = verdict, everywhere } = one;
    const fails = isFailing(verdict, results);
    const whole = { fails, ...(everywhere && { everywhere }) };
    if (findings.length > 0) return findings.map((each, at) => ({ ...keyedOf(id, operation, each, at), ...whole }));
    // A case without any fails where the suite itself broke.
    const broken = { stimulus: 'the case', expected: 'a verdict', actual: reason, where: 'the suite' };
    return fails ? [keyedOf(id, operation, broken, 0)] : [];
  });
  return [...found, ...ofRun(results)];
}

/** Equal for what is the same in two runs. */
export const keyOf = ({ case: id, stimulus, expected, actual, where }: KeyedFinding): string =>
  JSON.stringify([id, stimulus, expected, actual, where]);

/** Makes a function that says whether these results asked again what another run, with the same seed or not, told. */
export function askedIn(results: Results, other: Results): (told: KeyedFinding) => boolean {
  const own = new Map(results.sent.map(({ operation, stimuli }) => [operation, new Set(stimuli)]));
  const elsewhere = new Set(
    results.sent.flatMap(({ operation, stimuli }) => stimuli.map((one) => `${operation}: ${one}`)),
  );
  const isSameDraw = results.seed === other.seed && results.explore === other.explore;
  return ({ requirement, operation, sentAs, walk }) => {
    if (requirement === OF_RUN || results.traffic !== undefined) return true;
    if (walk !== undefined) return isSameDraw;
    return sentAs.some((one) => own.get(operation)?.has(one) === true || elsewhere.has(one));
  };
}
