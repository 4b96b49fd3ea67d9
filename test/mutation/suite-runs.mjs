// The runs that judge the mutants of the suite: those of which the proofs demand something, and what they demand.
import { FAULTS } from '../../dist/fixtures/faults/index.js';
import { NULLS } from '../../dist/fixtures/null/index.js';
import { createReference } from '../../dist/fixtures/service/reference.js';
import { judge, optionsFrom } from '../../dist/test/selftest/harness.js';
import { casesOf, isBroken, isMust, judged } from '../../dist/test/selftest/judged.js';
import { unsuspected } from '../../dist/test/selftest/prove.js';
import { choicesFor, ruleServices } from '../../dist/test/selftest/rules.js';
import { pairwiseVariants, singleVariants } from '../../dist/test/selftest/sample.js';

const nullRun = async ({ make }) => {
  const { settings } = createReference();
  return judge(unsuspected(make(settings)), optionsFrom(settings));
};

const variants = [...singleVariants(), ...pairwiseVariants()];

const SEED = 20_261_123;
const RULE_SETS = 25;
/** The other kinds take longer to judge, so there are fewer of them. */
const few = (items, step) => items.filter((_, at) => at % step === 0);

/** Each kind in its own order. */
const KINDS = [
  FAULTS.map((fault) => ({ kind: 'fault', run: () => judged({}, {}, fault) })),
  few(variants, 4).map((choices) => ({ kind: 'lawful', run: () => judged(choices) })),
  ruleServices(RULE_SETS, SEED).map((rules) => ({ kind: 'lawful', run: () => judged(choicesFor(rules), { rules }) })),
  few(NULLS, 2).map((service) => ({ kind: 'null', run: () => nullRun(service) })),
];

/** Of these kinds, the proofs demand what is found. */
export const ASKED_OF_FINDINGS = ['fault'];

/** Neighbours are alike: a step of this part of the list leads far from all places before. */
const FAR = 0.618_034;
/** The other runs take longer to judge, so they come only among the first. */
const FIRST = 0.24;

/** The reference service first, then the kinds mixed, so that the first runs notice most. */
export const RUNS = [
  { kind: 'reference', run: () => judged({}) },
  ...KINDS.flatMap((runs) => runs.map((run, at) => [(at * FAR) % 1, run]))
    .sort(([one], [other]) => one - other)
    .filter(([place, { kind }]) => ASKED_OF_FINDINGS.includes(kind) || place < FIRST)
    .map(([, run]) => run),
];

const namedIn = ({ requirements }) =>
  requirements.filter(({ verdict }) => ['fail', 'warning', 'error'].includes(verdict)).map(({ id }) => id);

/** What the proofs of such a run look at; of the reference service, each case and question. */
export const DEMANDED = {
  fault: (results) => [results.verdict, namedIn(results)],
  lawful: (results) => {
    const must = casesOf(results).filter(isMust);
    const open = must.filter(({ verdict }) => verdict === 'inconclusive');
    return [results.verdict, must.filter(isBroken).map(({ id }) => id), open.map(({ id }) => id)];
  },
  null: ({ verdict, requirements }) => {
    const kept = requirements.filter(({ cases }) => cases.some((one) => one.verdict === 'pass'));
    return [verdict, kept.map(({ id }) => id)];
  },
  reference: (results) => decisionsIn(results),
};

/** Everything that a run decides. */
export function decisionsIn(results) {
  const cases = casesOf(results).map(({ id, verdict, questions, unanswered = [] }) => {
    return [id, verdict, questions, unanswered.map(({ question, status }) => [question, status])];
  });
  return [results.verdict, cases, results.questions, results.intermittent.length];
}
