// A process that judges runs with mutants of the suite, one order after the other. It runs compiled files; a mutant that
// never returns is ended from outside.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { evaluate } from '../../dist/src/verdict/evaluate.js';
import { ASKED_OF_FINDINGS, DEMANDED, decisionsIn, RUNS } from './suite-runs.mjs';

const [folder = ''] = process.argv.slice(2);
const switches = { activeMutant: undefined, currentTestId: undefined, hitCount: undefined, hitLimit: 0 };
globalThis.__stryker__ = switches;

/** A mutant may be passed this many times as often as without a mutant before it counts as a loop. */
const MOST_ROUNDS = 200;

let activations = 0;

/** Remembers nothing without a mutant, so that all that an opinion rests on is passed for it; and nothing of another mutant. */
globalThis.MutantMemory = class {
  #known = new WeakMap();
  #since = 0;

  get(key) {
    if (this.#since !== activations) this.#known = new WeakMap();
    this.#since = activations;
    return switches.activeMutant === undefined ? undefined : this.#known.get(key);
  }

  set(key, value) {
    this.#known.set(key, value);
  }
};

function activate(mutant, hits = 0) {
  activations += 1;
  Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit: 10_000 + MOST_ROUNDS * hits });
}

const [{ REQUIREMENTS }, { remedyForOperation }] = await Promise.all(
  ['catalogue', 'expect/remedy'].map((name) => import(pathToFileURL(join(folder, `suites/${name}.js`)).href)),
);

/** Judges a record with the copy; `opinionOf` forms each opinion, and whether a requirement concerns an exchange. */
function judgeRecord(record, opinionOf = (_key, form) => form()) {
  const requirements = REQUIREMENTS.map(({ expect, concerns, ...rest }) => ({
    ...rest,
    expect: (exchange, evidence) => opinionOf(`${rest.id} ${exchange.seq}`, () => expect(exchange, evidence)),
    ...(concerns && {
      concerns: (exchange) => opinionOf(`${rest.id} ${exchange.seq} concerns`, () => concerns(exchange)),
    }),
  }));
  return evaluate(record, { requirements, remedyOf: remedyForOperation });
}

const loaded = Object.keys(switches.mutantCoverage?.static ?? {});
switches.currentTestId = 'whole';

const saidOf = (kind, results) => ({
  demanded: JSON.stringify(DEMANDED[kind](results)),
  decided: JSON.stringify(decisionsIn(results)),
  said: JSON.stringify(results),
});

/** What becomes of a run without a mutant: what is demanded, decided and said, its opinions, and which mutants it passes. */
function judgedPlainly({ kind, record }) {
  // The copy keeps hold of the object itself.
  switches.mutantCoverage.perTest = {};
  activate(undefined);
  const opinions = new Map();
  const results = judgeRecord(record, (key, form) => {
    switches.currentTestId = key;
    const opinion = form();
    switches.currentTestId = 'whole';
    opinions.set(key, { form, opinion });
    return opinion;
  });
  const passed = new Map();
  for (const [key, hits] of Object.entries(switches.mutantCoverage.perTest)) {
    for (const [id, count] of Object.entries(hits)) {
      const one = passed.get(id) ?? { isWhole: false, keys: new Set(), hits: 0 };
      if (key === 'whole') one.isWhole = true;
      else one.keys.add(key);
      one.hits += count;
      passed.set(id, one);
    }
  }
  return { ...saidOf(kind, results), opinions, passed };
}

/** `caught`: what the proofs demand is different; `decides`, `says`: something else is; `same`: nothing. */
function compared(kind, plain, judge) {
  try {
    const results = judge();
    if (JSON.stringify(DEMANDED[kind](results)) !== plain.demanded) return 'caught';
    if (JSON.stringify(decisionsIn(results)) !== plain.decided) return 'decides';
    return JSON.stringify(results) === plain.said ? 'same' : 'says';
  } catch {
    // A suite that breaks is noticed.
    return 'caught';
  }
}

/** What counts in an opinion; its words do not. */
const kindOf = (opinion) => `${opinion} ${opinion.kind} ${opinion.rank} ${opinion.isLawful}`;
const wordsOf = ({ finding, reason, remedy, sibling }) =>
  JSON.stringify([finding, reason, remedy, sibling?.seq, sibling?.difference]);

/** Which of the opinions a mutant changes: none (`same`), only words (`says`), or what counts (`decides`). */
function changedIn(opinions) {
  let change = 'same';
  for (const { form, opinion } of opinions) {
    try {
      const now = form();
      if (kindOf(now) !== kindOf(opinion)) return 'decides';
      if (wordsOf(now) !== wordsOf(opinion)) change = 'says';
    } catch {
      return 'decides';
    }
  }
  return change;
}

function outcomeOf({ kind, record }, plain, { isWhole, keys }, asked) {
  if (isWhole) return compared(kind, plain, () => judgeRecord(record));
  const change = changedIn(asked);
  if (change !== 'decides') return change;
  // Opinions that do not pass the mutant are known, unless nothing asked for them before.
  const opinionOf = (key, form) => (keys.has(key) ? form() : (plain.opinions.get(key)?.opinion ?? form()));
  return compared(kind, plain, () => judgeRecord(record, opinionOf)) === 'caught' ? 'caught' : 'decides';
}

/** What is asked again: of a fault only what leads to findings, since the other runs show whether the rest stays silent. */
const isAsked = (kind, opinion) => !ASKED_OF_FINDINGS.includes(kind) || opinion === true || opinion.kind === 'finding';

/** Makes a run, and judges it with each of the mutants that it passes. */
async function judgeRun({ at, mutants }) {
  const { kind, run: make } = RUNS[at];
  const { record } = await make();
  const run = { kind, record };
  const plain = judgedPlainly(run);
  const outcomes = {};
  for (const id of mutants.filter((one) => plain.passed.has(one))) {
    const passed = plain.passed.get(id);
    const asked = [...passed.keys]
      .map((key) => plain.opinions.get(key))
      .filter(({ opinion }) => isAsked(kind, opinion));
    outcomes[id] = 'same';
    if (asked.length === 0 && !passed.isWhole) continue;
    process.send?.({ trying: id });
    activate(id, passed.hits);
    outcomes[id] = outcomeOf(run, plain, passed, asked);
  }
  activate(undefined);
  return outcomes;
}

process.on('message', async (order) => {
  try {
    process.send?.({ done: await judgeRun(order) });
  } catch (error) {
    process.send?.({ failed: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ done: { loaded } });
